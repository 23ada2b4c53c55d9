/**
 * Replies of market data that contradict themselves, one at a time behind a proxy: no strike, target or price comes of them, and the error
 * says what contradicts what.
 */
import { parse, stringify } from 'lossless-json';
import type { INodeParameters } from 'n8n-workflow';
import { forgetInstruments } from '../../client/instruments/catalogue';
import type { NodeRun } from '../support/engine-types';
import { bySymbol, orderForm } from '../support/parameters';
import { proxiedOperations } from '../support/proxied-operations';
import { mappedValues } from '../support/reply-changes';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const proxied = proxiedOperations('v2');
type Fields = Record<string, unknown>;

/** Changes the records of each list with a name, in every reply to some path. */
function changeLists(path: RegExp, lists: readonly string[], change: (records: Fields[]) => unknown): void {
  const mapped = (name: string, value: unknown): unknown => {
    if (Array.isArray(value) && lists.includes(name)) return change(value as Fields[]);
    if (Array.isArray(value)) return value.map((item) => mapped('', item));
    const { constructor } = Object(value) as object;
    if (constructor !== Object) return value;
    return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, mapped(key, inner)]));
  };
  proxied.proxy.change = ({ path: asked }, reply) =>
    path.test(asked) && reply.status === 200
      ? {
          ...reply,
          headers: { ...reply.headers, 'content-type': 'application/json' },
          text: stringify(mapped('', parse(reply.text)))!,
        }
      : undefined;
}

async function run(parameters: INodeParameters): Promise<NodeRun> {
  forgetInstruments();
  return await proxied.world.engine.run(parameters, { typeVersion: 1.1 });
}
const words = ({ error }: NodeRun): string => `${error?.message} ${error?.description}`;

beforeEach(() => (proxied.proxy.change = undefined));
afterAll(forgetInstruments);

const MASTER = /^\/refdata\//;
const CHAIN = /^\/optionchains\/NIFTY$/;
const byOffset = { resource: 'instrument', operation: 'getOptionByOffset', underlying: 'NIFTY', moneyness: 'OTM' };

it('an option by its distance from the money is the same where the list names each instrument twice', async () => {
  const usual = await run({ ...byOffset, strikes: 3 });
  changeLists(MASTER, ['refdata'], (rows) => [...rows, ...rows]);
  const doubled = await run({ ...byOffset, strikes: 3 });
  expect(doubled.items[0]?.json.symbol).toBe(usual.items[0]?.json.symbol);
  changeLists(MASTER, ['refdata'], (rows) => [...rows, ...rows.map((row) => ({ ...row, lot_size: 3 }))]);
  expect(words(await run({ ...byOffset, strikes: 3 }))).toMatch(
    /has NIFTY [^(]+ CE \(NIFTY\w+CE\) twice: ref_id \d+, lot 65/,
  );
});

it.each([8135, 100, 5_000_000])(
  'no strike is at the money of a price that the strikes do not have among them: %d',
  async (paise) => {
    proxied.proxy.change = ({ path }, reply) =>
      path === '/optionchains/NIFTY/price'
        ? {
            ...reply,
            headers: { ...reply.headers, 'content-type': 'application/json' },
            text: JSON.stringify({ message: 'current price', exchange: 'NSE', price: paise, prev_close: paise }),
          }
        : undefined;
    const before = await proxied.received();
    const says =
      /NIFTY has no strike at the money on that expiry: the service gives its price as ₹[\d.,]+, and its strikes run from ₹/;
    expect(words(await run({ ...byOffset, strikes: 2 }))).toMatch(says);
    const straddle = {
      ...{
        resource: 'basket',
        operation: 'place',
        name: 'Mine',
        underlying: 'NIFTY',
        strategy: 'straddle',
        side: 'SELL',
      },
      ...{
        exchange: 'NSE',
        expiry: 'nearest',
        quantity: 1,
        quantityUnit: 'lots',
        product: 'IDAY',
        priceType: 'MARKET',
      },
      ...{ options: {}, safety: {} },
    };
    expect(words(await run(straddle))).toMatch(says);
    expect((await proxied.received()) - before).toBe(0);
    // What the person gives counts.
    expect((await run({ ...byOffset, strikes: 2, options: { spot: paise / 100 } })).error?.message ?? 'found').toMatch(
      /found|strikes? out of the money/,
    );
  },
);

it('a target in lots is none where the list tells no lot: what is held is not closed', async () => {
  changeLists(MASTER, ['refdata'], (rows) => rows.map((row) => ({ ...row, lot_size: 0 })));
  const before = await proxied.received();
  const made = await run({
    ...{ resource: 'order', operation: 'setTargetPosition', ...bySymbol('INFY'), target: 1, quantityUnit: 'lots' },
    ...{ product: 'CNC', openOrders: 'count', closeAt: 'market', options: {}, safety: {} },
  });
  expect(words(made)).toMatch(/Target Position 1 is in lots, and .* does not tell the lot/);
  expect((await proxied.received()) - before).toBe(0);
});

describe('a strategy of options is not priced', () => {
  const strategy = {
    ...{ resource: 'quote', operation: 'buildOptionStrategy', underlying: 'NIFTY', strategy: 'condor' },
    ...{ side: 'SELL', distance: 2, width: 2 },
  };

  it.each<[string, (records: Fields[]) => unknown, RegExp]>([
    [
      'where the chain gives each option the strike of the next',
      (options) => options.map((option, at) => ({ ...option, sp: options[(at + 1) % options.length]!.sp })),
      /option chain and the instrument list do not agree about the option \d+/,
    ],
    [
      'where the chain gives each option the ref_id of the next',
      (options) => options.map((option, at) => ({ ...option, ref_id: options[(at + 1) % options.length]!.ref_id })),
      /option chain and the instrument list do not agree about the option \d+/,
    ],
    [
      'where the chain has each strike twice',
      (options) => [...options, ...options.map((option, at) => ({ ...option, ref_id: at + 1 }))],
      /option chain contradicts itself: it has two of CE \d+/,
    ],
  ])('%s', async (_, change, says) => {
    changeLists(CHAIN, ['ce', 'pe'], change);
    expect(words(await run(strategy))).toMatch(says);
  });

  it('is not priced where calls and puts are swapped', async () => {
    proxied.proxy.change = ({ path }, reply) =>
      CHAIN.test(path)
        ? { ...reply, text: reply.text.replace('"ce":', '"x":').replace('"pe":', '"ce":').replace('"x":', '"pe":') }
        : undefined;
    expect(words(await run(strategy))).toMatch(/option chain contradicts itself: its CE \d+ has the delta -/);
  });
});

it('open interest has no change since a moment that the service lacks, and none of a strike that lacks one of two', async () => {
  const change = async (cut: (times: [string, Fields][]) => [string, Fields][]) => {
    proxied.proxy.change = ({ path }, reply) => {
      if (!path.startsWith('/charts/multistrike')) return undefined;
      const { NSE } = (parse(reply.text) as { result: { NSE: Record<string, Fields> } }).result;
      const times = Object.entries(NSE.NIFTY ?? {}).sort() as [string, Fields][];
      const result = { NSE: { NIFTY: Object.fromEntries(cut(times)) } };
      return {
        ...reply,
        headers: { 'content-type': 'application/json' },
        text: stringify({ message: 'charts', result })!,
      };
    };
    const { items } = await run({
      ...{ resource: 'quote', operation: 'getOpenInterestChange', underlying: 'NIFTY', since: 'previousClose' },
      options: { strikesAround: 2, picture: false },
    });
    return items[0]!.json;
  };
  const whole = await change((times) => times);
  expect(whole.call_open_interest).toBeGreaterThan(0);
  const unknown = { call_open_interest_change: null, put_open_interest_change: null, put_call_ratio_before: null };
  expect(await change((times) => times.slice(-1))).toMatchObject({
    call_open_interest: whole.call_open_interest,
    ...unknown,
  });
  expect(await change(() => [])).toMatchObject({ call_open_interest: null, put_open_interest: null, ...unknown });
  const [first] = whole.strikes as { strike_price: number; ce: { open_interest_change: number } }[];
  const without = await change((times) =>
    times.map(([time, chain], at) => [
      time,
      at > 0 ? chain : withStrikes(chain, (strike) => Number(strike) !== first!.strike_price * 100),
    ]),
  );
  expect(without.call_open_interest_change).toBe(
    Number(whole.call_open_interest_change) - first!.ce.open_interest_change,
  );
});

/** A chain by expiry without some strikes. */
const withStrikes = (chain: Fields, keeps: (strike: string) => boolean): Fields =>
  Object.fromEntries(
    Object.entries(chain).map(([expiry, strikes]) => [
      expiry,
      Object.fromEntries(Object.entries(strikes as Fields).filter(([strike]) => keeps(strike))),
    ]),
  );

/** Makes the day's list show more filled of an order than was ordered. */
function fillTooMuch(orderId: string): void {
  const isOdd = (value: unknown): boolean => String((value as Fields | null)?.order_id) === orderId;
  const changed = (_name: string, value: unknown): unknown =>
    isOdd(value) ? { ...(value as Fields), filled_qty: 999 } : value;
  proxied.proxy.change = ({ path, method }, reply) =>
    method === 'GET' && path === '/orders'
      ? { ...reply, text: stringify(mappedValues(parse(reply.text), '', changed))! }
      : undefined;
}

it('orders are shown beside one that contradicts itself, which has its reason in place of its units', async () => {
  await proxied.world.prepare('order', 'getMany');
  const read = async () => await run({ resource: 'order', operation: 'getMany', returnAll: true });
  const usual = (await read()).items.map(({ json }) => json);
  const { order_id: odd, order_qty: quantity } = usual.find(({ order_qty: units }) => Number(units) > 0)!;
  fillTooMuch(String(odd));
  const { items, error } = await read();
  expect(error).toBeUndefined();
  const shown = items.map(({ json }) => json);
  expect(shown.map(({ order_id: orderId }) => orderId)).toEqual(usual.map(({ order_id: orderId }) => orderId));
  const one = shown.find(({ order_id: orderId }) => orderId === odd)!;
  expect(one).toMatchObject({ order_qty: null, filled_qty: null });
  expect(one.unreadable_reason).toMatch(new RegExp(`^Order ${odd} is shown with 999 filled of ${quantity}: `));
  expect(shown.filter((order) => 'unreadable_reason' in order)).toEqual([one]);
});

it('Exit All names the position of an order that contradicts itself, and goes on with the others', async () => {
  const { world } = proxied;
  const bought = { ...bySymbol('TCS'), priceType: 'MARKET', options: { waitFor: 'filled' } };
  const { items: placed } = await world.engine.run(orderForm(bought));
  const { order_id: odd } = placed[0]!.json;
  fillTooMuch(String(odd));
  const form = { resource: 'portfolio', operation: 'exitAll', closeAt: 'market', safety: { dryRun: true } };
  const said = words(await run(form));
  expect(said).toContain(
    `1 of 2 positions is not closed for certain. TCS (Delivery) was not changed, because order ${String(odd)} is shown with 999 filled of`,
  );
});
