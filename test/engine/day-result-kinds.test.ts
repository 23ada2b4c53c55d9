/**
 * The result of a day by kind of position, against what follows from trades, prices of the previous close and prices now alone
 * (docs/sandbox.md#the-result-of-a-day).
 */
import type { Instrument } from '../../sandbox/src/market/reference/types';
import { TEST_START } from '../support/sandbox';
import { Day } from './day-result-support';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

/** One thing that an account has over a day: its quantity and price (paise) as the day began, after any split. */
interface HeldShares {
  instrument: Instrument;
  quantity: number;
  price: number;
}

/** Value of a quantity at a price, paise: a commodity's lot is worth its multiplier. */
function worth({ exchange, lotSize, lotMultiplier }: Instrument, price: number, quantity: number): number {
  return exchange === 'MCX' ? (price * quantity * lotMultiplier) / lotSize : price * quantity;
}

/** A settlement without a trade: the paise that it brought, and the units that it took. */
interface SettlementEntry {
  refId: number;
  quantity: number;
  value: number;
}

/**
 * The result of a day: what is there at its end, and what was sold, less what was there and what was bought, less every charge.
 * @param priceOf prices at the end of the day, or now
 */
function expected(
  day: Day,
  held: readonly HeldShares[],
  settlements: readonly SettlementEntry[] = [],
  date = day.today,
  priceOf: (instrument: Instrument) => number = (instrument) => day.world.lastPrice(instrument),
): number {
  const { world, account } = day;
  const open = new Map(held.map(({ instrument, quantity }) => [instrument.refId, quantity]));
  let sum = 0;
  for (const { instrument, quantity, price } of held) sum -= worth(instrument, price, quantity);
  for (const { trade, charges, date: tradedOn } of world.accounts.trades(account)) {
    if (tradedOn !== date) continue;
    const bought = trade.side === 'BUY' ? trade.quantity : -trade.quantity;
    open.set(trade.refId, (open.get(trade.refId) ?? 0) + bought);
    sum -= worth(world.instrument(trade.refId)!, trade.price, bought);
    for (const part of Object.values(charges)) sum -= part;
  }
  for (const { refId, quantity, value } of settlements) {
    open.set(refId, (open.get(refId) ?? 0) - quantity);
    sum += value;
  }
  for (const [refId, quantity] of open) {
    const instrument = world.instrument(refId)!;
    if (quantity !== 0) sum += worth(instrument, priceOf(instrument), quantity);
  }
  for (const { kind, date: bookedOn, amount } of world.accounts.ledger(account))
    if (bookedOn === date && (kind === 'DEPOSITORY' || kind === 'EXERCISE_TAX')) sum += amount;
  return sum;
}

const OPEN = { hours: 'exchange', start: '2026-11-19T10:30:00+05:30', orderInterface: 'v2' } as const;
const closeOf = (day: Day, instrument: Instrument): number =>
  day.world.market.previousClose(instrument, day.sandbox.running.sandbox.instant);

/** The holdings with which the account begins. */
function begun(day: Day): HeldShares[] {
  const { world, account } = day;
  return world.accounts.holdings(account).map(({ refId, quantity, t1Quantity }) => {
    const instrument = world.instrument(refId)!;
    return { instrument, quantity: quantity + t1Quantity, price: closeOf(day, instrument) };
  });
}

async function inDay(options: Parameters<typeof Day.begin>[0], work: (day: Day) => Promise<void>): Promise<void> {
  const day = await Day.begin(options);
  try {
    await work(day);
  } finally {
    await day.sandbox.close();
  }
}

describe('By prices and trades alone the result of a day', () => {
  it('is right for a future that was carried over, sold in part and turned short', async () =>
    await inDay(OPEN, async (day) => {
      const [future] = day.world.universe().futures('NSE', 'NIFTY');
      const lot = future!.lotSize;
      await day.order(future!.refId, 'BUY', 2 * lot, 'CNC');
      expect(await day.agrees()).toBe(expected(day, begun(day)));
      await day.pass('P1D');
      const held = [...begun(day), { instrument: future!, quantity: 2 * lot, price: closeOf(day, future!) }];
      expect(await day.agrees()).toBe(expected(day, held));
      await day.order(future!.refId, 'SELL', lot, 'CNC');
      expect(await day.agrees()).toBe(expected(day, held));
      await day.order(future!.refId, 'SELL', 2 * lot, 'CNC');
      expect(await day.agrees()).toBe(expected(day, held));
    }));

  it('is right for a commodity whose lot is not one unit of its price', async () =>
    await inDay(OPEN, async (day) => {
      const [gold] = day.world.universe().futures('MCX', 'GOLD');
      const lot = gold!.lotSize;
      await day.order(gold!.refId, 'SELL', lot, 'CNC');
      expect(await day.agrees()).toBe(expected(day, begun(day)));
      await day.pass('P1D');
      const held = [...begun(day), { instrument: gold!, quantity: -lot, price: closeOf(day, gold!) }];
      expect(await day.agrees()).toBe(expected(day, held));
      await day.order(gold!.refId, 'BUY', lot, 'CNC');
      expect(await day.agrees()).toBe(expected(day, held));
    }));

  it('is right for a share that is bought on one exchange and sold on the other', async () =>
    await inDay(OPEN, async (day) => {
      const [nse, bse] = ['NSE', 'BSE'].map((exchange) => day.world.universe().bySymbol(exchange as 'NSE', 'SBIN')!);
      await day.order(nse!.refId, 'BUY', 50, 'CNC');
      await day.order(bse!.refId, 'BUY', 30, 'CNC');
      await day.pass('P1D');
      const held = begun(day);
      await day.agrees();
      await day.order(bse!.refId, 'SELL', 60, 'CNC');
      const shown = await day.agrees();
      // Both listings are one share: what is still held counts at the price of the listing that has it.
      const other = expected(day, held);
      const apart =
        80 * Math.abs(closeOf(day, nse!) - closeOf(day, bse!)) +
        80 * Math.abs(day.world.lastPrice(nse!) - day.world.lastPrice(bse!));
      expect(Math.abs(shown - other)).toBeLessThanOrEqual(apart);
    }));

  it.each([
    ['a bonus', { kind: 'bonus', issued: 1, held: 1 }],
    ['a split', { kind: 'split', from: 10, to: 2 }],
    ['a dividend', { kind: 'dividend', per_share: 10 }],
  ] as const)(
    'is right for a holding on the day of %s',
    async (_what, action) =>
      await inDay(OPEN, async (day) => {
        const share = day.world.universe().bySymbol('NSE', 'INFY')!;
        await day.sandbox.control('POST', 'corporate-actions', { ...action, symbol: 'INFY' });
        await day.pass('P1D');
        const held = begun(day);
        expect(held.some(({ instrument }) => instrument.refId === share.refId)).toBe(true);
        expect(await day.agrees()).toBe(expected(day, held));
        await day.order(share.refId, 'SELL', 3, 'CNC');
        expect(await day.agrees()).toBe(expected(day, held));
      }),
  );

  it.each(['BUY', 'SELL'] as const)(
    'is right for an option that expires in the money after a %s',
    async (side) =>
      // The option expires on the next trading day, which is a Monday.
      await inDay({ ...OPEN, start: TEST_START }, async (day) => {
        const universe = day.world.universe();
        const index = universe.bySymbol('NSE', 'NIFTY')!;
        const { ce } = universe.options('NSE', 'NIFTY', universe.expiries('NSE', 'NIFTY')[0]!);
        const price = day.world.lastPrice(index) * 0.98;
        const call = [...ce].sort((a, b) => Math.abs(a.strikePrice - price) - Math.abs(b.strikePrice - price))[0]!;
        await day.order(call.refId, side, call.lotSize, 'CNC');
        await day.pass('P3D');
        const sign = side === 'BUY' ? 1 : -1;
        const [position] = day.world.accounts.positions(day.account);
        const close = closeOf(day, call);
        const held = [...begun(day), { instrument: call, quantity: sign * call.lotSize, price: close }];
        const apart = close * position!.openQuantity - position!.openValue;
        expect(await day.agrees({ apart })).toBe(expected(day, held));
        // It is settled when the day ends, by the official close of the index.
        const date = day.today;
        await day.pass('P1D');
        const entries = day.world.accounts.ledger(day.account);
        const entry = entries.find(({ text }) => text.includes('expired, settled at'));
        expect(entry!.date).toBe(date);
        const value = call.lotSize * Math.max(0, closeOf(day, index) - call.strikePrice);
        expect(entry!.amount).toBe(sign * value);
        expect(value).toBeGreaterThan(0);
        const taxed = entries.some(({ kind }) => kind === 'EXERCISE_TAX');
        expect(taxed).toBe(side === 'BUY');
        const { result, held_before } = await day.equity(date, date);
        const settlements = [{ refId: call.refId, quantity: sign * call.lotSize, value: sign * value }];
        expect(result + held_before).toBe(expected(day, held, settlements, date, (of) => closeOf(day, of)));
        expect(await day.agrees()).toBe(expected(day, begun(day)));
      }),
  );
});
