/**
 * Filters with what sheets, alerts and people put into them: each is understood in its meaning, or refused in words. One that means nothing
 * is neither "all" nor "none".
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Engine } from '../support/engine';
import { lastPrice } from '../support/last-price';
import { bySymbol, orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;
beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off', orderInterface: 'v2' });
  engine = await Engine.start(sandbox.credential);
  const price = Math.floor((await lastPrice(engine)) * 0.93);
  for (const instrument of [bySymbol('INFY'), bySymbol('BSE:INFY')])
    await engine.run({ ...orderForm({ price, options: { tag: 'morning', waitFor: 'accepted' } }), ...instrument });
  await sandbox.control('POST', 'clock', { advance: 'PT5S' });
  await engine.run(orderForm({ priceType: 'MARKET', product: 'IDAY', quantity: 2, options: { waitFor: 'filled' } }));
});
afterAll(async () => await sandbox.close());

/** Number of orders that are open. */
const open = async (): Promise<number> =>
  (await engine.run({ resource: 'order', operation: 'getMany', returnAll: true, filters: { statuses: ['OPEN'] } }))
    .items.length;

const SYMBOLS: readonly (readonly [what: string, text: string, exchanges: readonly string[]])[] = [
  ['a symbol', 'infy', ['BSE', 'NSE']],
  ['a symbol with a sign that nobody sees', 'INFY\u200b', ['BSE', 'NSE']],
  ['an ISIN', 'INE009A01021', ['BSE', 'NSE']],
  ['a company', 'Infosys', ['BSE', 'NSE']],
  ['a symbol with its series', 'INFY-EQ', ['BSE', 'NSE']],
  ['an exchange before it', 'NSE:INFY', ['NSE']],
  ['another exchange before it', 'BSE:INFY', ['BSE']],
  ['several with semicolons', 'TCS; BSE:INFY', ['BSE']],
  ['one that has no order', 'WIPRO', []],
];

it.each(SYMBOLS)('the symbols of Cancel All and the symbol of Get Many may be %s', async (_, text, exchanges) => {
  const seen = ({ items }: { items: { json: IDataObject }[] }): unknown[] =>
    [...new Set(items.map(({ json }) => json.exchange))].sort();
  const listed = { resource: 'order', operation: 'getMany', returnAll: true };
  expect(seen(await engine.run({ ...listed, filters: { symbol: text, statuses: ['OPEN'] } }))).toEqual(exchanges);
  await engine.setCredential({ ...sandbox.credential, dryRun: true });
  const cancelled = await engine.run({ resource: 'order', operation: 'cancelAll', filters: { symbols: text } });
  await engine.setCredential(sandbox.credential);
  expect(cancelled.error).toBeUndefined();
  expect(seen(cancelled)).toEqual(exchanges);
});

it('Cancel All by a symbol that an order names asks for no list of instruments, which may be slow to come', async () => {
  const other = await testSandbox({ rateLimit: 'off', orderInterface: 'v2' });
  const { refId } = other.running.sandbox.world.universe().bySymbol('NSE', 'INFY')!;
  const limit = { kind: 'LIMIT', price: 115_000, side: 'BUY', quantity: 1, product: 'CNC' };
  await other.control('POST', 'page/orders', { phone: String(other.credential.phone), ref_id: refId, ...limit });
  await other.control('POST', 'clock', { advance: 'PT5S' });
  const fault = {
    match: { method: 'GET', path: '/refdata/*' },
    action: 'drop_before',
    times: 1,
  };
  await other.control('POST', 'faults', fault);
  const alone = await Engine.start({ ...other.credential, dryRun: true });
  const cancelled = await alone.run({ resource: 'order', operation: 'cancelAll', filters: { symbols: 'infy' } });
  expect(cancelled.items.map(({ json }) => json.would_cancel)).toEqual([true]);
  expect(await other.control('GET', 'faults')).toMatchObject([{ used: 0 }]);
  await other.close();
});

const NOTHING = [
  '#N/A',
  '#REF!',
  'undefined',
  'null',
  '[object Object]',
  '{{ticker}}',
  '\u200b',
  ' , ,',
  'INFY TCS',
  'NONE',
  '5%',
];

it.each<[string, INodeParameters, string]>([
  ['Cancel All', { resource: 'order', operation: 'cancelAll' }, 'symbols'],
  ['Exit All', { resource: 'portfolio', operation: 'exitAll', closeAt: 'market' }, 'symbols'],
  ['Get Many of orders', { resource: 'order', operation: 'getMany' }, 'symbol'],
])('%s refuses symbols that mean nothing, and does nothing', async (_, parameters, field) => {
  const before = await open();
  for (const text of NOTHING) {
    const { error, items } = await engine.run(
      { ...parameters, filters: { [field]: '={{ $json.text }}' } },
      {
        items: [{ json: { text } }],
      },
    );
    expect([text, items.length, error?.context?.parameter]).toEqual([text, 0, field]);
    expect(`${error?.message} ${error?.description}`).not.toMatch(/cannot read|\[object Object\],|is not a function/i);
  }
  expect(await open()).toBe(before);
});

it.each<[string, INodeParameters, string]>([
  ['Exit All with a tag that cannot be', { operation: 'exitAll', options: { tag: 'a b' } }, 'tag'],
  ['Exit All with a tag that nothing has filled in', { operation: 'exitAll', options: { tag: 'undefined' } }, 'tag'],
  [
    'Exit All with a key of missing data',
    { operation: 'exitAll', options: { idempotencyKey: '#N/A' } },
    'idempotencyKey',
  ],
  [
    'Set Target Position with a tag that cannot be',
    {
      ...{ resource: 'order', operation: 'setTargetPosition', ...bySymbol('INFY'), target: 0, product: 'CNC' },
      ...{ openOrders: 'cancel', holdings: 'keep', options: { tag: 'a b' } },
    },
    'tag',
  ],
])('%s is refused before an order is cancelled', async (_, parameters, parameter) => {
  const before = await open();
  const { error, items } = await engine.run({ resource: 'portfolio', closeAt: 'market', ...parameters });
  expect([items.length, error?.context?.parameter]).toEqual([0, parameter]);
  expect(await open()).toBe(before);
});

it('Exit All closes what a symbol means as people write it', async () => {
  const { items, error } = await engine.run({
    ...{ resource: 'portfolio', operation: 'exitAll', closeAt: 'market' },
    filters: { symbols: 'NSE:INFY-EQ', products: ['IDAY'] },
    safety: { dryRun: true },
  });
  expect(error).toBeUndefined();
  expect(items.map(({ json }) => json.symbol)).toEqual(['INFY']);
});

it.each<[string, INodeParameters]>([
  ['Get Many of orders', { resource: 'order', operation: 'getMany' }],
  ['Get Many of baskets', { resource: 'basket', operation: 'getMany' }],
  ['Cancel All', { resource: 'order', operation: 'cancelAll' }],
])('%s refuses a tag that nothing has filled in', async (_, parameters) => {
  for (const tag of [
    '#N/A',
    'undefined',
    '{{strategy.order.id}}',
    ...(parameters.operation === 'getMany' ? [' , '] : []),
  ]) {
    const { error, items } = await engine.run({ ...parameters, filters: { tag } });
    expect([tag, items.length, error?.context?.parameter]).toEqual([tag, 0, 'tag']);
  }
});

it.each<[string, INodeParameters, string]>([
  ['an ISIN that is none', { isin: '#N/A' }, 'isin'],
  ['a symbol in place of an ISIN', { isin: 'INFY' }, 'isin'],
  ['a series that the exchange has not', { series: 'ZZ' }, 'series'],
  ['a series that nothing has filled in', { series: 'null' }, 'series'],
  ['an underlying that the exchange has not', { underlying: 'NOPE' }, 'underlying'],
  ['an underlying that nothing has filled in', { underlying: '{{ticker}}' }, 'underlying'],
  ['expiries the wrong way round', { expiryFrom: '2026-12-31', expiryTo: '2026-12-01' }, 'expiryFrom'],
  ['strikes the wrong way round', { strikeFrom: 26_000, strikeTo: 25_000 }, 'strikeFrom'],
])('instruments are not filtered by %s', async (_, filters, parameter) => {
  for (const operation of ['getMany', 'downloadMaster']) {
    const { error, items } = await engine.run({ resource: 'instrument', operation, filters });
    expect([operation, items.length, error?.context?.parameter]).toEqual([operation, 0, parameter]);
  }
});

it.each([
  ['in small letters', { isin: 'ine009a01021' }],
  ['with blanks', { isin: ' INE 009A 01021\u200b' }],
  ['with its series in small letters', { isin: 'INE009A01021', series: 'eq' }],
])('an ISIN is read %s', async (_, filters) => {
  const { items } = await engine.run({ resource: 'instrument', operation: 'getMany', filters });
  expect(items.map(({ json }) => json.symbol)).toContain('INFY');
});

it.each(['#N/A', 'undefined', '{{ticker}}'])('rows of an end-of-day file are not filtered by %s', async (value) => {
  const { error } = await engine.run({
    ...{ resource: 'bhavcopy', operation: 'getRows', type: 'BhavcopyCM', limit: 3 },
    columnFilters: { filter: [{ column: 'TckrSymb', value }] },
  });
  expect(error?.message).toContain('which says nothing');
  expect(error?.context).toMatchObject({ parameter: 'columnFilters' });
});

it.each<[string, INodeParameters, string]>([
  ['Search For', { resource: 'instrument', operation: 'search', query: '#N/A' }, 'query'],
  ['Tag', orderForm({ options: { tag: 'undefined' } }), 'tag'],
  [
    'When There Is No Data',
    { resource: 'report', operation: 'view', report: 'ledger', dates: 'lastMonth', options: { whenEmpty: 'none' } },
    'whenEmpty',
  ],
])('%s is refused before anything is asked for', async (_, parameters, parameter) => {
  const { error, items } = await engine.run(parameters);
  expect([items.length, error?.context?.parameter]).toEqual([0, parameter]);
});
