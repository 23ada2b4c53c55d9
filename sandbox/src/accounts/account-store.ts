/** The accounts and sources that the parts of the accounts share: the state, the instant, instruments and the day's fixed prices. */
import { NO_TAXES } from './charges';
import { HAIRCUTS } from './data/margins';
import { type Tariff, USUAL_TARIFF } from './tariff';
import { settledBy } from '../market/reference/instrument-class';
import type { ExchangeCode, Instrument } from '../market/reference/types';
import { effectiveOn } from '../shared/effective-date';
import { istDate } from '../shared/time';
import { requireExact } from '../shared/money';
import { quantityOf } from './lots';
import type { AccountsDeps } from './types';
import type { AccountsState, AccountState, HoldingState, PositionState } from './state';
import type { Product } from '../shared/orders';
import type { LedgerKind, LedgerEntry } from './records';

export class AccountStore {
  /** The instant of the prices that are shown: never before `state.now`, and no part of the state. */
  private shownAt: number;
  /** Previous closes of the day of `state.now`. */
  private readonly dayCloses = new Map<number, number>();
  private readonly dayListings = new Map<number, readonly number[]>();
  /** Trading days from the date that is shown until others, by exchange, date and the most that was asked for. */
  private readonly dayDistances = new Map<string, number>();

  constructor(
    readonly deps: AccountsDeps,
    readonly state: AccountsState,
    private readonly onNewDay: () => void,
  ) {
    this.shownAt = state.now;
  }

  get tariff(): Tariff {
    return this.deps.tariff ?? USUAL_TARIFF;
  }

  get date(): string {
    return istDate(this.shownAt);
  }

  /** Moves on to an instant; a new date brings new closes and perhaps new tables. Time never runs backwards. */
  moveTo(at: number): void {
    this.state.now = Math.max(this.state.now, at);
    this.showAt(at);
  }

  /** Uses the prices of an instant without anything having happened then. */
  showAt(at: number): void {
    if (at <= this.shownAt) return;
    const newDay = istDate(at) !== this.date;
    this.shownAt = at;
    if (!newDay) return;
    this.dayCloses.clear();
    this.dayListings.clear();
    this.dayDistances.clear();
    this.onNewDay();
  }

  account(id: string): AccountState {
    const account = this.state.accounts.get(id);
    if (!account) throw new Error(`there is no account ${id}`);
    return account;
  }

  /** @throws when neither the universe nor the books know the instrument. */
  instrument(refId: number): Instrument {
    const instrument = this.knownInstrument(refId);
    if (!instrument) throw new Error(`there is no instrument with ref_id ${refId}`);
    return instrument;
  }

  knownInstrument(refId: number): Instrument | undefined {
    const cachedInstrument = this.state.instruments.get(refId);
    if (cachedInstrument) return cachedInstrument;
    const instrument = this.deps.instrument(refId, this.shownAt);
    if (instrument) this.state.instruments.set(refId, instrument);
    return instrument;
  }

  /** Takes over the present terms of shares and their contracts. Expired contracts keep their terms. */
  relist(shares: readonly number[]): void {
    for (const { refId, underlyingRefId } of this.state.instruments.values()) {
      const fresh = shares.includes(underlyingRefId ?? refId) ? this.deps.instrument(refId, this.shownAt) : undefined;
      if (fresh) this.state.instruments.set(refId, fresh);
    }
    this.dayCloses.clear();
  }

  /** Previous close of an instrument, fixed for the day, paise. */
  close(refId: number): number {
    const known = this.dayCloses.get(refId);
    if (known !== undefined) return known;
    const close = this.deps.previousClose(this.instrument(refId), this.shownAt);
    this.dayCloses.set(refId, close);
    return close;
  }

  /** Last price of an instrument, paise. */
  lastPrice(instrument: Instrument): number {
    return this.deps.lastPrice(instrument, this.shownAt);
  }

  /** The underlying's price that an option's margin starts from: its last price, or the strike when it has none. */
  readonly underlying = (option: Instrument): number => this.underlyings()(option);

  /** The same for many options at one instant: each underlying is priced once, as an index is the sum of its members. */
  underlyings(): (option: Instrument) => number {
    const prices = new Map<number, number>();
    return (option) => {
      const underlying = settledBy(option, (refId) => this.knownInstrument(refId));
      if (!underlying) return option.strikePrice;
      const price = prices.get(underlying.refId) ?? this.lastPrice(underlying);
      prices.set(underlying.refId, price);
      return price;
    };
  }

  /** Trading days from the date that is shown until another (YYYYMMDD): 0 on the day itself; `max` where there are as many. */
  tradingDaysUntil(exchange: ExchangeCode, date: number, max: number): number {
    const key = `${exchange} ${date} ${max}`;
    const known = this.dayDistances.get(key);
    if (known !== undefined) return known;
    let days = 0;
    for (let day = this.date; days < max && Number(day.replaceAll('-', '')) < date; days += 1)
      day = this.deps.calendar.nextTradingDay(exchange, day);
    this.dayDistances.set(key, days);
    return days;
  }

  /** Percent. */
  haircut(refId: number): number {
    const table = effectiveOn(HAIRCUTS, this.date);
    return this.instrument(refId).bandPercent === null ? table.liquid : table.other;
  }

  position(account: AccountState, refId: number, product: Product): PositionState {
    const key = positionKey(refId, product);
    const cachedPosition = account.positions.get(key);
    if (cachedPosition) return cachedPosition;
    const position = {
      refId,
      product,
      buyQuantity: 0,
      buyValue: 0,
      sellQuantity: 0,
      sellValue: 0,
      taxes: NO_TAXES,
      relief: NO_TAXES,
      realised: 0,
      lots: [],
    };
    account.positions.set(key, position);
    return position;
  }

  /** Every ref_id of the same share, its own among them. */
  listings(refId: number): readonly number[] {
    const cachedListings = this.dayListings.get(refId);
    if (cachedListings) return cachedListings;
    const listings = this.deps.listings(this.instrument(refId), this.shownAt);
    this.dayListings.set(refId, listings);
    return listings;
  }

  /** Returns the holding of a share, by any of its ref_ids. */
  knownHolding(account: AccountState, refId: number): HoldingState | undefined {
    for (const listing of this.listings(refId)) {
      const holding = account.holdings.get(listing);
      if (holding) return holding;
    }
    return undefined;
  }

  /** As `knownHolding`, an empty one when there is none. */
  holding(account: AccountState, refId: number): HoldingState {
    const cachedHolding = this.knownHolding(account, refId);
    if (cachedHolding) return cachedHolding;
    const holding: HoldingState = { refId, settled: [], t1: [], pledged: 0 };
    account.holdings.set(refId, holding);
    return holding;
  }

  /** Shares bought today for delivery, on one exchange. */
  boughtToday(account: AccountState, refId: number): number {
    return quantityOf(account.positions.get(positionKey(refId, 'CNC'))?.lots ?? []);
  }

  /** Changes the cash and writes it down. */
  post(
    account: AccountState,
    kind: LedgerKind,
    amount: number,
    refId: number,
    text: string,
    at: number,
    more: Pick<LedgerEntry, 'shares' | 'perShare'> = {},
  ): void {
    if (amount === 0) return;
    account.cash = requireExact(account.cash + amount);
    account.ledger.push({
      seq: account.ledger.length + 1,
      at,
      date: istDate(at),
      kind,
      text,
      refId,
      amount,
      balance: account.cash,
      ...more,
    });
  }
}

export function positionKey(refId: number, product: Product): string {
  return `${refId} ${product}`;
}
