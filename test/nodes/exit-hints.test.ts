/** Exits whose number could be read as percent, as rupees or as a price say beside the field which it is. */
import type { INodeProperties } from 'n8n-workflow';
import { Brokerage } from '../../nodes/Brokerage/Brokerage.node';

const EXITS = ['Stop Loss', 'Target', 'Trailing Jump'];

/** The fields of the node and of its collections. */
function fieldsIn(properties: readonly INodeProperties[]): INodeProperties[] {
  return properties.flatMap((field) => [
    field,
    ...fieldsIn((field.options ?? []).filter((entry) => 'displayName' in entry) as INodeProperties[]),
  ]);
}

it('each stop loss, target and trailing jump names the unit in which it begins', () => {
  const exits = fieldsIn(new Brokerage().description.properties).filter(
    ({ displayName, type }) => EXITS.includes(displayName) && type === 'number',
  );
  expect(exits.length).toBeGreaterThan(8);
  for (const { displayName, hint } of exits)
    expect([displayName, hint]).toEqual([displayName, expect.stringContaining('unless Exits Given As says otherwise')]);
});
