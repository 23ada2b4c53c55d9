/** The line below a node's name on the canvas, as n8n works it out. */
import { NodeHelpers, Workflow, type INodeParameters, type INodeType, type INodeTypes } from 'n8n-workflow';
import { Brokerage } from '../../nodes/Brokerage/Brokerage.node';
import { resources } from '../../nodes/Brokerage/actions/resources';
import { BrokerageTrigger } from '../../nodes/BrokerageTrigger/BrokerageTrigger.node';

const trigger = new BrokerageTrigger();
const { properties } = trigger.description;

function shown(chosen: INodeParameters, type: INodeType = trigger): unknown {
  const { description } = type;
  const node = {
    ...{ id: '1', name: 'Trigger', type: description.name, typeVersion: 1.2, position: [0, 0] as [number, number] },
    parameters: chosen,
  };
  const parameters = NodeHelpers.getNodeParameters(description.properties, chosen, true, false, node, description)!;
  const nodeTypes = { getByNameAndVersion: () => type } as unknown as INodeTypes;
  const workflow = new Workflow({ nodes: [{ ...node, parameters }], connections: {}, active: false, nodeTypes });
  return workflow.expression.getSimpleParameterValue(
    workflow.getNode('Trigger')!,
    description.subtitle!,
    'internal',
    {},
    undefined,
    '',
  );
}

it.each<[string, INodeParameters]>([
  ['Fill', {}],
  ['Order Cancelled by the Exchange, Stop Loss Triggered', { events: ['unsolicitedCancel', 'stopLossTriggered'] }],
  ['Connection Lost', { events: ['connectionLost'] }],
  ['Price Alert', { watch: 'price' }],
  ['Order Exits', { watch: 'orderExits' }],
  ['Exits of what you hold', { watch: 'orderExits', exitsOf: 'held' }],
  ['Exits of all positions and holdings', { watch: 'orderExits', exitsOf: 'all' }],
  ['Exits of a strategy', { watch: 'orderExits', exitsOf: 'strategy' }],
  ['At 09:20', { watch: 'marketTime' }],
  ['At 09:20, 15:10, expiry day', { watch: 'marketTime', marketTimes: '09:20, 15:10', days: 'expiry' }],
  ['At 09:20, first trading day of the week', { watch: 'marketTime', days: 'firstOfWeek' }],
])('%s', (line, chosen) => {
  expect(shown(chosen)).toBe(line);
});

it('names each choice of Days', () => {
  const { options = [] } = properties.find(({ name }) => name === 'days')!;
  const lines = options.map((option) => shown({ watch: 'marketTime', days: 'value' in option ? option.value : '' }));
  expect(new Set(lines).size).toBe(options.length);
});

const action = new Brokerage();
const OPERATIONS = Object.entries(resources).flatMap(([resource, { name, operations }]) =>
  Object.entries(operations).map(([operation, inner]) => ({ resource, operation, line: `${name}: ${inner.name}` })),
);

it('names the resource and the operation of the action node in the words of the panel', () => {
  expect(shown({ resource: 'quote', operation: 'getCurrentPrice' }, action)).toBe('Quote: Get Current Price');
  for (const { line, ...chosen } of OPERATIONS) expect(shown(chosen, action)).toBe(line);
  expect(shown({}, action)).toBe('Order: Place');
});

it('shows an operation that this version does not have by its saved name', () => {
  const { subtitle } = action.description;
  expect(subtitle!.match(/\}\}/g)).toHaveLength(1);
  expect(shown({ resource: 'order', operation: 'placeLater' }, action)).toBe('order.placeLater');
});
