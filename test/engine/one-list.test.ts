/**
 * One list of positions is not believed alone: whatever an operation asks it for, a list that is empty, cut or null for a while is read
 * again, and for good is told. Nothing counts as flat by it.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { forgetInstruments } from '../../client/instruments/catalogue';
import { forgetSessionLots } from '../../client/instruments/session-lots';
import type { NodeRun } from '../support/engine-types';
import { Engine, allTextOf } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { startProxy, type Proxy } from '../support/proxy';
import { testSandbox, type TestSandbox } from '../support/sandbox';
import { share } from '../support/sample';
import { inTurn } from '../support/turns';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const DAY = '2026-01-08T14:00:00+05:30';

/** Lists of positions without them. */
const LACKS: Readonly<Record<string, (list: unknown[]) => unknown>> = {
  empty: () => [],
  null: () => null,
  'cut after the first': (list) => list.slice(0, 1),
};

describe.each(['v2', 'intent'] as const)('with the interface %s', (orderInterface) => {
  const itInTurn = inTurn(2, orderInterface === 'v2' ? 0 : 1);
  let sandbox: TestSandbox;
  let proxy: Proxy;
  let engine: Engine;

  beforeEach(async () => {
    forgetInstruments();
    forgetSessionLots();
    sandbox = await testSandbox({ orderInterface, hours: 'exchange', start: DAY, rateLimit: 'off' });
    proxy = await startProxy(sandbox.url);
    engine = await Engine.start({ ...sandbox.credential, sandboxBaseUrl: proxy.url });
  });
  afterEach(async () => {
    await proxy.close();
    await sandbox.close();
  });

  /** Number of readings of the positions since the last change. */
  let readings = 0;
  /** Changes each list in the replies with positions, as long as the condition holds. */
  const change = (how: (list: unknown[]) => unknown, isChanged: (reading: number) => boolean): void => {
    readings = 0;
    proxy.change = ({ method, path }, reply) => {
      if (method !== 'GET' || !path.endsWith('/portfolio/positions')) return undefined;
      readings += 1;
      if (!isChanged(readings)) return undefined;
      const text = JSON.stringify(JSON.parse(reply.text), (_, value: unknown) =>
        Array.isArray(value) ? how(value as unknown[]) : value,
      );
      return { ...reply, headers: { ...reply.headers, 'content-type': 'application/json' }, text };
    };
  };
  const run = async (resource: string, operation: string, more: object): Promise<NodeRun> =>
    await engine.run({ resource, operation, ...more } as INodeParameters, { typeVersion: 1.1 });
  const done = ({ items, error }: NodeRun): IDataObject[] => {
    if (error !== undefined) throw new Error(allTextOf(error));
    return items.map(({ json }) => json);
  };
  const buy = async (symbol: string, quantity: number, product: string): Promise<void> => {
    const options = { waitFor: 'filled' };
    done(await engine.run(orderForm({ ...bySymbol(symbol), priceType: 'MARKET', product, quantity, options })));
  };
  const exitAll = async (): Promise<NodeRun> => await run('portfolio', 'exitAll', { closeAt: 'market' });
  const protect = async (symbol: string): Promise<NodeRun> =>
    await run('portfolio', 'protectPosition', {
      ...bySymbol(symbol),
      ...{ exits: { exitsIn: 'percent', stopLoss: 3 }, simplify: true, filters: { products: ['IDAY'] } },
    });

  describe.each(share(Object.entries(LACKS), 3, orderInterface === 'v2' ? 0 : 2))(
    'while the list of positions is %s',
    (_, lack) => {
      beforeEach(async () => {
        await buy('TCS', 3, 'IDAY');
        await buy('INFY', 5, 'IDAY');
      });

      itInTurn('Exit All closes what the orders of the day hold, once the list shows it', async () => {
        change(lack, (reading) => reading < 8);
        const closed = done(await exitAll());
        expect(closed.map(({ symbol, result }) => [symbol, result]).sort()).toEqual([
          ['INFY', 'closed'],
          ['TCS', 'closed'],
        ]);
      });

      itInTurn('Exit All says what it cannot find, and not that there is nothing', async () => {
        change(lack, () => true);
        const { error } = await exitAll();
        expect(error?.message).toMatch(/not closed for certain.*its position and its orders do not agree/);
      });

      itInTurn('Protect Position guards what is held, once the list shows it', async () => {
        change(lack, (reading) => reading < 5);
        const [tcs] = done(await protect('TCS'));
        const [infy] = done(await protect('INFY'));
        expect([tcs, infy]).toMatchObject([
          { held_qty: 3, order_side: 'SELL', order_qty: 3 },
          { held_qty: 5, order_side: 'SELL', order_qty: 5 },
        ]);
      });

      itInTurn('Protect Position says what the list lacks, and sends nothing', async () => {
        change(lack, () => true);
        const runs = [await protect('TCS'), await protect('INFY')];
        // The one that a cut list still shows is protected.
        const lacking = runs.filter(({ items }) => items.length === 0).map(({ error }) => error?.message);
        expect(lacking.length).toBeGreaterThanOrEqual(1);
        for (const message of lacking)
          expect(message).toMatch(
            /The list of positions does not show (TCS|INFY) \(Intraday\), but .* you hold [35]\. Nothing/,
          );
      });
    },
  );

  itInTurn('a contract that has expired is not called lacking in the evening of its day', async () => {
    const { items } = await run('instrument', 'search', { query: 'NIFTY', limit: 50, options: { kinds: ['FUT'] } });
    const future = items.map(({ json }) => json).find(({ asset }) => asset === 'NIFTY')!;
    const [symbol, lot] = [String(future.symbol), Number(future.lot_size)];
    await buy(symbol, lot, 'CNC');
    await sandbox.control('POST', 'clock', { set: `${String(future.expiry)}T09:20:00+05:30` });
    const shown = async (): Promise<unknown[]> =>
      done(await run('portfolio', 'getPositions', { returnAll: true, simplify: true })).map((item) => item.symbol);
    expect(await shown()).toContain(symbol);
    // Noted as shown today: nothing is to be done.
    const target = {
      ...{ ...bySymbol(symbol), target: lot, quantityUnit: 'units', product: 'CNC', openOrders: 'count' },
      closeAt: 'market',
    };
    done(await run('order', 'setTargetPosition', target));
    await sandbox.control('POST', 'clock', { set: `${String(future.expiry)}T18:00:00+05:30` });
    change(
      () => [],
      () => true,
    );
    const { items: closed, error } = await exitAll();
    expect([closed, error?.message]).toEqual([[], undefined]);
  });
});

it('Basket: Close closes a basket whose legs the first lists lack', async () => {
  forgetInstruments();
  const sandbox = await testSandbox({ orderInterface: 'intent', rateLimit: 'off' });
  const proxy = await startProxy(sandbox.url);
  const engine = await Engine.start({ ...sandbox.credential, sandboxBaseUrl: proxy.url });
  const place = {
    ...{ resource: 'basket', operation: 'place', name: 'Mine', underlying: 'NIFTY', exchange: 'NSE' },
    ...{ expiry: 'nearest', strategy: 'straddle', quantity: 1, quantityUnit: 'lots', side: 'BUY', product: 'CNC' },
    ...{ priceType: 'MARKET', options: { waitFor: 'entered' }, safety: {} },
  };
  const placed = await engine.run(place);
  expect(placed.error).toBeUndefined();
  const basketId = String(placed.items[0]?.json.basket_id);
  let readings = 0;
  proxy.change = ({ path }, reply) => {
    if (!path.endsWith('/portfolio/positions') || (readings += 1) > 6) return undefined;
    const text = JSON.stringify(JSON.parse(reply.text), (_, value: unknown) => (Array.isArray(value) ? [] : value));
    return { ...reply, headers: { ...reply.headers, 'content-type': 'application/json' }, text };
  };
  const close = { resource: 'basket', operation: 'close', basketId, options: { waitSeconds: 60 } };
  const { items, error } = await engine.run(close);
  expect([error?.message, items[0]?.json.result]).toEqual([undefined, 'done']);
  expect(readings).toBeGreaterThan(6);
  await proxy.close();
  await sandbox.close();
});
