/** Keys that several alerts would share are refused: under one key there is one order. */
import type { ItemContext } from '../../nodes/Brokerage/common/itemContext';
import { keyOf, keySourceOf } from '../../nodes/Brokerage/trading/idempotencyKey';
import { refusal } from '../support/refusal';

const read = (idempotencyKey: unknown): string | undefined =>
  keyOf({
    raw: () => ({ idempotencyKey }),
    run: { node: { parameters: { options: { idempotencyKey: '={{ $json.key }}' } } } },
  } as unknown as ItemContext);

it.each([
  ...['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', 'alert-#N/A', 'row #REF! 5'],
  ...['None', 'nan', 'NaT', 'alert-None', 'BUY_nan_5', 'undefined', 'INFY null'],
  ...['NA', 'n/a', 'nil', 'TRUE', 'False', '-', '\u2014', '""', '[]', '{}', '\u200b-', '#', '...'],
])('the key %j is made of data that is missing', (key) => {
  expect(refusal(() => read(key))).toMatchObject({
    message: expect.stringContaining('is made of data that is missing: other alerts would have the same'),
    parameter: 'idempotencyKey',
  });
});

it.each(['{{ticker}} {{timenow}}', 'alert-{{strategy.order.id}}', '{{ $json.body.id }}', '{alert_id}'])(
  'the key %j holds a placeholder that nothing has filled in',
  (key) => {
    const { message, hint } = refusal(() => read(key));
    expect(message).toContain('holds a placeholder: other alerts would have the same. Nothing was sent.');
    expect(hint).toMatch(/Nothing has filled in|counts only where the field is set to Expression/);
  },
);

it.each([
  ['INFY 2026-11-20T09:15:00Z', 'INFY 2026-11-20T09:15:00Z'],
  ['5', '5'],
  [0, '0'],
  ['#1', '#1'],
  ['NAUKRI-1', 'NAUKRI-1'],
  ['true-north 7', 'true-north 7'],
  ['Nonelike7', 'Nonelike7'],
  ['\u0968\u0966', '\u0968\u0966'],
  ['row:', 'row:'],
  ['cafe\u200b\u0301', 'caf\u00e9'],
])('the key %j is taken', (key, read_) => expect(read(key)).toBe(read_));

it.each([
  ['daily-entry', 'fixed'],
  ['{{ $itemIndex }}', 'fixed'],
  ['=', 'fixed'],
  ["={{ 'SIP' }}", 'fixed'],
  ['={{ $itemIndex }}', 'position'],
  ['=alert-{{ $itemIndex + 1 }}-{{$runIndex}}', 'position'],
  ['={{ $itemIndexes }}', 'data'],
  ['={{ $json.id }}-{{ $itemIndex }}', 'data'],
  ["={{ $('Webhook').item.json.body.id }}", 'data'],
  ['={{ $now.toISODate() }} {{ $itemIndex }}', 'data'],
  ['={{ new Date().getHours() }}', 'data'],
  ['={{ DateTime.now().hour }}', 'data'],
  ['={{ $execution.id }}', 'data'],
])('the key written as %j is %s', (idempotencyKey, source) => {
  const item = { run: { node: { parameters: { options: { idempotencyKey } } } } } as unknown as ItemContext;
  expect(keySourceOf(item)).toBe(source);
});
