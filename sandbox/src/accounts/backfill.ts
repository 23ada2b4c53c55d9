/**
 * The months before the sandbox starts: purchases and sales of an account at prices that the market really had. So last month's
 * statements are not empty. They end with the cash with which the account begins, to the paisa.
 */
import type { Product, Side, Trade } from '../shared/orders';
import type { Calendar, Instrument } from '../market/reference/types';
import { istDate, istInstant } from '../shared/time';
import type { Accounts } from './types';

export interface AccountHistoryDeps {
  accounts: Accounts;
  calendar: Pick<Calendar, 'isTradingDay'>;
  /** Market price at an instant, paise. */
  price(instrument: Instrument, at: number): number;
  /** Uniform in [0, 1). */
  random(): number;
}

export interface AccountHistoryPlan {
  account: string;
  /** Cash at the end, paise. */
  funds: number;
  /** Holdings of the account at the end, settled. */
  holdings: readonly { instrument: Instrument; quantity: number; averagePrice: number }[];
  /** Other shares that it bought and sold again. */
  shares: readonly Instrument[];
  /** A future to trade within the day now and then; its contract must have been open for a month. */
  future?: Instrument | undefined;
  /** The sandbox's start, milliseconds. The history ends on the day before. */
  until: number;
  /** Calendar days it goes back. */
  days: number;
}

const DAY = 86_400_000;
const MINUTE = 60_000;
const OPENS = '09:15';
const END_OF_DAY = '23:59:30';
/** The ledger starts with so much more than the account ends with; what is over is paid out on the last day. */
const START_FUNDS = 150_000_000;
/** The holdings were bought before the history begins, and a fifth more of each, which is sold in its course. */
const HELD_BEFORE_DAYS = 420;
const SOLD_SHARE = 5;
const DIVIDEND_EVERY = 12;
const FUTURES_DAYS = 28;
/** Number of trading days before the end on which a future is bought; the next number is that of its sale. */
const CARRIED_FROM = 10;
const CARRIED_DAYS = 5;

/** Writes the history of one account; identifiers of its orders and trades begin at `firstId`. @returns the next free one. */
export function writeAccountHistory(deps: AccountHistoryDeps, plan: AccountHistoryPlan, firstId: bigint): bigint {
  const dates = Array.from({ length: plan.days }, (_, index) => istDate(plan.until - (plan.days - index) * DAY));
  const tradingDays = dates.filter((date) => deps.calendar.isTradingDay('NSE', date));
  const writer = new Writer(deps, plan, firstId, tradingDays);
  writer.open(dates[0]!);
  for (const date of tradingDays) {
    const end = istInstant(date, END_OF_DAY);
    writer.day(date);
    if (date === tradingDays.at(-1)) settleCash(deps.accounts, plan, end);
    deps.accounts.endOfDay(date, end);
  }
  return writer.nextId;
}

/** Pays in or out what brings the cash to its opening figure. */
function settleCash(accounts: Accounts, { account, funds }: AccountHistoryPlan, at: number): void {
  const answer = accounts.addFunds(account, funds - accounts.funds(account).cash, at);
  if (!answer.ok) throw new Error(`the history of ${account} cannot end with its opening funds: ${answer.text}`);
}

class Writer {
  /** Deeds of the day that is being written, each with its time. */
  private agenda: { at: number; run: () => void }[] = [];
  /** Shares that were bought to be sold again on a later day. */
  private swings: { share: Instrument; quantity: number; sellOn: string }[] = [];

  constructor(
    private readonly deps: AccountHistoryDeps,
    private readonly plan: AccountHistoryPlan,
    public nextId: bigint,
    private readonly tradingDays: readonly string[],
  ) {}

  open(date: string): void {
    const { accounts } = this.deps;
    const bought = istDate(istInstant(date, OPENS) - HELD_BEFORE_DAYS * DAY);
    accounts.open(
      this.plan.account,
      {
        funds: this.plan.funds + START_FUNDS,
        holdings: this.plan.holdings.map(({ instrument, quantity, averagePrice }) => ({
          refId: instrument.refId,
          quantity: quantity + Math.floor(quantity / SOLD_SHARE),
          averagePrice,
          date: bought,
        })),
      },
      istInstant(date, '09:00'),
    );
  }

  day(date: string): void {
    const number = this.tradingDays.indexOf(date);
    const left = this.tradingDays.length - 1 - number;
    // Nothing is delivered on the last day, whose charges would come after the cash was brought to its opening figure.
    for (const swing of this.swings.filter(({ sellOn }) => left <= 1 || sellOn <= date)) {
      this.trade(swing.share, 'SELL', 'CNC', swing.quantity, this.moment(date, 30, 330));
      this.swings = this.swings.filter((item) => item !== swing);
    }
    const every = Math.max(1, Math.floor(this.tradingDays.length / (this.plan.holdings.length + 1)));
    const sold = number % every === every - 1 ? this.plan.holdings[Math.floor(number / every)] : undefined;
    if (sold && left > 0)
      this.trade(sold.instrument, 'SELL', 'CNC', Math.floor(sold.quantity / SOLD_SHARE), this.moment(date, 60, 300));
    if (number % DIVIDEND_EVERY === DIVIDEND_EVERY - 5) this.dividend(date);
    if (left > 1) this.newTrades(date, number);
    if (number === this.tradingDays.length - CARRIED_FROM) this.carryFuture(date, number);
    for (const { run } of this.agenda.sort((a, b) => a.at - b.at)) run();
    this.agenda = [];
  }

  private newTrades(date: string, number: number): void {
    const { random } = this.deps;
    const what = random();
    if (what < 0.35) {
      const share = this.pick();
      const at = this.moment(date, 5, 300);
      const quantity = this.quantity(share, at, 15_000 + random() * 60_000);
      this.trade(share, 'BUY', 'CNC', quantity, at);
      const sellOn = this.tradingDays[Math.min(this.tradingDays.length - 1, number + 1 + Math.floor(random() * 12))]!;
      this.swings.push({ share, quantity, sellOn });
    } else if (what < 0.7) {
      const share = this.pick();
      const at = this.moment(date, 5, 120);
      const quantity = this.quantity(share, at, 50_000 + random() * 150_000);
      const long = random() < 0.6;
      this.trade(share, long ? 'BUY' : 'SELL', 'IDAY', quantity, at);
      this.trade(share, long ? 'SELL' : 'BUY', 'IDAY', quantity, this.moment(date, 150, 340));
    } else if (what < 0.8 && this.plan.future && istInstant(date, OPENS) > this.plan.until - FUTURES_DAYS * DAY) {
      const { future } = this.plan;
      this.trade(future, 'BUY', 'IDAY', future.lotSize, this.moment(date, 5, 100));
      this.trade(future, 'SELL', 'IDAY', future.lotSize, this.moment(date, 150, 340));
    }
  }

  /** A future held for some days: marked to market every evening, an open position on the statements of these days. */
  private carryFuture(date: string, number: number): void {
    const { future } = this.plan;
    const sellOn = this.tradingDays[number + CARRIED_DAYS];
    if (!future || !sellOn) return;
    this.trade(future, 'BUY', 'CNC', future.lotSize, this.moment(date, 5, 300));
    this.swings.push({ share: future, quantity: future.lotSize, sellOn });
  }

  private dividend(date: string): void {
    const paid = this.plan.holdings[Math.floor(this.deps.random() * this.plan.holdings.length)];
    const paise = 200 + Math.floor(this.deps.random() * 17) * 50;
    const at = istInstant(date, '11:00');
    if (paid)
      this.agenda.push({
        at,
        run: () => this.deps.accounts.dividend(this.plan.account, paid.instrument.refId, paise, at),
      });
  }

  /** Has a quantity traded at an instant. */
  private trade(instrument: Instrument, side: Side, product: Product, quantity: number, at: number): void {
    this.agenda.push({ at, run: () => this.execute(instrument, side, product, quantity, at) });
  }

  /** Trades a quantity at the market's price, now and then in two parts of whole lots. */
  private execute(instrument: Instrument, side: Side, product: Product, quantity: number, at: number): void {
    const { accounts, random } = this.deps;
    const orderId = this.nextId++;
    const third = Math.floor(quantity / 3 / instrument.lotSize) * instrument.lotSize;
    const first = quantity >= 20 && random() < 0.3 && third > 0 ? third : quantity;
    for (const part of first === quantity ? [quantity] : [first, quantity - first]) {
      const nanoseconds = BigInt(at) * 1_000_000n + BigInt(Math.floor((random() + (part === first ? 0 : 1)) * 500_000));
      const trade: Trade = {
        id: this.nextId++,
        orderId,
        account: this.plan.account,
        refId: instrument.refId,
        side,
        product,
        price: this.price(instrument, at),
        quantity: part,
        at: nanoseconds,
      };
      accounts.trade(trade, at);
    }
  }

  private price(instrument: Instrument, at: number): number {
    const { tickSize } = instrument;
    return Math.max(tickSize, Math.round(this.deps.price(instrument, at) / tickSize) * tickSize);
  }

  private quantity(instrument: Instrument, at: number, rupees: number): number {
    return Math.max(1, Math.floor((rupees * 100) / this.price(instrument, at)));
  }

  /** The first shares of the plan more often than the last. */
  private pick(): Instrument {
    return this.plan.shares[Math.floor(this.deps.random() ** 1.5 * this.plan.shares.length)]!;
  }

  /** A moment between two minutes of the session. */
  private moment(date: string, from: number, to: number): number {
    return istInstant(date, OPENS) + Math.floor((from + this.deps.random() * (to - from)) * MINUTE);
  }
}
