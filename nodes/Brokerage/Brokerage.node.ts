import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';
import { CREDENTIAL_TYPE } from '../host/http';
import { NEWEST_VERSION, NODE_VERSIONS } from './common/version';
import { propertiesOf } from './common/properties';
import { labelledItems } from './actions/labelledItems';
import { resources } from './actions/resources';
import { route } from './actions/router';
import { searchInstruments } from '../shared/listSearch';
import { subtitleOf } from './subtitle';

export class Brokerage implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Brokerage',
    name: 'brokerage',
    icon: { light: 'file:brokerage.svg', dark: 'file:brokerage.dark.svg' },
    group: ['input'],
    version: NODE_VERSIONS,
    defaultVersion: NEWEST_VERSION,
    subtitle: subtitleOf(resources),
    description:
      'Place orders and baskets with your Indian broker, and read quotes, option chains, candles, bhavcopies, portfolio and reports',
    defaults: { name: 'Brokerage' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: CREDENTIAL_TYPE, required: true }],
    properties: propertiesOf(resources, 'order'),
  };

  methods = { listSearch: { searchInstruments } };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const [items = []] = await route(this);
    return [labelledItems(this, items)];
  }
}
