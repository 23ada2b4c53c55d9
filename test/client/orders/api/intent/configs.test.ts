/**
 * Conditions of an entry and its exits, in every shape in which records have told them
 * (docs/service/intent-orders.md#record).
 */
import { entryOf, exitsIn } from '../../../../../client/orders/api/intent/configs';
import type { Json } from '../../../../../client/values/json';

describe('what an entry waits for', () => {
  const nothing = { when: null, price: null, time: null, triggered: false };
  it.each<[Json | undefined, object]>([
    [undefined, nothing],
    [{ triggers: null }, nothing],
    [{ triggers: { ltp: { above: { value: 5 } } } }, { ...nothing, when: 'ABOVE', price: 5 }],
    [[{ triggers: { ltp: { below: 6 } } }], { ...nothing, when: 'BELOW', price: 6 }],
    [
      { triggers: { ltp: { atOrAbove: { value: 5, disabled: true }, atOrBelow: { value: 7 } } } },
      {
        ...nothing,
        when: 'AT_OR_BELOW',
        price: 7,
      },
    ],
    [{ triggers: { ltp: { atOrAbove: { value: 0 } } } }, nothing],
    [
      { entryTime: '2026-11-20T11:00:00Z', status: 'TRIGGERED' },
      {
        ...nothing,
        time: '2026-11-20T11:00:00Z',
        triggered: true,
      },
    ],
    [{ entryTime: '', status: 'OPEN' }, nothing],
  ])('is read from %j', (config, expected) => {
    expect(entryOf(config)).toEqual(expected);
  });
});

describe('exits', () => {
  const base = { trigger_price: 5, limit_price: 4, status: 'OPEN', filled_qty: 0 };
  const stop = { stoplossTriggerPrice: { value: 5 }, stoplossLimitPrice: { value: 4 } };
  const target = { targetProfitTriggerPrice: 9, targetProfitLimitPrice: 8 };
  it.each<[string, Json | undefined, object[]]>([
    ['nothing', undefined, []],
    ['an empty list', [], []],
    ['a list of what is none', [null, 'x'], []],
    ['an object', { stoplossParams: stop }, [{ ...base, kind: 'STOPLOSS' }]],
    ['an object in a list', [{ stoplossParams: stop }], [{ ...base, kind: 'STOPLOSS' }]],
    [
      'one with a jump',
      { stoplossParams: { ...stop, stoplossTrailJump: { value: 2 } } },
      [{ ...base, kind: 'TRAILING_STOP', trail_jump: 2 }],
    ],
    [
      'one that says that it trails, without a jump',
      { stoplossParams: { ...stop, kind: 'TRAILING_STOP' } },
      [{ ...base, kind: 'STOPLOSS' }],
    ],
    ['one that is switched off', { stoplossParams: { stoplossTriggerPrice: { disabled: true } } }, []],
    ['a target without a trigger', { targetParams: {} }, []],
    [
      'all',
      {
        stoplossParams: { ...stop, status: 'CANCELLED' },
        targetParams: { ...target, status: 'FILLED', filledQty: 10 },
        exitTime: 'T',
        exitTimeStatus: 'TRIGGERED',
        exitTimeFilledQty: 3,
      },
      [
        { ...base, kind: 'STOPLOSS', status: 'CANCELLED' },
        { kind: 'TARGET_PROFIT', trigger_price: 9, limit_price: 8, status: 'FILLED', filled_qty: 10 },
        {
          kind: 'EXIT_TIME',
          trigger_price: null,
          limit_price: null,
          exit_time: 'T',
          status: 'TRIGGERED',
          filled_qty: 3,
        },
      ],
    ],
    [
      'a list of them',
      [
        null,
        { kind: 'STOPLOSS', triggerPrice: { value: 5 }, limitPrice: 4, trailJump: 2, filledQty: 'x' },
        { kind: 'TARGET_PROFIT', triggerPrice: 9, limitPrice: 8, status: 'FILLED', filledQty: 10 },
        { kind: 'EXIT_TIME', exitTime: 'T', status: 7 },
      ],
      [
        { ...base, kind: 'TRAILING_STOP', trail_jump: 2 },
        { kind: 'TARGET_PROFIT', trigger_price: 9, limit_price: 8, status: 'FILLED', filled_qty: 10 },
        { kind: 'EXIT_TIME', trigger_price: null, limit_price: null, exit_time: 'T', status: 'OPEN', filled_qty: 0 },
      ],
    ],
    [
      'a list in which some have no kind',
      [
        { kind: 'TARGET_PROFIT', triggerPrice: 9, limitPrice: 8 },
        { triggerPrice: 5, limitPrice: 4 },
        { kind: null, triggerPrice: 5, limitPrice: 4, trailJump: 2 },
        { kind: '', exitTime: 'T' },
      ],
      [
        { ...base, kind: 'TARGET_PROFIT', trigger_price: 9, limit_price: 8 },
        { ...base, kind: 'UNKNOWN' },
        { ...base, kind: 'TRAILING_STOP', trail_jump: 2 },
        { ...base, kind: 'EXIT_TIME', trigger_price: null, limit_price: null, exit_time: 'T' },
      ],
    ],
    ['a list in which none has a kind', [{ triggerPrice: 5, limitPrice: 4 }], [{ ...base, kind: 'UNKNOWN' }]],
    ['a kind of another version', [{ kind: 'NEW', triggerPrice: 5, limitPrice: 4 }], [{ ...base, kind: 'NEW' }]],
  ])('are read from %s', (_, config, expected) => {
    expect(exitsIn(config)).toEqual(expected);
  });
});

describe('a time', () => {
  const AT = '2026-11-20T09:35:00.000Z';
  const ms = Date.parse(AT);
  it.each<[string, Json, string | undefined]>([
    ['text', AT, AT],
    ['seconds', ms / 1_000, AT],
    ['milliseconds', ms, AT],
    ['microseconds', ms * 1_000, AT],
    ['nanoseconds as text', `${ms}000000`, AT],
    ['a wrapper', { value: ms }, AT],
    ['a number that is no time', 7, '7'],
    ['what cannot be read', [ms], `[${ms}]`],
    ['nothing: 0', 0, undefined],
    ['nothing: switched off', { disabled: true }, undefined],
    ['nothing: null', null, undefined],
  ])('is read from %s', (_, time, expected) => {
    const shown = { exitTime: time, exitTimeStatus: 'OPEN' };
    const listed = [{ kind: 'EXIT_TIME', exitTime: time }];
    expect(exitsIn(shown).map(({ kind, exit_time: at }) => [kind, at])).toEqual(
      expected === undefined ? [] : [['EXIT_TIME', expected]],
    );
    expect(exitsIn(listed)[0]?.exit_time).toBe(expected);
    expect(entryOf({ entryTime: time }).time).toBe(expected ?? null);
  });
});
