/** A service in virtual time: the sandbox's exchange core, its stream and its list of orders, and everything that can go wrong between. */
import { NetworkError, ServiceError, SessionError, type BrokerageError } from '../../../client/base/errors';
import type { Clock } from '../../../client/base/ports';
import { foreignReplyError } from '../../../client/reply-gate';
import type { FeedDeps } from '../../../client/stream/account-feed/types';
import { readDayBaskets } from '../../../client/orders/model/basket-record';
import { readDayOrders } from '../../../client/orders/model/order-record';
import { createRandomSource, type RandomSource } from '../../../sandbox/src/shared/random';
import { createBaskets } from '../../../sandbox/src/exchange/strategies/v2-baskets';
import type { BasketEvent, Baskets } from '../../../sandbox/src/exchange/strategies/v2-basket-types';
import { createExchange } from '../../../sandbox/src/exchange/exchange';
import type { RiskEngine } from '../../../sandbox/src/exchange/deps';
import type { ExchangeEvent } from '../../../sandbox/src/exchange/types';
import type { Order } from '../../../sandbox/src/shared/orders';
import { SHARE, stillMarket, type StillMarket } from '../../support/still-market';
import { BasketTrader } from './basket-trader';
import { Line } from './line';
import {
  basketFrameOf,
  basketRecordOf,
  executedFrameOf,
  frameOf,
  IMPOSSIBLE,
  impossibleFrame,
  misplacedFrame,
  recordOf,
} from './wire';
import type { Exchange } from '../../../sandbox/src/exchange/contract';

export interface Faults {
  /** Out of 1,000 frames. */
  drop: number;
  duplicate: number;
  reorder: number;
  truncate: number;
  garbage: number;
  disconnect: number;
  invalidToken: number;
  halfOpen: number;
  /** Out of 1,000 requests. */
  refuseConnection: number;
  failRequest: number;
  slowRequest: number;
  /** Out of 1,000 requests for the list of baskets, beyond those. */
  failBaskets: number;
  /** Out of 1,000 frames: how often the stream stops for some seconds. */
  stall: number;
  /** Out of 1,000 frames: how often one comes before it, or in its place, whose figures cannot be. */
  impossible: number;
  /** The same with the id of an older order, of another instrument or on the other side. */
  misplaced: number;
}

export const NO_FAULTS: Faults = {
  drop: 0,
  duplicate: 0,
  reorder: 0,
  truncate: 0,
  garbage: 0,
  disconnect: 0,
  invalidToken: 0,
  halfOpen: 0,
  refuseConnection: 0,
  failRequest: 0,
  slowRequest: 0,
  failBaskets: 0,
  stall: 0,
  impossible: 0,
  misplaced: 0,
};

/** After so many nanoseconds an order is known by the list, whatever was lost. */
const LONG_LISTED_NS = 120_000_000_000n;

export const ACCOUNT = 'C1';

/** The only error after which nobody may try again. */
export const REFUSED_LOGIN = 'The MPIN was refused.';

/** Answers of a proxy in the place of the service. */
const PAGES = [200, 401, 403, 407, 440, 511].map((status) => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from('<html>Sign in</html>'),
}));

export interface ListRead {
  /** Length of the journal then. */
  events: number;
  listed: ReadonlySet<string>;
}

/** As `SharedMessage`, at the list of baskets. */
export interface BasketListRead {
  /** Milliseconds. */
  at: number;
  events: number;
  listed: ReadonlySet<string>;
}

export class SimulatedService {
  /** Events of orders that are not part of a basket. */
  readonly journal: ExchangeEvent[] = [];
  readonly basketJournal: BasketEvent[] = [];
  readonly exchange: Exchange;
  readonly baskets: Baskets;
  readonly market: StillMarket;
  readonly chance: RandomSource;
  faults: Faults = NO_FAULTS;
  token = 1;
  /** True if the service refuses every login, until the credential is corrected. */
  refusesLogin = false;
  private failures = 0;
  /** Frames that reached a socket unharmed. */
  framesSent = 0;
  /** Every look at the list of orders that was answered: what it showed, and how much had happened by then. */
  listReads: ListRead[] = [];
  basketListReads: BasketListRead[] = [];
  /** Milliseconds that the service's clock is ahead of the client's. */
  readonly ahead: number;
  private readonly sockets = new Set<Line>();
  private readonly reportsExecuted: boolean;
  private readonly basketTrader: BasketTrader;

  constructor(
    readonly clock: Clock,
    readonly seed: number,
  ) {
    this.chance = createRandomSource(seed);
    this.reportsExecuted = this.hits(500);
    this.ahead = this.hits(700) ? 0 : this.pick([-1, 1]) * this.chance.between(1, 100 * 3_600_000);
    this.market = stillMarket();
    this.exchange = createExchange({
      market: this.market,
      random: createRandomSource(seed ^ 0x5bd1e995),
      options: { hours: 'always' },
      startAt: clock.now(),
      risk: this.risk(),
    });
    this.exchange.onEvent((event) => {
      if (event.order.basketId !== 0n) return;
      this.journal.push(event);
      const frame = frameOf(event);
      if (frame !== undefined && this.hits(this.faults.impossible)) {
        this.send(impossibleFrame(frame, this.pick(IMPOSSIBLE)));
        if (this.hits(500)) return;
      }
      const other = this.hits(this.faults.misplaced) ? this.olderThan(event) : undefined;
      if (frame !== undefined && other !== undefined) {
        this.send(misplacedFrame(frame, other.order.id));
        if (this.hits(500)) return;
      }
      this.send(frame);
      if (this.reportsExecuted) this.send(executedFrameOf(event));
    });
    this.baskets = createBaskets({
      exchange: this.exchange,
      instrument: (refId, at) => this.market.universe(at).byRefId(refId),
      random: createRandomSource(seed ^ 0x2545f491),
      startAt: clock.now(),
    });
    this.basketTrader = new BasketTrader(this);
    this.baskets.onEvent((event) => {
      this.basketJournal.push(event);
      this.send(basketFrameOf(event));
    });
  }

  /** An order that has long been listed and cannot be that of an event, by its instrument or its side. */
  private olderThan({ order, at }: ExchangeEvent): ExchangeEvent | undefined {
    return this.journal.find(
      (event) =>
        at - event.at > LONG_LISTED_NS && (event.order.refId !== order.refId || event.order.side !== order.side),
    );
  }

  private send(frame: Uint8Array | undefined): void {
    if (frame) this.sockets.forEach((socket) => socket.deliver(frame));
  }

  /** True for `perMille` out of 1,000 draws. */
  hits(perMille: number): boolean {
    return perMille > 0 && this.chance.between(1, 1_000) <= perMille;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.chance.between(0, list.length - 1)] as T;
  }

  random = (): number => this.chance.between(0, 999_999) / 1_000_000;

  /** Lets the exchange go on, up to an instant. */
  async runUntil(end: number): Promise<void> {
    while (this.clock.now() < end) {
      const due = this.exchange.nextDue() ?? end;
      await this.clock.sleep(Math.max(1, Math.min(due, end) - this.clock.now()));
      this.exchange.advance(this.clock.now());
    }
  }

  openOrders(): Order[] {
    return this.exchange
      .orders(ACCOUNT, this.clock.now() + 10_000)
      .filter(({ status, basketId }) => basketId === 0n && ['OPEN', 'PARTIAL_FILLED', 'TRIGGERED'].includes(status));
  }

  deps(): FeedDeps {
    return {
      clock: {
        now: () => this.clock.now() - this.ahead,
        moment: (ms) => this.clock.moment(ms),
        since: (moment) => this.clock.since(moment),
        sleep: async (ms, signal) => await this.clock.sleep(ms, signal),
      },
      random: this.random,
      makeSocket: (url) => {
        const socket = new Line(this, url);
        this.sockets.add(socket);
        return socket;
      },
      access: async (signal) => {
        await this.request(signal);
        return { url: 'ws://127.0.0.1/stream', token: `token-${this.token}` };
      },
      orders: async (signal) => {
        await this.request(signal);
        const at = this.clock.now();
        this.exchange.advance(at);
        const events = this.journal.length;
        const records = this.inAnyOrder(this.exchange.orders(ACCOUNT, at)).map(recordOf);
        const orders = readDayOrders(records);
        await this.clock.sleep(this.chance.between(1, 60), signal);
        this.listReads.push({ events, listed: new Set(orders.map(({ orderId }) => orderId)) });
        return { orders, odd: [], ahead: { min: this.ahead, max: this.ahead } };
      },
      baskets: async (signal) => {
        await this.request(signal);
        if (this.hits(this.faults.failBaskets)) throw this.failure();
        const at = this.clock.now();
        this.exchange.advance(at);
        const events = this.basketJournal.length;
        const baskets = readDayBaskets(
          this.inAnyOrder(this.baskets.baskets(ACCOUNT, at)).map((basket) =>
            basketRecordOf(basket, (id) => this.exchange.order(id)),
          ),
        );
        await this.clock.sleep(this.chance.between(1, 60), signal);
        this.basketListReads.push({ at, events, listed: new Set(baskets.map(({ orderId }) => orderId)) });
        return baskets;
      },
    };
  }

  forget(socket: Line): void {
    this.sockets.delete(socket);
  }

  /** Closes every connection. */
  dropAll(): void {
    for (const socket of this.sockets) socket.end(1006);
  }

  /** The session has died: the stream says so to everybody. */
  expireToken(): void {
    this.token += 1;
    for (const socket of this.sockets) socket.invalidate();
  }

  /** The credential is wrong from now on, and every session over. */
  loseLogin(): void {
    this.refusesLogin = true;
    this.expireToken();
  }

  get openSockets(): number {
    return this.sockets.size;
  }

  private async request(signal: AbortSignal): Promise<void> {
    await this.clock.sleep(
      this.hits(this.faults.slowRequest) ? this.chance.between(1_000, 25_000) : this.chance.between(1, 80),
      signal,
    );
    if (this.hits(this.faults.failRequest)) throw this.failure();
    if (this.refusesLogin) throw new SessionError(REFUSED_LOGIN);
  }

  /**
   * Reverses every third list of every second world. Nothing is drawn for it: the schedule of a seed does not change.
   */
  private inAnyOrder<T>(list: readonly T[]): readonly T[] {
    const isReversed = this.seed % 2 === 1 && (this.listReads.length + this.basketListReads.length) % 3 === 0;
    return isReversed ? [...list].reverse() : list;
  }

  /** Every second one of the answers that fail is a page of a proxy, unless the network is cut. Nothing is drawn for it, as for the order of lists. */
  private failure(): BrokerageError {
    const isSlow = this.hits(500);
    this.failures += 1;
    if (this.failures % 2 === 0 && this.faults.failRequest < 1_000)
      return foreignReplyError(PAGES[(this.failures / 2 + this.seed) % PAGES.length]!, '/orders');
    return isSlow
      ? new NetworkError('The service did not answer in time', { maySent: true })
      : new ServiceError('The service failed', { status: 500, serviceText: '' });
  }

  trade(): void {
    const { exchange, chance } = this;
    const at = this.clock.now();
    if (this.hits(350)) return this.basketTrader.trade(at);
    const open = this.openOrders();
    const item = open.length > 0 ? this.pick(open) : undefined;
    const what = chance.between(1, 10);
    if (what >= 9 && item) exchange.cancel(item.id, at);
    else if (what >= 7 && item) this.modify(item);
    else if (what === 6) exchange.movePrice(SHARE.refId, 150_000 + chance.between(-40, 40) * 10, at);
    else this.place();
  }

  /** Now and then no money is left for a leg: its basket is refused, or goes back. */
  private risk(): RiskEngine {
    const short = { ok: false, code: 'INSUFFICIENT_MARGIN', text: 'no money' } as const;
    return {
      hold: (_id, order) => (order.basketId !== 0n && this.hits(60) ? short : { ok: true }),
      amend: () => ({ ok: true }),
    };
  }

  private nextTerms = 0;

  /** Every modification sets terms that the order never had. */
  private modify(order: Order): void {
    this.nextTerms += 1;
    const quantity = order.filledQuantity + 200 + this.nextTerms;
    this.exchange.modify(
      order.id,
      { quantity, price: order.price + this.chance.between(-3, 3) * 10 },
      this.clock.now(),
    );
  }

  private place(): void {
    const { chance } = this;
    const last = this.exchange.lastPrice(SHARE, this.clock.now());
    const side = this.pick(['BUY', 'SELL'] as const);
    const kind = this.pick(['REGULAR', 'REGULAR', 'REGULAR', 'STOPLOSS', 'ICEBERG'] as const);
    const sign = side === 'BUY' ? 1 : -1;
    const quantity = chance.between(1, 120);
    const isMarket = kind === 'REGULAR' && this.hits(200);
    const triggerPrice = kind === 'STOPLOSS' ? last + sign * chance.between(1, 20) * 10 : 0;
    this.exchange.place(
      {
        account: ACCOUNT,
        refId: SHARE.refId,
        kind,
        side,
        quantity: kind === 'ICEBERG' ? quantity + 20 : quantity,
        product: this.pick(['CNC', 'IDAY'] as const),
        validity: kind === 'REGULAR' && this.hits(200) ? 'IOC' : 'DAY',
        priceType: isMarket ? 'MARKET' : 'LIMIT',
        price: isMarket ? 0 : kind === 'STOPLOSS' ? triggerPrice + sign * 50 : last + sign * chance.between(-6, 3) * 10,
        triggerPrice,
        legSize: kind === 'ICEBERG' ? 10 : 0,
        tag: this.pick(['', 'a', 'b']),
        basketId: 0n,
        source: 'NORMAL',
      },
      this.clock.now(),
    );
  }
}
