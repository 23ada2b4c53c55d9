/**
 * The months before the sandbox starts: what an account bought and sold, at prices the market really had, so that last
 * month's statements have something to say. It ends with the cash the account is to begin with, to the paisa.
 */
import type { Product, Side, Trade } from '../exchange/types';
import type { Calendar, Instrument } from '../market/types';
import { istDate, istInstant } from './day';
import type { Accounts } from './types';

export interface HistoryDeps {
  accounts: Accounts;
  calendar: Pick<Calendar, 'isTradingDay'>;
  /** Market price at an instant, paise. */
  price(instrument: Instrument, at: number): number;
  /** Uniform in [0, 1). */
  random(): number;
}

export interface HistoryPlan {
  account: string;
  /** Cash at the end, paise. */
  funds: number;
  /** Shares to invest in, the first ones most. */
  shares: readonly Instrument[];
  /** A future to trade now and then; its contract must have been open for a month. */
  future?: Instrument;
  /** The sandbox's start, milliseconds. The history ends on the day before. */
  until: number;
  /** Calendar days it goes back. */
  days: number;
}

const DAY = 86_400_000;
const END_OF_DAY = '23:59:30';
/** The ledger starts with so much more than the account will end with. */
const START_FUNDS = 150_000_000;
const DIVIDEND_EVERY = 37;

/** Writes the history of one account; its trades' identifiers begin at `firstId`. @returns how many identifiers it used. */
export function writeHistory(deps: HistoryDeps, plan: HistoryPlan, firstId: bigint): bigint {
  const { accounts, calendar, random } = deps;
  const first = plan.until - plan.days * DAY;
  const today = istDate(plan.until);
  let id = firstId;

  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() ** 1.5 * items.length)]!;
  const quantityFor = (instrument: Instrument, at: number, rupees: number) => Math.max(1, Math.floor((rupees * 100) / deps.price(instrument, at)));

  const trade = (instrument: Instrument, side: Side, product: Product, quantity: number, at: number) => {
    if (quantity === 0) return;
    const price = onTick(deps.price(instrument, at), instrument.tickSize);
    const orderId = id++;
    const parts = quantity >= 20 && random() < 0.3 ? [Math.floor(quantity / 3), quantity - Math.floor(quantity / 3)] : [quantity];
    for (const part of parts) {
      const one: Trade = { id: id++, orderId, account: plan.account, refId: instrument.refId, side, product, price, quantity: part, at: BigInt(at) * 1_000_000n + BigInt(Math.floor(random() * 1_000_000)) };
      accounts.trade(one, at);
    }
  };

  const tradingDay = (date: string, number: number) => {
    const at = (from: number, to: number) => istInstant(date, '09:15') + Math.floor((from + random() * (to - from)) * 60_000);
    const what = random();
    if (what < 0.3 || number < 3) {
      const share = pick(plan.shares);
      const when = at(5, 300);
      trade(share, 'BUY', 'CNC', quantityFor(share, when, 15_000 + random() * 60_000), when);
    } else if (what < 0.42) {
      const free = accounts.holdings(plan.account).filter(({ quantity }) => quantity > 1);
      const holding = free.length > 0 ? pick(free) : undefined;
      const share = holding && plan.shares.find(({ refId }) => refId === holding.refId);
      if (holding && share) trade(share, 'SELL', 'CNC', Math.max(1, Math.floor(holding.quantity * 0.4)), at(60, 330));
    } else if (what < 0.7) {
      const share = pick(plan.shares);
      const start = at(5, 120);
      const quantity = quantityFor(share, start, 50_000 + random() * 150_000);
      const long = random() < 0.6;
      trade(share, long ? 'BUY' : 'SELL', 'IDAY', quantity, start);
      trade(share, long ? 'SELL' : 'BUY', 'IDAY', quantity, at(150, 340));
    } else if (what < 0.8 && plan.future && (Date.parse(today) - Date.parse(date)) / DAY < 30) {
      trade(plan.future, 'BUY', 'IDAY', plan.future.lotSize, at(5, 100));
      trade(plan.future, 'SELL', 'IDAY', plan.future.lotSize, at(150, 340));
    }
  };

  let number = 0;
  for (let at = istInstant(istDate(first), END_OF_DAY); istDate(at) < today; at += DAY) {
    const date = istDate(at);
    if (!accounts.has(plan.account)) accounts.open(plan.account, opening(deps, plan, at), istInstant(date, '09:00'));
    if (calendar.isTradingDay('NSE', date)) {
      tradingDay(date, number);
      number += 1;
      if (number % DIVIDEND_EVERY === 0) {
        const paid = accounts.holdings(plan.account)[0];
        if (paid) accounts.dividend(plan.account, paid.refId, 100 + Math.floor(random() * 19) * 50, at);
      }
    }
    if (istDate(at + DAY) === today) accounts.addFunds(plan.account, plan.funds - accounts.funds(plan.account).cash, at);
    accounts.endOfDay(date, at);
  }
  return id - firstId;
}

/** A few shares were there before the history begins, bought at what they cost more than a year earlier. */
function opening({ price }: HistoryDeps, plan: HistoryPlan, at: number) {
  const earlier = at - 400 * DAY;
  return {
    funds: plan.funds + START_FUNDS,
    holdings: plan.shares.slice(0, 4).map((share, index) => ({
      refId: share.refId,
      quantity: [60, 45, 80, 25][index]!,
      averagePrice: onTick(price(share, earlier), share.tickSize),
      date: istDate(earlier),
    })),
  };
}

function onTick(price: number, tick: number): number {
  return Math.max(tick, Math.round(price / tick) * tick);
}
