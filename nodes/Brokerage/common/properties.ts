import type { INodeProperties } from 'n8n-workflow';
import { isEmptied, hiddenCollectionField } from '../../shared/collectionFields';
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

/** An operation as n8n names it: `{ resource: 'order', operation: 'place' }`. */
interface OperationName {
  resource: string;
  operation: string;
}

/** A field of the panel, and the operations that show it. */
interface SharedField {
  key: string;
  property: INodeProperties;
  shownBy: OperationName[];
}

/** The `displayOptions` of n8n for some operations. */
const shownFor = (names: readonly OperationName[]) => ({
  resource: [...new Set(names.map(({ resource }) => resource))],
  operation: [...new Set(names.map(({ operation }) => operation))],
});

/** Returns true if `displayOptions` can name exactly these operations: they take each operation of each resource. */
function isExact(names: readonly OperationName[], resources: Record<string, Resource>): boolean {
  const { resource, operation } = shownFor(names);
  const coveredOperations = resource.flatMap((name) =>
    operation.filter((inner) => inner in (resources[name]?.operations ?? {})),
  );
  return coveredOperations.length === names.length;
}

/**
 * The fields of all operations, each in the order of its operation. Operations with the same field share it: n8n goes through the whole
 * list several times in each execution.
 */
function operationFields(resources: Record<string, Resource>): INodeProperties[] {
  const shared: SharedField[] = [];
  for (const [resource, { operations }] of Object.entries(resources))
    for (const [operation, { properties }] of Object.entries(operations)) {
      const name = { resource, operation };
      const written = properties.filter(isEmptied).map(hiddenCollectionField);
      let last = -1;
      for (const property of [...properties, ...written]) {
        const key = JSON.stringify(property);
        const same = shared.find(
          (field, at) => at > last && field.key === key && isExact([...field.shownBy, name], resources),
        );
        if (same === undefined) shared.splice(last + 1, 0, { key, property, shownBy: [name] });
        else same.shownBy.push(name);
        last = same === undefined ? last + 1 : shared.indexOf(same);
      }
    }
  return shared.map(({ property, shownBy }) => ({
    ...property,
    displayOptions: { ...property.displayOptions, show: { ...shownFor(shownBy), ...property.displayOptions?.show } },
  }));
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
  return [resourceList, ...operationLists, ...operationFields(resources)];
}
