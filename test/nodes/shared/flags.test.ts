/** Switches that an expression fills: as sheets, programs and alerts write true and false. */
import { ParameterReader } from '../../../nodes/shared/parameters';
import { refusal } from '../../support/refusal';

const flag = (value: unknown): boolean =>
  new ParameterReader(
    () => value,
    [{ displayName: 'Simplify', name: 'simplify', type: 'boolean', default: true }],
  ).flag('simplify');

it.each([
  [true, true],
  ['true', true],
  ['TRUE', true],
  [' True ', true],
  [false, false],
  ['FALSE', false],
  ['False', false],
  ['', false],
  [null, false],
])('%j is %p', (value, expected) => {
  expect(flag(value)).toBe(expected);
});

it.each([
  ['yes', '"yes"'],
  [1, '1'],
  ['0', '"0"'],
])('%j is refused, and shown', (value, shown) => {
  expect(refusal(() => flag(value))).toMatchObject({
    message: `Simplify must be true or false, but is ${shown}.`,
    hint: 'Use the switch, or have the expression give true or false.',
  });
});
