/** The exchange beside a symbol, as items, sheets and alerts have it: an order goes there and nowhere else. */
import type { IDataObject } from 'n8n-workflow';
import { Engine, allTextOf } from '../support/engine';
import { orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

let sandbox: TestSandbox;
let engine: Engine;
beforeAll(async () => {
  sandbox = await testSandbox();
  engine = await Engine.start(sandbox.credential);
});
afterAll(async () => await sandbox.close());

const preview = async (json: IDataObject, expression: string): Promise<string> => {
  const { items, error } = await engine.run(
    orderForm({
      instrument: { __rl: true, mode: 'symbol', value: expression },
      quantity: 1,
      product: 'CNC',
      price: 1_300,
      safety: { dryRun: true },
    } as never),
    { typeVersion: 1.2, items: [{ json }] },
  );
  return error === undefined ? String(items[0]?.json.exchange) : allTextOf(error);
};

it.each([
  [{ symbol: 'RELIANCE', exchange: 'BSE' }, 'BSE'],
  [{ symbol: 'RELIANCE', exchange: 'bse' }, 'BSE'],
  [{ symbol: ' RELIANCE ', exchange: 'BSE_EQ' }, 'BSE'],
  [{ symbol: 'RELIANCE', exchange: 'NSE_DLY' }, 'NSE'],
  [{ symbol: 'RELIANCE' }, 'NSE'],
])('the exchange of an item %j is %s', async (json, exchange) => {
  expect(await preview(json, '={{ $json.symbol }}')).toBe(exchange);
});

it.each([
  [{ symbol: 'RELIANCE', exchange: 'BSE' }, 'symbol', 'BSE'],
  [{ ticker: 'RELIANCE', exchange: 'BSE_DLY', price: '1,300.5' }, 'ticker', 'BSE'],
  [{ ticker: 'RELIANCE', exchange: 'NSE' }, 'ticker', 'NSE'],
  [{ ticker: 'NSE:RELIANCE', exchange: 'BSE' }, 'ticker', 'NSE'],
])('the exchange in the body %j of an alert, read by its %s, is %s', async (body, key, exchange) => {
  expect(await preview({ headers: {}, body }, `={{ $json.body.${key} }}`)).toBe(exchange);
});

it.each([
  [{ Symbol: 'RELIANCE', Exchange: 'BSE' }, 'Symbol', 'BSE'],
  [{ SYMBOL: 'RELIANCE ', EXCHANGE: 'BSE', QTY: '5' }, 'SYMBOL', 'BSE'],
  [{ tradingsymbol: 'RELIANCE', exchange: 'BSE' }, 'tradingsymbol', 'BSE'],
  [{ tradingSymbol: 'RELIANCE', exchangeSegment: 'BSE_EQ' }, 'tradingSymbol', 'BSE'],
  [{ 'Stock Name': 'RELIANCE', Exch: 'BSE' }, 'Stock Name', 'BSE'],
  [{ tsym: 'RELIANCE', exch_seg: 'bse_cm' }, 'tsym', 'BSE'],
  [{ symbol: 'RELIANCE', exchange: '', exch: 'BSE' }, 'symbol', 'BSE'],
  [{ symbol: 'RELIANCE', exchange: 10 }, 'symbol', 'NSE'],
])('the exchange of the row %j, read by its %s, is %s', async (json: IDataObject, key, exchange) => {
  expect(await preview(json, `={{ $json[${JSON.stringify(key)}] }}`)).toBe(exchange);
});

it('is found in what lies in the body of an alert', async () => {
  const body = { alert: { stock: 'RELIANCE', exchange: 'BSE' }, other: { stock: 'TCS', exchange: 'NSE' } };
  expect(await preview({ body }, '={{ $json.body.alert.stock }}')).toBe('BSE');
});

it('counts for each symbol of a list', async () => {
  const { items, error } = await engine.run(
    {
      resource: 'quote',
      operation: 'getCurrentPrice',
      instrument: { __rl: true, mode: 'symbol', value: '={{ $json.stocks }}' },
    },
    { typeVersion: 1.2, items: [{ json: { stocks: 'RELIANCE,TCS', exchange: 'BSE' } }] },
  );
  expect(error).toBeUndefined();
  expect(items.map(({ json }) => json.exchange)).toEqual(['BSE', 'BSE']);
});

it('counts for the leg of a basket', async () => {
  const { items } = await engine.run({
    resource: 'instrument',
    operation: 'getMany',
    filters: { underlying: 'NIFTY', kinds: ['OPT'], optionType: 'CE' },
    limit: 1,
  });
  const { symbol } = items[0]!.json;
  const placed = async (exchange: string): Promise<string> => {
    const instrument = { __rl: true, mode: 'symbol', value: '={{ $json.contract }}' };
    const { error } = await engine.run(
      {
        ...{ resource: 'basket', operation: 'place', name: 'One', side: 'BUY', product: 'IDAY' },
        ...{ priceType: 'LIMIT', price: 10, safety: { dryRun: true } },
        legs: { leg: [{ instrument, quantity: 1, quantityUnit: 'lots', side: 'BUY' }] },
      } as never,
      { typeVersion: 1.2, items: [{ json: { contract: symbol, exchange } }] },
    );
    return error === undefined ? 'placed' : allTextOf(error);
  };
  expect(await placed('NFO')).toBe('placed');
  expect(await placed('BFO')).toContain(`There is no instrument "${String(symbol)}" on BSE today.`);
  expect(await placed('CDS')).toContain('is "CDS", which is not NSE, BSE or MCX.');
});

it.each(['NYSE', '{{exchange}}', 'BINANCE'])('an exchange of other shares, %s, is refused', async (exchange) => {
  expect(await preview({ body: { symbol: 'INFY', exchange } }, '={{ $json.body.symbol }}')).toContain(
    `The exchange beside INFY is "${exchange}", which is not NSE, BSE or MCX.`,
  );
});

it('a share is not bought where the exchange beside it has contracts alone', async () => {
  const exchange = 'nfo';
  expect(await preview({ body: { symbol: 'RELIANCE', exchange } }, '={{ $json.body.symbol }}')).toContain(
    'Only its contracts are traded there. Name one, such as RELIANCE ',
  );
});

it('is not taken from beside another symbol', async () => {
  expect(await preview({ body: { symbol: 'TCS', exchange: 'BSE' } }, 'RELIANCE')).toBe('NSE');
});
