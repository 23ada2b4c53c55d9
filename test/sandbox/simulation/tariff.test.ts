import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { USUAL_TARIFF } from '../../../sandbox/src/accounts/tariff';
import { tariffOf } from '../../../sandbox/src/simulation/tariff';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tariff-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function read(content: unknown) {
  const file = path.join(folder, 'tariff.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return tariffOf(file);
}

describe('--tariff FILE', () => {
  test('means the usual tariff where it is missing, or says nothing', () => {
    expect(tariffOf(undefined)).toBe(USUAL_TARIFF);
    expect(read({})).toEqual(USUAL_TARIFF);
  });

  test('takes the tariff of a discount broker: nothing for deliveries, a rate with a cap, an amount an order', () => {
    const tariff = read({
      brokerage: { delivery: { perOrder: 0 }, intraday: { percent: 0.03, atMost: 20 }, options: { percent: 0.25 } },
      depository: 15.34,
      interest: 18.25,
    });
    expect(tariff).toEqual({
      brokerage: {
        delivery: { perOrder: 0 },
        intraday: { perCrore: 3_000, cap: 2_000 },
        futures: USUAL_TARIFF.brokerage.futures,
        options: { perCrore: 25_000, cap: Number.MAX_SAFE_INTEGER },
      },
      depository: 1_534,
      interest: 1_825,
      statutory: true,
    });
  });

  test.each([
    ['no JSON', '{', /--tariff .*tariff\.json: .*JSON/],
    ['a list', [], /the tariff must be an object with brokerage, depository, interest/],
    ['null', null, /the tariff must be an object/],
    ['a word that it does not know', { brokrage: {} }, /the tariff has no "brokrage"/],
    ['a segment that it does not know', { brokerage: { equity: {} } }, /brokerage has no "equity"/],
    ['both forms at once', { brokerage: { futures: { percent: 1, perOrder: 20 } } }, /brokerage\.futures must be \{/],
    ['neither form', { brokerage: { futures: { atMost: 20 } } }, /brokerage\.futures must be \{/],
    ['a number as text', { interest: '18' }, /interest must be a number from 0 to 100 with at most 2 decimals/],
    ['less than nothing', { depository: -1 }, /depository must be a number from 0/],
    ['half a paisa', { depository: 13.005 }, /depository must be a number .* at most 2 decimals/],
    [
      'too much',
      { brokerage: { delivery: { percent: 11 } } },
      /brokerage\.delivery\.percent must be a number from 0 to 10/,
    ],
  ])('refuses %s', (_what, content, said) => {
    expect(() => read(content)).toThrow(said);
  });

  test('refuses a file that is not there', () => {
    expect(() => tariffOf(path.join(folder, 'none.json'))).toThrow(/--tariff .*none\.json: ENOENT/);
  });
});
