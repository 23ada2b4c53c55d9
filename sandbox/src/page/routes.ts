import fastifyStatic from '@fastify/static';
import path from 'node:path';
import { average } from '../shared/money';
import { ApiError } from '../web/errors';
import { inSlices } from '../web/slices';
import type { Service } from '../web/service';
import type { Order } from '../shared/orders';
import type { Instrument } from '../market/reference/types';
import { placedByEntry } from '../simulation/journal-entries';
import type { Sandbox } from '../simulation/sandbox';
import type { Person } from '../sessions/people';
import { istText, millis } from '../shared/time';
import { OrderHistory } from './order-history';

/** Nothing from elsewhere runs on the page, or is shown in it. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'self'; form-action 'none'; frame-ancestors 'none'";
const FOUND = 20;
const JOURNAL = 300;
const LEVELS = 8;
const TRADES = 12;
const CHART_HOURS = 6.5;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The page that shows the exchange at work at /_sandbox/, and what it asks for; part of the control plane. */
export function pageRoutes({ app, sandbox }: Service): void {
  const history = new OrderHistory();
  sandbox.onOrderEvent((event) => history.note(event));
  app.register(fastifyStatic, {
    root: path.join(__dirname, 'assets'),
    prefix: '/_sandbox/',
    index: false,
    cacheControl: false,
    setHeaders: (response) => {
      response.setHeader('content-security-policy', POLICY);
      response.setHeader('x-content-type-options', 'nosniff');
    },
  });
  app.get('/_sandbox/', { schema: { hide: true } }, async (request, reply) => {
    const [asked] = request.url.split('?', 1);
    return asked === '/_sandbox/' ? reply.sendFile('index.html') : reply.redirect('/_sandbox/');
  });
  const chartLibrary = path.dirname(require.resolve('lightweight-charts/package.json'));
  app.get('/_sandbox/vendor/lightweight-charts.mjs', { schema: { hide: true } }, async (_request, reply) =>
    reply.sendFile('lightweight-charts.standalone.production.mjs', path.join(chartLibrary, 'dist')),
  );
  app.get('/_sandbox/page/accounts', { schema: { hide: true } }, async () =>
    [...sandbox.people.all()].map(({ phone, name, pan }) => ({ phone, name, pan })),
  );
  app.get('/_sandbox/page/instruments', { schema: { hide: true } }, async (request) =>
    search(sandbox, text(request.query, 'q')),
  );
  app.get('/_sandbox/page/market', { schema: { hide: true } }, async (request) =>
    market(
      sandbox,
      instrumentOf(sandbox, text(request.query, 'ref_id')),
      personOf(sandbox, text(request.query, 'phone')),
    ),
  );
  app.get('/_sandbox/page/bars', { schema: { hide: true } }, async (request) =>
    bars(sandbox, instrumentOf(sandbox, text(request.query, 'ref_id'))),
  );
  app.get('/_sandbox/page/account', { schema: { hide: true } }, async (request) =>
    account(sandbox, personOf(sandbox, text(request.query, 'phone')), history),
  );
  app.get('/_sandbox/page/journal', { schema: { hide: true } }, async (request) =>
    latest(sandbox, Number(text(request.query, 'after')) || 0),
  );
}

/** What the journal took down after a number; of much, only the latest. */
function latest(sandbox: Sandbox, after: number) {
  const { journal } = sandbox;
  const entries = journal.after(Math.max(after, journal.last - JOURNAL), undefined, JOURNAL);
  return entries.map(({ seq, at, kind, data }) => ({
    seq,
    at: istText(at),
    kind,
    symbol: symbolOf(sandbox, data['ref_id']),
    ...data,
  }));
}

function symbolOf(sandbox: Sandbox, refId: unknown): string | undefined {
  return typeof refId === 'number' ? sandbox.world.instrument(refId)?.symbol : undefined;
}

function text(query: unknown, name: string): string {
  const value = (query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
}

function personOf(sandbox: Sandbox, phone: string): Person {
  const person = sandbox.people.phone(phone);
  if (person === undefined) throw new ApiError(404, `No account has the phone number ${phone}`);
  return person;
}

function instrumentOf(sandbox: Sandbox, refId: string): Instrument {
  const instrument = sandbox.world.instrument(Number(refId));
  if (instrument === undefined) throw new ApiError(404, `There is no instrument with ref_id ${refId}`);
  return instrument;
}

/** Instruments for the picker: the exact symbol, then symbols that begin so, then those whose symbol and name hold every word. */
async function search(sandbox: Sandbox, asked: string) {
  const wanted = asked.trim().toUpperCase();
  const words = wanted.split(/\s+/);
  const ranks: Instrument[][] = [[], [], []];
  for await (const instrument of inSlices(sandbox.world.universe().all())) {
    const { symbol } = instrument;
    const holdsWords = () =>
      words.every((word) => symbol.includes(word) || instrument.displayName.toUpperCase().includes(word));
    const rank = symbol === wanted ? 0 : symbol.startsWith(wanted) ? 1 : holdsWords() ? 2 : 3;
    if (rank < 3 && ranks[rank]!.length < FOUND) ranks[rank]!.push(instrument);
  }
  return ranks
    .flat()
    .slice(0, FOUND)
    .map(({ refId, symbol, exchange, displayName, series }) => ({
      ref_id: refId,
      symbol,
      label: [exchange, series, displayName === symbol ? '' : displayName].filter((part) => part !== '').join(' · '),
    }));
}

function market(sandbox: Sandbox, instrument: Instrument, person: Person) {
  const { world } = sandbox;
  const book = world.exchange.bookSnapshot(instrument, sandbox.instant, LEVELS);
  const trades = world.accounts
    .trades(person.clientCode)
    .filter(({ trade }) => trade.refId === instrument.refId)
    .slice(-TRADES)
    .reverse();
  return {
    index: instrument.derivativeType === 'INDEX',
    last_price: book.lastPrice,
    previous_close: world.market.previousClose(instrument, sandbox.instant),
    bids: book.bids,
    asks: book.asks,
    trades: trades.map(({ trade }) => ({
      at: millis(trade.at),
      side: trade.side,
      price: trade.price,
      quantity: trade.quantity,
    })),
  };
}

interface ChartBar {
  /** Milliseconds. */
  at: number;
  open: number;
  high: number;
  low: number;
  close: number;
}

/** One-minute bars of the last hours in which the instrument traded, paise. */
function bars(sandbox: Sandbox, instrument: Instrument): ChartBar[] {
  const now = sandbox.instant;
  const { market } = sandbox.world;
  for (let days = 0; days < 7; days++) {
    const to = now - days * DAY_MS;
    const found = market.bars(instrument, '1m', to - CHART_HOURS * HOUR_MS, to + MINUTE_MS, now + 1);
    if (found.length > 1) return found.map(({ at, open, high, low, close }) => ({ at, open, high, low, close }));
  }
  return [];
}

function account(sandbox: Sandbox, person: Person, history: OrderHistory) {
  const { world } = sandbox;
  const { clientCode } = person;
  const { available, cash, heldForOrders, heldForPositions, realised, charges } = world.accounts.funds(clientCode);
  return {
    orders: world
      .ordersOf(clientCode)
      .reverse()
      .map((order) => orderShown(sandbox, order, history)),
    positions: world.accounts.positions(clientCode).map((position) => {
      const instrument = world.instrument(position.refId);
      const last = instrument === undefined ? 0 : world.lastPrice(instrument);
      const open = position.openQuantity;
      return {
        symbol: instrument?.symbol ?? String(position.refId),
        product: position.product,
        quantity: position.quantity,
        average_price: average(position.openValue, open),
        last_price: last,
        profit: position.realised + open * last - position.openValue,
      };
    }),
    holdings: world.accounts.holdings(clientCode).map(({ refId, quantity, t1Quantity, cost }) => {
      const instrument = world.instrument(refId);
      const last = instrument === undefined ? 0 : world.lastPrice(instrument);
      const total = quantity + t1Quantity;
      return {
        symbol: instrument?.symbol ?? String(refId),
        quantity,
        t1_quantity: t1Quantity,
        average_price: average(cost, total),
        last_price: last,
        profit: total * last - cost,
      };
    }),
    funds: { available, cash, held_for_orders: heldForOrders, held_for_positions: heldForPositions, realised, charges },
  };
}

function orderShown(sandbox: Sandbox, order: Order, history: OrderHistory) {
  return {
    at: millis(order.createdAt),
    symbol: sandbox.world.instrument(order.refId)?.symbol ?? String(order.refId),
    side: order.side,
    kind: order.kind,
    quantity: order.quantity,
    price: order.price,
    price_type: order.priceType,
    trigger_price: order.triggerPrice,
    leg_size: order.legSize,
    filled_quantity: order.filledQuantity,
    average_price: average(order.filledValue, order.filledQuantity),
    reason: order.reason,
    tag: order.tag,
    ...placedByEntry(order.placedBy),
    life: history.of(order),
  };
}
