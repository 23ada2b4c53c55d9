import type { INodeProperties } from 'n8n-workflow';
import { withWritten } from '../../shared/collectionFields';
import { sortByName } from '../../shared/fields';
import type { Resource } from './operation';

/** Since this version the tool of an AI agent opens on what reads. A saved workflow holds no value that is the default: it must stay. */
const OPENS_ON_READ = { _cnd: { gte: 1.2 } };

/** A list of operations, and the same with another default for the tool of an AI agent. */
function withDefaultForAgents(list: INodeProperties, forAgents: string | undefined): INodeProperties[] {
  if (forAgents === undefined) return [list];
  const shown = (show: object): INodeProperties['displayOptions'] => ({
    show: { ...list.displayOptions?.show, ...show },
  });
  return [
    { ...list, displayOptions: shown({ '@tool': [false] }) },
    { ...list, displayOptions: shown({ '@tool': [true], '@version': [{ _cnd: { lt: 1.2 } }] }) },
    { ...list, displayOptions: shown({ '@tool': [true], '@version': [OPENS_ON_READ] }), default: forAgents },
  ];
}

/**
 * The node's properties, made from the table: the lists of resources and operations, and each operation's fields. There is one list of
 * resources, because n8n's panel shows every action once for each.
 */
export function propertiesOf(resources: Record<string, Resource>, first: string): INodeProperties[] {
  const resourceList: INodeProperties = {
    displayName: 'Resource',
    name: 'resource',
    type: 'options',
    noDataExpression: true,
    options: sortByName(Object.entries(resources).map(([value, { name }]) => ({ name, value }))),
    default: first,
  };
  const operationLists = Object.entries(resources).flatMap(
    ([resource, { operations, first: chosen, firstForAgents: forAgents }]) => {
      const list: INodeProperties = {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        displayOptions: { show: { resource: [resource] } },
        options: sortByName(
          Object.entries(operations).map(([value, { name, action, description, notForAgents }]) => ({
            name,
            value,
            action,
            description,
            ...(notForAgents ? { displayOptions: { hide: { '@tool': [true] } } } : {}),
          })),
        ),
        default: chosen,
      };
      return withDefaultForAgents(list, forAgents);
    },
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
