/** Names as alerts and people write them (../shared/cases, "names"), in every place that takes one: all mean the same there. */
import type { INodeParameters } from 'n8n-workflow';
import { Engine, allTextOf } from '../support/engine';
import { bySymbol } from '../support/parameters';
import { share } from '../support/sample';
import { inTurn } from '../support/turns';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;
/** A strike near the money of NIFTY, which each expiry has. */
let strike: string;
beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off', universe: 'full' });
  engine = await Engine.start(sandbox.credential);
  const atm = await engine.run({
    resource: 'instrument',
    operation: 'getOptionByOffset',
    underlying: 'NIFTY',
    expiry: 'monthly',
  });
  if (atm.error !== undefined) throw new Error(allTextOf(atm.error));
  strike = String(Math.round(Number(atm.items[0]!.json.strike_price) / 500) * 500);
});
afterAll(async () => await sandbox.close());

/** {K} is the strike. The day is 20 November 2026; the 24th is a holiday, so that the week ends on the 23rd. */
const TABLE: [written: string, exchange: string, symbol: string][] = [
  ['M_M', 'NSE', 'M&M'],
  ['M%26M', 'NSE', 'M&M'],
  ['BAJAJ_AUTO', 'NSE', 'BAJAJ-AUTO'],
  ['J_KBANK', 'NSE', 'J&KBANK'],
  ['NAM_INDIA', 'NSE', 'NAM-INDIA'],
  ['INFY-EQ', 'NSE', 'INFY'],
  ['INFY.NS', 'NSE', 'INFY'],
  ['INFY.BO', 'BSE', 'INFY'],
  ['NSE:INFY', 'NSE', 'INFY'],
  ['NSE:INFY-EQ', 'NSE', 'INFY'],
  ['infosys', 'NSE', 'INFY'],
  ['INE009A01021', 'NSE', 'INFY'],
  ['BSE:500325', 'BSE', 'RELIANCE'],
  ['NIFTY 50', 'NSE', 'NIFTY'],
  ['NIFTY50', 'NSE', 'NIFTY'],
  ['NIFTY BANK', 'NSE', 'BANKNIFTY'],
  ['BANK NIFTY', 'NSE', 'BANKNIFTY'],
  ['NIFTY MID SELECT', 'NSE', 'MIDCPNIFTY'],
  ['NIFTY FIN SERVICE', 'NSE', 'FINNIFTY'],
  ['S&P BSE SENSEX', 'BSE', 'SENSEX'],
  ['NSE_INDEX:NIFTY', 'NSE', 'NIFTY'],
  ['CNX Bank', 'NSE', 'BANKNIFTY'],
  ['S&P CNX Nifty', 'NSE', 'NIFTY'],
  ['NIFTY1!', 'NSE', 'NIFTY26NOVFUT'],
  ['NIFTY2!', 'NSE', 'NIFTY26DECFUT'],
  ['BANKNIFTY1!', 'NSE', 'BANKNIFTY26NOVFUT'],
  ['NIFTY-I', 'NSE', 'NIFTY26NOVFUT'],
  ['NIFTY261123C{K}', 'NSE', 'NIFTY26NOV{K}CE'],
  ['NIFTY23NOV26{K}CE', 'NSE', 'NIFTY26NOV{K}CE'],
  ['NIFTY26NOV{K}CE', 'NSE', 'NIFTY26NOV{K}CE'],
  ['NIFTY26N23{K}CE', 'NSE', 'NIFTY26NOV{K}CE'],
  ['NIFTY26D01{K}CE', 'NSE', 'NIFTY26D01{K}CE'],
  ['NIFTY 1 Dec 2026 {K} call', 'NSE', 'NIFTY26D01{K}CE'],
  ['NFO:NIFTY26DECFUT', 'NSE', 'NIFTY26DECFUT'],
  ['BFO:SENSEX26DECFUT', 'BSE', 'SENSEX26DECFUT'],
  ['NIFTY29DEC26FUT', 'NSE', 'NIFTY26DECFUT'],
  ['BSE DEC FUT', 'NSE', 'BSE26DECFUT'],
];
const withStrike = (text: string): string => text.replace('{K}', strike);

const get = (parameters: INodeParameters): INodeParameters => ({
  resource: 'instrument',
  operation: 'get',
  ...parameters,
});

describe.each(TABLE)('%s', (written, exchange, expected) => {
  const names = () => ({ name: withStrike(written), symbol: withStrike(expected) });

  it('is understood in the field Instrument', async () => {
    const { name, symbol } = names();
    const { items, error } = await engine.run(get(bySymbol(name)));
    if (error !== undefined) throw new Error(`${name}: ${allTextOf(error)}`);
    expect(items.map(({ json }) => [json.exchange, json.symbol])).toEqual([[exchange, symbol]]);
  });

  const itInTurn = inTurn(4, TABLE.findIndex(([name]) => name === written) % 4);
  itInTurn('is the first that the picker shows', async () => {
    const { name, symbol } = names();
    const { results } = await engine.listSearch('searchInstruments', name);
    expect([
      name,
      String(results[0]?.value).split('/').slice(1, 2)[0],
      String(results[0]?.value).split('/').slice(3).join('/'),
    ]).toEqual([name, exchange, symbol]);
  });

  itInTurn('is understood as the argument of an agent', async () => {
    const { name, symbol } = names();
    const tool = engine.tool(get(bySymbol("={{ $fromAI('symbol', 'Which', 'string') }}")));
    expect(JSON.parse(await tool({ symbol: name }))).toMatchObject([{ exchange, symbol }]);
  });
});

/** Ways to write an underlying. */
const UNDERLYINGS = [
  ['M_M', 'NSE', 'M&M'],
  ['BAJAJ_AUTO', 'NSE', 'BAJAJ-AUTO'],
  ['M%26M', 'NSE', 'M&M'],
  ['INFY-EQ', 'NSE', 'INFY'],
  ['INFY.BO', 'BSE', 'INFY'],
  ['NSE:INFY', 'NSE', 'INFY'],
  ['NIFTY50', 'NSE', 'NIFTY'],
  ['NSE:INFY-EQ', 'NSE', 'INFY'],
  ['INFY.NS', 'NSE', 'INFY'],
  ['infosys', 'NSE', 'INFY'],
  ['NIFTY 50', 'NSE', 'NIFTY'],
  ['NIFTY BANK', 'NSE', 'BANKNIFTY'],
  ['BANK NIFTY', 'NSE', 'BANKNIFTY'],
  ['NIFTY MID SELECT', 'NSE', 'MIDCPNIFTY'],
  ['NIFTY FIN SERVICE', 'NSE', 'FINNIFTY'],
  ['NSE_INDEX:NIFTY', 'NSE', 'NIFTY'],
  ['S&P BSE SENSEX', 'BSE', 'SENSEX'],
] as const;

it.each(share(UNDERLYINGS, 8, 0))('%s is understood in the field Underlying', async (written, exchange, symbol) => {
  for (const operation of ['getExpiries', 'getOptionByOffset']) {
    const { items, error } = await engine.run({
      resource: 'instrument',
      operation,
      underlying: written,
      exchange,
      options: { spot: 1_000 },
    });
    if (error !== undefined) throw new Error(`${operation} of ${written}: ${allTextOf(error)}`);
    const [first] = items;
    expect(operation === 'getExpiries' ? first?.json.underlying : first?.json.asset).toBe(symbol);
  }
  const many = await engine.run({
    resource: 'instrument',
    operation: 'getMany',
    exchange,
    filters: { underlying: written, kinds: ['FUT'] },
  });
  expect(new Set(many.items.map(({ json }) => json.asset))).toEqual(new Set([symbol]));
  const chain = await engine.run({ resource: 'quote', operation: 'getOptionChain', underlying: written, exchange });
  expect(chain.items[0]?.json.asset).toBe(symbol);
});

it.each([
  ['larsen', 'LT'],
  ['state bank', 'SBIN'],
  ['tata motors', /^TM/],
  ['mahindra', 'M&M'],
])('the picker offers %s by the name of the company', async (text, symbol) => {
  const { results } = await engine.listSearch('searchInstruments', text);
  const symbols = results.map(({ value }) => String(value).split('/').slice(3).join('/'));
  expect(symbols.slice(0, 8)).toContainEqual(typeof symbol === 'string' ? symbol : expect.stringMatching(symbol));
});
