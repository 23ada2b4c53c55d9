/** A list of positions that lacks one of several for a while, as brokers report it: none is left, bought again, or called closed. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { forgetInstruments } from '../../client/instruments/catalogue';
import { forgetSessionLots } from '../../client/instruments/session-lots';
import { Engine, allTextOf } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { startProxy, type Proxy } from '../support/proxy';
import { share } from '../support/sample';
import { testSandbox, type TestSandbox } from '../support/sandbox';
import { inTurn } from '../support/turns';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const BOUGHT_ON = '2026-01-08T14:00:00+05:30';
const NEXT_DAY = '2026-01-09T09:20:00+05:30';

describe.each(['v2', 'intent'] as const)('with the interface %s', (orderInterface) => {
  const world = orderInterface === 'v2' ? 0 : 1;
  const itInTurn = inTurn(2, world);
  let sandbox: TestSandbox;
  let proxy: Proxy;
  let engine: Engine;
  /** Symbols of two futures that are held from the day before, and the units of each. */
  let futures: { symbol: string; lot: number }[];

  beforeEach(async () => {
    forgetInstruments();
    forgetSessionLots();
    sandbox = await testSandbox({ orderInterface, hours: 'exchange', start: BOUGHT_ON, rateLimit: 'off' });
    proxy = await startProxy(sandbox.url);
    engine = await Engine.start({ ...sandbox.credential, sandboxBaseUrl: proxy.url });
    futures = [];
    for (const asset of ['BANKNIFTY', 'NIFTY']) {
      const { items } = await engine.run({
        ...{ resource: 'instrument', operation: 'search', query: asset, limit: 50, options: { kinds: ['FUT'] } },
      });
      const future = items.map(({ json }) => json).find((item) => item.asset === asset)!;
      const [symbol, lot] = [String(future.symbol), Number(future.lot_size)];
      futures.push({ symbol, lot });
      const bought = { priceType: 'MARKET', product: 'CNC', quantity: lot, options: { waitFor: 'filled' } };
      const { error } = await engine.run(orderForm({ ...bySymbol(symbol), ...bought } as INodeParameters));
      if (error !== undefined) throw new Error(allTextOf(error));
    }
    await sandbox.control('POST', 'clock', { set: NEXT_DAY });
    forgetInstruments();
  });
  afterEach(async () => {
    await proxy.close();
    await sandbox.close();
  });

  /** Lets some of the next readings lack the first of the positions. @param lacks says so of a reading, by its number */
  const lack = (lacks: (reading: number) => boolean): void => {
    let readings = 0;
    const { symbol } = futures[0]!;
    proxy.change = ({ method, path }, reply) => {
      if (method !== 'GET' || !path.endsWith('/portfolio/positions')) return undefined;
      readings += 1;
      if (!lacks(readings)) return undefined;
      const without = JSON.stringify(JSON.parse(reply.text), (_, value: unknown) =>
        Array.isArray(value) ? value.filter((item) => !JSON.stringify(item).includes(symbol)) : value,
      );
      return { ...reply, headers: { ...reply.headers, 'content-type': 'application/json' }, text: without };
    };
  };
  const exitAll = async (): Promise<{ results: unknown[]; said: string }> => {
    const { items, error } = await engine.run({ resource: 'portfolio', operation: 'exitAll', closeAt: 'market' });
    return { results: items.map(({ json }) => [json.symbol, json.result]).sort(), said: error?.message ?? '' };
  };
  const setTarget = async (): Promise<{ item: IDataObject | undefined; said: string }> => {
    const [{ symbol, lot }] = futures as [{ symbol: string; lot: number }];
    const { items, error } = await engine.run(
      {
        ...{ resource: 'order', operation: 'setTargetPosition', ...bySymbol(symbol), target: lot },
        ...{ quantityUnit: 'units', product: 'CNC', openOrders: 'count', closeAt: 'market' },
      },
      { typeVersion: 1.1 },
    );
    return { item: items[0]?.json, said: error?.message ?? '' };
  };
  const held = async (): Promise<unknown[]> => {
    proxy.change = undefined;
    const { items } = await engine.run({
      ...{ resource: 'portfolio', operation: 'getPositions', returnAll: true, simplify: true },
    });
    return items.filter(({ json }) => json.segment !== 'closed').map(({ json }) => json.symbol);
  };

  it.each(
    share(
      [
        ['the first reading', (reading: number) => reading === 1],
        ['the second reading', (reading: number) => reading === 2],
        ['the first two readings', (reading: number) => reading <= 2],
        ['every second reading', (reading: number) => reading % 2 === 0 && reading < 12],
        ['each reading for some seconds', (reading: number) => reading > 1 && reading < 9],
      ] as const,
      5,
      2 * world,
    ),
  )('Exit All closes a position that %s lacks', async (_, lacks) => {
    lack(lacks);
    const { results, said } = await exitAll();
    expect(said).toBe('');
    expect(results).toEqual(futures.map(({ symbol }) => [symbol, 'closed']).sort());
    expect(await held()).toEqual([]);
  });

  itInTurn('Exit All names a position that was shown today and is shown no more, and closes the others', async () => {
    lack((reading) => reading > 1);
    const { said } = await exitAll();
    expect(said).toMatch(
      new RegExp(
        `1 of 2 positions is not closed.*${futures[0]!.symbol}, Carried over\\) was not changed, because the list of positions lacks it, showed ${futures[0]!.lot} of it at 09:2\\d:\\d\\d`,
      ),
    );
    expect(await held()).toEqual([futures[0]!.symbol]);
  });

  itInTurn(
    'Set Target Position buys nothing again while the list lacks a position that it has shown today',
    async () => {
      const before = await sandbox.ordersReceived();
      expect((await setTarget()).item).toMatchObject({ held_qty: futures[0]!.lot, orders: [] });
      lack(() => true);
      expect((await setTarget()).said).toContain('the list of positions lacks it');
      lack((reading) => reading < 6);
      expect((await setTarget()).item).toMatchObject({ held_qty: futures[0]!.lot, orders: [] });
      expect((await sandbox.ordersReceived()) - before).toBe(0);
    },
  );

  itInTurn('a position that was closed is not called lacking, also if the list drops it', async () => {
    expect((await setTarget()).said).toBe('');
    expect((await exitAll()).said).toBe('');
    lack(() => true);
    expect(await exitAll()).toEqual({ results: [], said: '' });
  });
});
