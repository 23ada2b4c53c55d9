/** Weeks of random trades over all segments, and what an account's owner knows of them. */
import type { ReportSource } from '../../../sandbox/src/reports/tables/source';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import type { Product, Side } from '../../../sandbox/src/shared/orders';
import { createUniform } from '../../../sandbox/src/shared/random';
import { DEFAULT_OPTIONS } from '../../../sandbox/src/simulation/options';
import { Sandbox } from '../../../sandbox/src/simulation/sandbox';
import { intent } from '../../support/intents';
import { limitOrder } from '../../support/trading';
import { marketOrder } from '../../support/in-process';
import { reportSourceOf } from '../../support/report-source';

export const ACCOUNT = 'SBX001';
export const [FROM, TO] = ['2026-11-09', '2026-11-24'] as const;
const [MINUTE, DAY] = [60_000, 86_400_000];
const at = (date: string, time: string): number => Date.parse(`${date}T${time}+05:30`);
const dateOf = (instant: number): string => new Date(instant + 19_800_000).toISOString().slice(0, 10);

/** Corporate actions of shares that are traded: each holder of a share at the close before has another, or a dividend. */
export const [BONUS, DIVIDEND] = [
  { symbol: 'SUNPHARMA', exDate: '2026-11-17' },
  { symbol: 'WIPRO', exDate: '2026-11-18', perShare: 400 },
] as const;
/** The day on which trading is halted by hand for half an hour, and on which orders are placed that are good till later. */
const [HALTED, GOOD_TILL] = ['2026-11-12', '2026-11-16'];

/** Trade as the journal tells it, with the product of its order. Prices are paise. */
export interface Trade {
  order: string;
  refId: number;
  side: Side;
  price: number;
  quantity: number;
  date: string;
  product: Product;
}

/** Facts that the program is given. */
export interface Lived {
  source: ReportSource;
  trades: Trade[];
  of(refId: number): Instrument;
  /** Price by which a future is carried into the next day. */
  carriedAt: Map<string, number>;
  /** Close of what an index contract expires on. */
  settledAt: Map<string, number>;
  opening: number;
  days: string[];
  /** Kinds of trades that chance may leave out, and has not. */
  happened: ReadonlySet<string>;
}

/** Trades at random, day by day. */
export function live(seed: number): Lived {
  const chance = createUniform(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)]!;
  let now = at(FROM, '09:00:00');
  const start = new Date(now).toISOString();
  const options = { ...DEFAULT_OPTIONS, seed, hours: 'exchange', clock: 'manual', latency: '0', start } as const;
  const sandbox = new Sandbox(options, () => now);
  const { world } = sandbox;
  const go = (to: number): void => {
    now = to;
    sandbox.clock.set(now);
    sandbox.now();
  };
  world.trade.addFunds(ACCOUNT, 5_000_000_000);
  const opening = world.accounts.funds(ACCOUNT).cash;
  const known = new Map<number, Instrument>();
  const products = new Map<string, Product>();
  const held = new Map<number, number>();
  const happened = new Set<string>();
  const deliver = (refId: number, quantity: number): unknown => held.set(refId, (held.get(refId) ?? 0) + quantity);
  sandbox.onOrderEvent((event) => {
    const { id, refId, product, side } = event.order;
    known.set(refId, sandbox.world.instrument(refId)!);
    products.set(String(id), product);
    if (event.type !== 'trade') return;
    if (Number(event.at / 1_000_000n) < at(dateOf(Number(event.at / 1_000_000n)), '09:15:00'))
      happened.add('traded in the pre-open');
    if (event.order.intentId !== undefined) happened.add('traded by an intent order');
    if (product !== 'CNC') return;
    if (known.get(refId)!.derivativeType === 'STOCK')
      deliver(refId, side === 'BUY' ? event.trade.quantity : -event.trade.quantity);
  });
  const [carriedAt, settledAt] = [new Map<string, number>(), new Map<string, number>()];
  const nifty = () => world.universe().bySymbol('NSE', 'NIFTY')!;
  const option = (): Instrument => {
    const { ce, pe } = world
      .universe()
      .options('NSE', 'NIFTY', pick(world.universe().expiries('NSE', 'NIFTY').slice(0, 2)));
    const chain = pick([ce, pe]);
    const above = chain.findIndex(({ strikePrice }) => strikePrice > world.lastPrice(nifty()));
    return chain[above + Math.floor(chance() * 7) - 3]!;
  };
  // None of these is held when it begins.
  const share = (exchange: 'NSE' | 'BSE', symbol: string) => () => world.universe().bySymbol(exchange, symbol)!;
  const kinds = [
    ...[share('NSE', 'SUNPHARMA'), share('NSE', 'WIPRO'), share('BSE', 'MARUTI'), share('NSE', 'NIFTYBEES')],
    ...[option, option, () => pick(world.universe().futures('NSE', 'NIFTY').slice(0, 2))],
    ...[() => world.universe().futures('MCX', 'CRUDEOIL')[1]!, () => world.universe().futures('MCX', 'GOLD')[0]!],
  ];
  const bonus = share('NSE', BONUS.symbol)().refId;
  world.announceCorporateAction({ kind: 'bonus', issued: 1, held: 1, refId: bonus, exDate: BONUS.exDate });
  const paying = share('NSE', DIVIDEND.symbol)().refId;
  const { perShare, exDate } = DIVIDEND;
  world.announceCorporateAction({ kind: 'dividend', perShare, refId: paying, exDate });
  const place = (instrument: Instrument): void => {
    const { refId, derivativeType, lotSize } = instrument;
    const delivery = derivativeType === 'STOCK' && chance() < 0.6;
    const product = delivery || chance() < 0.6 ? 'CNC' : 'IDAY';
    const isShare = derivativeType === 'STOCK';
    const free = held.get(refId) ?? 0;
    const side = isShare && product === 'CNC' && free === 0 ? 'BUY' : pick(['BUY', 'SELL'] as const);
    const asked = isShare ? 1 + Math.floor(chance() * 700) : lotSize * (1 + Math.floor(chance() * 4));
    const quantity = isShare && product === 'CNC' && side === 'SELL' ? Math.min(asked, free) : asked;
    const placed = world.placeOrder(marketOrder({ account: ACCOUNT, refId, side, quantity, product }));
    if (!placed.ok) throw new Error(placed.text);
    go(now + 1_500);
  };
  const limited = (symbol: string, away: number): { refId: number; price: number } => {
    const { refId, tickSize } = share('NSE', symbol)();
    const price = Math.round((world.lastPrice(known.get(refId) ?? share('NSE', symbol)()) * away) / tickSize);
    return { refId, price: price * tickSize };
  };
  const buy = (symbol: string, away: number, quantity: number): void => {
    const order = { account: ACCOUNT, side: 'BUY', product: 'CNC', quantity, ...limited(symbol, away) } as const;
    const placed = world.placeOrder(limitOrder(order));
    if (!placed.ok) throw new Error(placed.text);
  };
  const intend = (given: Parameters<typeof intent>[0]): bigint => {
    const placed = world.placeIntent(intent({ account: ACCOUNT, product: 'CNC', ...given }), false);
    if (!placed.ok) throw new Error(placed.text);
    return placed.intent.id;
  };
  const straddles: bigint[] = [];
  /** Orders that sessions cut: of the pre-open, through a halt, good till a date over both ex-dates, of strategies over days. */
  const morning = (date: string): void => {
    if (chance() < 0.5) {
      go(at(date, '09:03:00'));
      buy(pick(['SUNPHARMA', 'WIPRO']), 1.01, 1 + Math.floor(chance() * 400));
    }
    go(at(date, '09:20:00'));
    if (date === HALTED) {
      for (const away of [0.999, 0.998, 0.995]) buy('SUNPHARMA', away, 50);
      world.trade.halt(true);
      go(now + 30 * MINUTE);
      world.trade.halt(false);
    }
    if (date === GOOD_TILL)
      for (const symbol of ['SUNPHARMA', 'WIPRO'])
        for (const away of [0.99, 0.98, 0.96]) {
          const legs = [{ refId: limited(symbol, 1).refId, unit: 1 as const }];
          const goodTill = at('2026-11-18', '12:00:00');
          intend({ legs, quantity: 70, validity: 'GTE', price: limited(symbol, away).price, goodTill });
        }
    if (chance() < 0.4) {
      const [one, other] = [option(), option()];
      const quantity = one.lotSize;
      const legs = [one, other].map(({ refId }) => ({ refId, unit: pick([1, -1]) }));
      const terms = { priceType: 'MARKET', validity: 'IOC', price: 0 } as const;
      if (one !== other) straddles.push(intend({ multi: true, legs, quantity, ...terms }));
    } else if (straddles.length > 0) world.trade.cancelIntent(straddles.shift()!, null, true);
    go(now + MINUTE);
  };
  // MCX trades on some holidays of NSE.
  const days = Array.from({ length: (at(TO, '09:00:00') - now) / DAY + 1 }, (_, day) =>
    dateOf(at(FROM, '09:00:00') + day * DAY),
  );
  for (const date of days) {
    const isTradingDay = world.market.calendar.isTradingDay('NSE', date);
    if (date === BONUS.exDate) deliver(bonus, held.get(bonus) ?? 0);
    if (isTradingDay) morning(date);
    else go(at(date, '09:20:00'));
    for (let n = isTradingDay ? 4 + Math.floor(chance() * 6) : 0; n > 0 && now < at(date, '15:00:00'); n--) {
      go(now + MINUTE + Math.floor(chance() * 40 * MINUTE));
      if (now < at(date, '15:00:00')) place(pick(kinds)());
    }
    go(at(date, '23:59:30'));
    for (const [refId, instrument] of known) {
      if (instrument.derivativeType === 'FUT') carriedAt.set(`${date} ${refId}`, world.lastPrice(instrument));
    }
    settledAt.set(date, world.market.close(nifty(), now));
  }
  go(at(TO, '23:59:59') + DAY / 2);
  const source = reportSourceOf(sandbox, ACCOUNT, TO);
  const trades = sandbox.journal.after(0, 'trade', 100_000).map((entry) => ({
    order: String(entry.data['order_id']),
    refId: Number(entry.data['ref_id']),
    side: entry.data['side'] as Side,
    price: Number(entry.data['price']),
    quantity: Number(entry.data['quantity']),
    date: dateOf(entry.at),
    // What it has not placed itself is the broker's square-off.
    product: products.get(String(entry.data['order_id'])) ?? ('IDAY' as const),
  }));
  return { source, trades, of: (refId) => known.get(refId)!, carriedAt, settledAt, opening, days, happened };
}
