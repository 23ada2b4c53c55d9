/** The fields that the editor's panel shows, for each operation and trigger with each choice of its lists. */
import { NodeHelpers, type INode, type INodeParameters, type INodeTypeDescription } from 'n8n-workflow';
import { Brokerage } from '../../nodes/Brokerage/Brokerage.node';
import { resources } from '../../nodes/Brokerage/actions/resources';
import { BrokerageTrigger } from '../../nodes/BrokerageTrigger/BrokerageTrigger.node';

const KINDS = ['resource', 'operation', 'watch'];
/** Choices that are made one after another: more than depend on each other. */
const DEPTH = 4;
/** Fields that a new step cannot know. Everything else has a default that works. */
const ASKED_FOR = ['Basket ID', 'Code', 'Instrument', 'Name', 'OTP', 'Order ID', 'Search For', 'Underlying'];

const description = (node: { description: object }) => node.description as INodeTypeDescription;
const forms: [string, INodeTypeDescription, INodeParameters][] = [
  ...Object.entries(resources).flatMap(([resource, { operations }]) =>
    Object.keys(operations).map((operation): [string, INodeTypeDescription, INodeParameters] => [
      `${resource}: ${operation}`,
      description(new Brokerage()),
      { resource, operation },
    ]),
  ),
  ...description(new BrokerageTrigger())
    .properties.find(({ name }) => name === 'watch')!
    .options!.map((option): [string, INodeTypeDescription, INodeParameters] => {
      const { value } = option as { value: string };
      return [`trigger: ${value}`, description(new BrokerageTrigger()), { watch: value }];
    }),
];

function panelOf(type: INodeTypeDescription) {
  const node = { type: type.name, typeVersion: 1.2, parameters: {} } as INode;
  const filled = (given: INodeParameters) =>
    NodeHelpers.getNodeParameters(type.properties, given, true, false, node, type)!;
  const shown = (parameters: INodeParameters) =>
    type.properties.filter(
      (property) =>
        property.type !== 'hidden' && NodeHelpers.displayParameter(parameters, property, { typeVersion: 1.2 }, type),
    );
  return { node, filled, shown };
}

it.each(forms)('%s asks a new step only for what nobody can know', (_, type, kind) => {
  const { node, filled } = panelOf(type);
  node.parameters = filled(kind);
  const issues = NodeHelpers.getNodeParametersIssues(type.properties, node, type)?.parameters ?? {};
  const texts = Object.values(issues).flat();
  expect(texts.filter((text) => !ASKED_FOR.some((name) => text === `Parameter "${name}" is required.`))).toEqual([]);
});

it.each(forms)('%s shows each field once, and no list without its choice', (_, type, kind) => {
  const { filled, shown } = panelOf(type);
  const seen = new Set<string>();
  const look = (parameters: INodeParameters, depth: number): void => {
    const fields = shown(parameters);
    const names = fields.map(({ name }) => name);
    const key = names.join();
    if (seen.has(key)) return;
    seen.add(key);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    for (const { name, options, type: of } of fields) {
      if (of !== 'options' || options === undefined || KINDS.includes(name)) continue;
      const values = options.map((option) => (option as { value: string }).value);
      expect([name, values]).toEqual([name, expect.arrayContaining([parameters[name]])]);
      if (depth < DEPTH) for (const value of values) look(filled({ ...parameters, [name]: value }), depth + 1);
    }
  };
  look(filled(kind), 0);
});

it.each([
  [{}, true],
  [{ sizeBy: 'amount' }, false],
  [{ sizeBy: 'risk', orderType: 'STOPLOSS' }, false],
  [{ sizeBy: 'risk', orderType: 'ICEBERG' }, true],
])('Order: Place shows Quantity In only where something is counted: %j', (given, isShown) => {
  const { filled, shown } = panelOf(description(new Brokerage()));
  const names = shown(filled({ resource: 'order', operation: 'place', ...given })).map(({ name }) => name);
  expect(names.includes('quantityUnit')).toBe(isShown);
});
