/** A position from before a change of its lot: its whole lots are closed, and the rest is told. */
import type { INodeParameters } from 'n8n-workflow';
import { forgetInstruments } from '../../client/instruments/catalogue';
import { forgetSessionLots } from '../../client/instruments/session-lots';
import { Engine, allTextOf } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { testSandbox } from '../support/sandbox';
import { share } from '../support/sample';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const REST = 'is less than its lot of 650, and the exchange takes whole lots only';

it.each(share(['v2', 'intent'] as const, 2, 1))(
  'closes 650 of 1,100 and says what is left, with the interface %s',
  async (of) => {
    forgetInstruments();
    forgetSessionLots();
    const sandbox = await testSandbox({ orderInterface: of, hours: 'exchange', start: '2025-12-31T14:00:00+05:30' });
    const engine = await Engine.start(sandbox.credential);
    const run = async (parameters: INodeParameters, typeVersion = 1.1) => {
      const { items, error } = await engine.run(parameters, { typeVersion });
      return { items: items.map(({ json }) => json), said: error === undefined ? '' : allTextOf(error) };
    };
    const search = { query: 'HDFCBANK', limit: 20, options: { kinds: ['FUT'] } };
    const { items: found } = await run({ resource: 'instrument', operation: 'search', ...search });
    const future = found.find(({ asset, expiry }) => asset === 'HDFCBANK' && String(expiry) > '2026-01-05')!;
    const instrument = bySymbol(String(future.symbol));
    const bought = {
      priceType: 'MARKET',
      price: undefined,
      product: 'CNC',
      quantity: 1100,
      options: { waitFor: 'filled' },
    };
    expect((await run(orderForm({ ...instrument, ...bought } as never))).said).toBe('');
    await sandbox.control('POST', 'clock', { set: '2026-01-01T09:20:00+05:30' });
    forgetInstruments();

    const exits = { exitsIn: 'percent', stopLoss: 3 };
    const protect = { resource: 'portfolio', operation: 'protectPosition', ...instrument, exits, simplify: true };
    expect((await run(protect)).said).toContain(
      '1100 of HDFCBANK Jan future (HDFCBANK26JANFUT) are not whole lots of 650',
    );
    const flat = {
      resource: 'order',
      operation: 'setTargetPosition',
      target: 0,
      quantityUnit: 'units',
      product: 'CNC',
    };
    const target = async (units: number, left: string, more: INodeParameters = {}) =>
      await run({ ...flat, ...instrument, target: units, openOrders: 'count', options: { whenLeft: left }, ...more });
    const { items: dry } = await target(0, 'items', { safety: { dryRun: true } });
    expect(JSON.stringify(dry[0]!.would_send)).toMatch(/"(order_qty|qty)":650\b/);
    expect(dry[0]!.would_send_orders ?? 1).toBe(1);
    expect((await target(650, 'error')).said).toContain(`450 of HDFCBANK Jan future (HDFCBANK26JANFUT) ${REST}`);

    const close = { resource: 'portfolio', closeAt: 'market' };
    const exit = await run({ ...close, operation: 'exitPosition', product: 'CNC', ...instrument });
    expect(exit.said).toContain(
      `HDFCBANK Jan future (HDFCBANK26JANFUT, Carried over): 450 of HDFCBANK Jan future ${REST}`,
    );
    expect(exit.said).toContain('Placed before this error');
    expect((await run({ ...close, operation: 'exitAll' })).said).toContain(REST);
    const { items: held } = await run({
      resource: 'portfolio',
      operation: 'getPositions',
      returnAll: true,
      simplify: true,
    });
    expect(held).toMatchObject([{ symbol: 'HDFCBANK26JANFUT', qty: 450 }]);
    await sandbox.close();
  },
);
