import {
  NodeConnectionTypes,
  type INodeType,
  type INodeTypeDescription,
  type ITriggerFunctions,
  type ITriggerResponse,
} from 'n8n-workflow';
import { searchInstruments } from '../Brokerage/methods/listSearch';
import { CREDENTIAL_TYPE } from '../host/http';
import { properties } from './properties';
import { beginTrigger } from './triggerLifecycle';

export class BrokerageTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Brokerage Trigger',
    name: 'brokerageTrigger',
    icon: { light: 'file:brokerage.svg', dark: 'file:brokerage.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["watch"] === "orders" ? $parameter["events"].join(", ") : $parameter["watch"] }}',
    // n8n's panel shows it for both nodes, which it lists as one.
    description:
      'Orders, quotes, portfolio and reports of an Indian broker. Starts the workflow when an order, the portfolio or a price changes',
    defaults: { name: 'Brokerage Trigger' },
    eventTriggerDescription: 'Waiting for an event at your broker',
    activationMessage:
      'From now on what you chose starts this workflow. Events of orders are not missed while the connection is down.',
    triggerPanel: {
      header: 'Wait for an event at your broker',
      executionsHelp: {
        inactive:
          "<b>To try it:</b> click 'Execute step', then place, change or cancel an order. The first event that fits your choice comes out here; after two minutes without one, listening ends.<br><br><b>When the workflow is published</b>, it runs for every event, and these runs show in the executions list.",
        active:
          "<b>To try it:</b> click 'Execute step', then place, change or cancel an order. After two minutes without an event, listening ends.<br><br><b>The workflow is published</b>: it runs for every event, and these runs show in the executions list.",
      },
      activationHint: 'Once you have finished building your workflow, publish it to have it run for every event.',
    },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: CREDENTIAL_TYPE, required: true }],
    properties,
  };

  methods = { listSearch: { searchInstruments } };

  async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
    return await beginTrigger(this);
  }
}
