/**
 * Worth of an account through a corporate action, counted by the program of this file from cash, quantities and prices: nothing
 * is gained or lost but charges and what the market does.
 */
import { describe, expect, test } from '@jest/globals';
import type { NewIntent } from '../../../../sandbox/src/exchange/strategies/types';
import type { CorporateActionTerms } from '../../../../sandbox/src/shared/corporate-actions';
import { marketOrder } from '../../../support/in-process';
import { ACCOUNT, at, begin, EX, MIDNIGHT, type Begun } from './support';
import { AT_THE_MARKET } from '../../../support/basketing';
import { intent } from '../../../support/intents';
import { share as shareOf } from '../../../support/sample';

const HELD = 71;
const MINUTE = 60_000;
const CHARGES = new Set(['CHARGES', 'EXERCISE_TAX', 'DEPOSITORY', 'AUCTION_PENALTY', 'INTEREST']);

/** Property at an instant: cash, and quantity and price of each instrument, paise. */
interface Worth {
  cash: number;
  /** By ref_id; a share that is listed twice counts once. Futures are carried at what they cost. */
  owned: Map<number, { quantity: number; price: number; cost: number; tick: number }>;
}

/** Shares that are held, and one of each of the contracts on them, through orders and strategies that have exits. */
const WAYS = {
  intents({ world, share, go, sandbox }: Begun, contracts: Contracts): void {
    const far = { stop: null, target: { trigger: 9_000_000, limit: 9_000_000 }, time: null };
    const goodTill = at('2026-11-24', '12:00');
    const terms = intent({ account: ACCOUNT, validity: 'GTE', price: 0, goodTill, tag: 'held', echo: '' });
    const { future, call, put } = contracts;
    const place = (more: Partial<NewIntent>): void => {
      const placed = world.placeIntent({ ...terms, ...more }, false);
      if (!placed.ok) throw new Error(placed.text);
    };
    const last = world.lastPrice(share());
    const stop = {
      trigger: Math.round((last * 0.4) / 10) * 10,
      limit: Math.round((last * 0.39) / 10) * 10,
      jump: null,
    };
    const price = Math.round((last * 1.01) / 10) * 10;
    place({ legs: [{ refId: share().refId, unit: 1 }], quantity: 33, price, exits: { ...far, target: null, stop } });
    const legs = [
      { refId: future.refId, unit: 1 },
      { refId: put.refId, unit: 1 },
      { refId: call.refId, unit: -1 },
    ];
    const strategy = { multi: true, priceType: 'MARKET', validity: 'IOC', goodTill: null } as const;
    place({ ...strategy, legs, quantity: future.lotSize, exits: far });
    go(sandbox.instant + MINUTE);
  },
  'the older interface'({ world, share, go, sandbox }: Begun, { future, call, put }: Contracts): void {
    const order = { account: ACCOUNT, side: 'BUY', product: 'CNC' } as const;
    world.placeOrder(marketOrder({ ...order, refId: share().refId, quantity: 33 }));
    const basket = (legs: { refId: number; quantity: number; side: 'BUY' | 'SELL' }[], name: string): void => {
      const placed = world.placeBasket({
        account: ACCOUNT,
        name,
        side: 'BUY',
        exchange: 'NSE',
        legs,
        product: 'CNC',
        ...AT_THE_MARKET,
        targetPrice: 9_000_000,
        tag: 'held',
      });
      if (!placed.ok) throw new Error(placed.text);
    };
    const quantity = future.lotSize;
    const leg = (refId: number, side: 'BUY' | 'SELL') => ({ refId, quantity, side });
    basket([leg(future.refId, 'BUY'), leg(put.refId, 'BUY'), leg(call.refId, 'SELL')], 'covered');
    go(sandbox.instant + MINUTE);
  },
} as const;

type Contracts = ReturnType<typeof contractsOf>;

function contractsOf({ world, share }: Begun) {
  const universe = world.universe();
  const { symbol } = share();
  const last = world.lastPrice(share());
  const { ce, pe } = universe.options('NSE', symbol, universe.expiries('NSE', symbol)[0]!);
  const near = [...ce, ...pe].sort((a, b) => Math.abs(a.strikePrice - last) - Math.abs(b.strikePrice - last));
  const nearest = (type: 'CE' | 'PE') => near.find(({ optionType }) => optionType === type)!;
  return { future: universe.futures('NSE', symbol)[0]!, call: nearest('CE'), put: nearest('PE') };
}

function worthOf({ world }: Begun): Worth {
  const owned: Worth['owned'] = new Map();
  const add = (refId: number, quantity: number, cost: number): void => {
    const instrument = world.instrument(refId)!;
    const [first] = Object.values(world.listings(instrument)).sort((a, b) => a - b);
    const known = owned.get(first ?? refId);
    const price = known?.price ?? world.lastPrice(instrument);
    const all = { quantity: (known?.quantity ?? 0) + quantity, cost: (known?.cost ?? 0) + cost };
    owned.set(first ?? refId, { ...all, price, tick: instrument.tickSize });
  };
  for (const { refId, quantity, t1Quantity } of world.accounts.holdings(ACCOUNT)) add(refId, quantity + t1Quantity, 0);
  for (const { refId, openQuantity, openValue } of world.accounts.positions(ACCOUNT))
    if (openQuantity !== 0) add(refId, openQuantity, world.instrument(refId)!.derivativeType === 'FUT' ? openValue : 0);
  return { cash: world.accounts.funds(ACCOUNT).cash, owned };
}

const equityOf = ({ cash, owned }: Worth): number =>
  [...owned.values()].reduce((sum, { quantity, price, cost }) => sum + quantity * price - cost, cash);

/** Gain of what was owned, by the prices of two instants between which quantities stayed. */
const marketBetween = (before: Worth, after: Worth): number =>
  [...before.owned].reduce((sum, [refId, { quantity, price }]) => {
    const now = after.owned.get(refId)!;
    expect(now.quantity).toBe(quantity);
    return sum + quantity * (now.price - price);
  }, 0);

/** The most that prices and strikes on their ticks can be from what they would be, for all that a price has changed of. */
const roundings = (before: Worth, after: Worth): number =>
  [...after.owned].reduce((sum, [refId, { quantity, price, tick }]) => {
    const was = before.owned.get(refId)!;
    return was.quantity === quantity && was.price === price ? sum : sum + Math.abs(quantity) * tick;
  }, 0);

const ACTIONS: Record<string, CorporateActionTerms> = {
  'a split': { kind: 'split', from: 10, to: 2 },
  'a bonus': { kind: 'bonus', issued: 1, held: 1 },
  'a bonus that leaves a fraction': { kind: 'bonus', issued: 1, held: 2 },
  'an extraordinary dividend': { kind: 'dividend', perShare: 15_000 },
  'a dividend': { kind: 'dividend', perShare: 1_000 },
};

const ways = Object.keys(WAYS) as (keyof typeof WAYS)[];

describe.each(ways)('what is held through an ex-date, by %s', (way) => {
  test.each(shareOf(Object.keys(ACTIONS), ways.length, ways.indexOf(way)))('%s', (name) => {
    const begun = begin('exchange', '15:00');
    const { world, go, share } = begun;
    const { refId } = share();
    const action = ACTIONS[name]!;
    world.trade.addFunds(ACCOUNT, 1_000_000_000);
    world.trade.setHolding(ACCOUNT, refId, HELD, 130_013);
    world.trade.pledge(ACCOUNT, refId, 10);
    const contracts = contractsOf(begun);
    WAYS[way](begun, contracts);
    world.announceCorporateAction({ ...action, refId, exDate: EX });
    const ledgerOf = (kind: (kind: string) => boolean, from: number): number =>
      world.accounts
        .ledger(ACCOUNT)
        .slice(from)
        .reduce((sum, entry) => sum + (kind(entry.kind) ? entry.amount : 0), 0);
    const isCharge = (kind: string): boolean => CHARGES.has(kind);
    const held = worthOf(begun);
    expect([...held.owned.values()].map(({ quantity }) => quantity)).toEqual(
      expect.arrayContaining([HELD + 33, contracts.future.lotSize, -contracts.future.lotSize]),
    );
    let entries = world.accounts.ledger(ACCOUNT).length;

    go(MIDNIGHT - 1);
    const before = worthOf(begun);
    expect(equityOf(before) - equityOf(held)).toBe(marketBetween(held, before) + ledgerOf(isCharge, entries));

    entries = world.accounts.ledger(ACCOUNT).length;
    go(MIDNIGHT);
    const after = worthOf(begun);
    const taxes = ledgerOf((kind) => kind === 'TDS', entries);
    // The company deducts a tenth of all that it has paid in the financial year, once that is more than Rs 10,000.
    const paid = world.accounts
      .ledger(ACCOUNT)
      .filter(({ kind, date, text }) => kind === 'DIVIDEND' && date >= '2026-04-01' && text.includes('RELIANCE'))
      .reduce((sum, { amount }) => sum + amount, 0);
    expect(taxes).toBe(paid > 1_000_000 ? -paid / 10 : 0);
    expect(Math.abs(equityOf(after) - equityOf(before) - taxes)).toBeLessThanOrEqual(roundings(before, after));

    entries = world.accounts.ledger(ACCOUNT).length;
    go(at(EX, '09:17'));
    const later = worthOf(begun);
    expect(equityOf(later) - equityOf(after)).toBe(marketBetween(after, later) + ledgerOf(isCharge, entries));
  });
});
