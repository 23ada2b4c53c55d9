/** View of the user and an AI agent on the node before it runs. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  NodeHelpers,
  type INodeProperties,
  type INodePropertyCollection,
  type INodePropertyOptions,
} from 'n8n-workflow';
import { Brokerage } from '../../nodes/Brokerage/Brokerage.node';
import { BrokerageTrigger } from '../../nodes/BrokerageTrigger/BrokerageTrigger.node';
import { resources } from '../../nodes/Brokerage/actions/resources';

const { description } = new Brokerage();
const operations = Object.entries(resources).flatMap(([resource, { operations: all }]) =>
  Object.entries(all).map(([name, operation]) => [`${resource}: ${name}`, operation, resource, name] as const),
);

/** A property and all within it. */
function* within(
  properties: readonly (INodeProperties | INodePropertyOptions | INodePropertyCollection)[],
): Generator<INodeProperties> {
  for (const property of properties) {
    if ('values' in property && !('type' in property)) yield* within(property.values);
    if (!('type' in property)) continue;
    yield property as INodeProperties;
    yield* within((property as INodeProperties).options ?? []);
  }
}

it('starts with resources and operations that exist, in the order of their names', () => {
  const lists = description.properties.filter(({ name }) => name === 'resource' || name === 'operation');
  for (const { options = [], default: chosen } of lists) {
    const entries = options as INodePropertyOptions[];
    expect(entries.map(({ name }) => name)).toEqual(
      entries.map(({ name }) => name).sort((a, b) => a.localeCompare(b, 'en')),
    );
    expect(entries.map(({ value }) => value)).toContain(chosen);
  }
});

it('shows each action once: n8n lists those of every list of resources', () => {
  expect(description.properties.filter(({ name }) => name === 'resource')).toHaveLength(1);
});

it.each(operations)('%s shows its fields and no other, in their order', (_, operation, resource, name) => {
  const shown = description.properties.filter(({ name: field, displayOptions: { show } = {} }) =>
    field === 'resource' || field === 'operation'
      ? false
      : show?.resource?.includes(resource) && show.operation?.includes(name),
  );
  const choices = ({ displayOptions, ...property }: INodeProperties): object => {
    const { resource: _resource, operation: _operation, ...show } = displayOptions?.show ?? {};
    return { ...property, hide: displayOptions?.hide, show };
  };
  expect(shown.filter(({ type }) => type !== 'hidden').map(choices)).toEqual(operation.properties.map(choices));
});

it('lists a field once for the operations that share it', () => {
  const keys = description.properties
    .filter(({ name }) => name !== 'operation')
    .map(({ displayOptions, ...property }) => {
      const { resource: _resource, operation: _operation, ...show } = displayOptions?.show ?? {};
      return JSON.stringify({ ...property, hide: displayOptions?.hide, show });
    });
  // A few are listed again, where the order of an operation's fields asks for it.
  expect(keys.length - new Set(keys).size).toBeLessThan(keys.length / 10);
});

it('has its icons in light and dark', () => {
  const { light, dark } = description.icon as { light: string; dark: string };
  for (const icon of [light, dark])
    expect(existsSync(path.resolve(__dirname, '../../nodes/Brokerage', icon.replace('file:', '')))).toBe(true);
});

it.each(operations)('%s is described so that a human and a model can follow', (_, operation, resource, name) => {
  expect(operation.description.length).toBeGreaterThan(20);
  expect(operation.action).toMatch(/^[A-Z][^A-Z]*([A-Z]{2,}[^A-Z]*)*$/);
  for (const property of within(operation.properties)) {
    if (property.type === 'collection' || property.type === 'notice') continue;
    expect({ field: property.name, described: (property.description ?? '').length > 10 }).toEqual({
      field: property.name,
      described: true,
    });
    if (property.type === 'boolean') expect(property.description).toMatch(/^Whether /);
    for (const key of Object.keys(property.displayOptions?.show ?? {}).filter((name) => name !== '@version'))
      expect([...within(operation.properties)].map((iNodeProperties) => iNodeProperties.name)).toContain(key);
  }
  const node = {
    id: '1',
    name: 'x',
    type: 'brokerage',
    typeVersion: 1,
    position: [0, 0] as [number, number],
    parameters: { resource, operation: name, descriptionType: 'auto' },
  };
  expect(NodeHelpers.getToolDescriptionForNode(node, new Brokerage())).toBe(`${operation.action} in Brokerage`);
});

it.each(operations)('%s shows each of its fields at most once at a time', (_, { properties }) => {
  const conditions = properties.map(
    ({ name, displayOptions }) => `${name} ${JSON.stringify(displayOptions?.show ?? {})}`,
  );
  expect(new Set(conditions).size).toBe(conditions.length);
});

it('fields of one name in a row have one default: the editor fills a new row from the last of them', () => {
  const rows = [...within(description.properties)].flatMap(({ name, options = [] }) =>
    options.flatMap((option) => ('values' in option ? [{ name, values: option.values }] : [])),
  );
  expect(rows.map(({ name }) => name)).toContain('indicators');
  const several = rows.flatMap(({ name, values }) =>
    values
      .filter((value) => values.some((other) => other.name === value.name && other.default !== value.default))
      .map((value) => `${name}: ${value.displayName}`),
  );
  expect(several).toEqual([]);
});

it('each alert of the trigger says beside Every Time what limits its runs, by fields that are there', () => {
  const fields = [...within(new BrokerageTrigger().description.properties)];
  const lists = fields.flatMap(({ options = [] }) =>
    (options as INodePropertyOptions[]).filter(({ name }) => name === 'Every Time'),
  );
  expect(lists).toHaveLength(3);
  for (const { description: text } of lists)
    expect(text).toMatch(/can start many runs: Re-Arm Distance .* alert_number/);
  expect(fields.filter(({ displayName }) => displayName.startsWith('Re-Arm Distance')).length).toBeGreaterThanOrEqual(
    3,
  );
});
