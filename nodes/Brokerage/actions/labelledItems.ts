import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { LABELS_VERSION, choiceName, withLabels } from '../../shared/itemLabels';
import { resources } from './resources';

/** Returns the items of an operation with plain words beside their codes; unchanged in a version without them. */
export function labelledItems(functions: IExecuteFunctions, items: INodeExecutionData[]): INodeExecutionData[] {
  if (functions.getNode().typeVersion < LABELS_VERSION) return items;
  const resource = functions.getNodeParameter('resource', 0) as string;
  const operation = functions.getNodeParameter('operation', 0) as string;
  const named = choiceName(resources[resource]?.operations[operation]?.properties ?? []);
  return items.map((item) => ({ ...item, json: withLabels(item.json, named) }));
}
