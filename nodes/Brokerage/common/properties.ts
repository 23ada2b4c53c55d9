import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { withWritten } from '../../shared/collectionFields';
import type { Resource } from './operation';

const byName = (a: INodePropertyOptions, b: INodePropertyOptions) => a.name.localeCompare(b.name, 'en');

/** The node's properties, made from the table: the lists of resources and operations, and each operation's fields. */
export function propertiesOf(resources: Record<string, Resource>, first: string): INodeProperties[] {
  const resourceList: INodeProperties = {
    displayName: 'Resource',
    name: 'resource',
    type: 'options',
    noDataExpression: true,
    options: Object.entries(resources)
      .map(([value, { name }]) => ({ name, value }))
      .sort(byName),
    default: first,
  };
  const operationLists = Object.entries(resources).map(
    ([resource, { operations, first: chosen }]): INodeProperties => ({
      displayName: 'Operation',
      name: 'operation',
      type: 'options',
      noDataExpression: true,
      displayOptions: { show: { resource: [resource] } },
      options: Object.entries(operations)
        .map(([value, { name, action, description, notForAgents }]) => ({
          name,
          value,
          action,
          description,
          ...(notForAgents ? { displayOptions: { hide: { '@tool': [true] } } } : {}),
        }))
        .sort(byName),
      default: chosen,
    }),
  );
  const fields = Object.entries(resources).flatMap(([resource, { operations }]) =>
    Object.entries(operations).flatMap(([operation, { properties }]) =>
      properties
        .map((property) => ({
          ...property,
          displayOptions: {
            ...property.displayOptions,
            show: { resource: [resource], operation: [operation], ...property.displayOptions?.show },
          },
        }))
        .flatMap((property) => (property.type === 'collection' ? withWritten(property) : [property])),
    ),
  );
  return [resourceList, ...operationLists, ...fields];
}
