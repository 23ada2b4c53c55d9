import {
  NodeConnectionTypes,
  type INodeType,
  type INodeTypeDescription,
  type ITriggerFunctions,
  type ITriggerResponse,
} from 'n8n-workflow';
import { searchInstruments } from '../shared/listSearch';
import { CREDENTIAL_TYPE } from '../host/http';
import { properties } from './properties';
import { subtitle } from './subtitle';
import { beginTrigger } from './triggerLifecycle';

export class BrokerageTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Brokerage Trigger',
    name: 'brokerageTrigger',
    icon: { light: 'file:brokerage.svg', dark: 'file:brokerage.dark.svg' },
    group: ['trigger'],
    version: [1, 1.1, 1.2],
    subtitle,
    // n8n's panel shows it for both nodes, which it lists as one.
    description:
      'Starts the workflow on fills and other order events, portfolio updates and price alerts from your Indian broker',
    defaults: { name: 'Brokerage Trigger' },
    eventTriggerDescription: 'Waiting for an event at your broker',
    activationMessage:
      'Your events now start this workflow. Order events that happen while the connection is down are recovered.',
    triggerPanel: {
      header: 'Wait for an event at your broker',
      executionsHelp: {
        inactive:
          "<b>To try it:</b> click 'Execute step', then make the event happen: for order events, place, modify or cancel an order. The first event appears here. Listening ends after two minutes without one. At Market Time does not wait: it starts at once.<br><br><b>Once the workflow is published</b>, every event starts it, and you find the runs in the executions list.",
        active:
          "<b>To try it:</b> click 'Execute step', then make the event happen: for order events, place, modify or cancel an order. Listening ends after two minutes without one. At Market Time does not wait: it starts at once.<br><br><b>The workflow is published</b>: every event starts it, and you find the runs in the executions list.",
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
