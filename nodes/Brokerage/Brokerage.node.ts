import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';
import { CREDENTIAL_TYPE } from '../host/http';
import { propertiesOf } from './common/properties';
import { resources } from './actions/resources';
import { route } from './actions/router';
import { searchInstruments } from './methods/listSearch';

export class Brokerage implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Brokerage',
    name: 'brokerage',
    icon: { light: 'file:brokerage.svg', dark: 'file:brokerage.dark.svg' },
    group: ['input'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description:
      'Instruments, quotes, candles, end-of-day files, orders, baskets, portfolio and reports of an Indian broker',
    defaults: { name: 'Brokerage' },
    usableAsTool: true,
    sensitiveOutputFields: ['secret_key'],
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: CREDENTIAL_TYPE, required: true }],
    properties: propertiesOf(resources, 'order'),
  };

  methods = { listSearch: { searchInstruments } };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await route(this);
  }
}
