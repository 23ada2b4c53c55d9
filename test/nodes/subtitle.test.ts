/** The line below the trigger's name on the canvas, as n8n works it out. */
import { NodeHelpers, Workflow, type INodeParameters, type INodeTypes } from 'n8n-workflow';
import { BrokerageTrigger } from '../../nodes/BrokerageTrigger/BrokerageTrigger.node';

const trigger = new BrokerageTrigger();
const { subtitle, properties } = trigger.description;

function shown(chosen: INodeParameters): unknown {
  const node = {
    ...{ id: '1', name: 'Trigger', type: 'brokerageTrigger', typeVersion: 1.2, position: [0, 0] as [number, number] },
    parameters: chosen,
  };
  const parameters = NodeHelpers.getNodeParameters(properties, chosen, true, false, node, trigger.description)!;
  const nodeTypes = { getByNameAndVersion: () => trigger } as unknown as INodeTypes;
  const workflow = new Workflow({ nodes: [{ ...node, parameters }], connections: {}, active: false, nodeTypes });
  return workflow.expression.getSimpleParameterValue(
    workflow.getNode('Trigger')!,
    subtitle,
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
