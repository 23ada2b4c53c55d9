/** Value of contracts: the exchange's own units against a real master, and a refusal where nothing tells them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import {
  contractOf,
  contractValue,
  isCommoditySymbol,
  isKnownContract,
  type KnownContract,
  whyUnvalued,
} from '../../../client/values/contract-value';
import { createMarket } from '../../../sandbox/src/market/prices/market';
import { describeWith, SHARED_DATA } from '../../support/needs';
import { IS_WHOLE, share } from '../../support/sample';

const mcx = (asset: string, lotSize: number, qtyMultiplier?: number) =>
  contractOf({ exchange: 'MCX', asset, lotSize, ...(qtyMultiplier !== undefined && { qtyMultiplier }) });

const market = createMarket({ seed: 3, universe: 'full' });
const universe = market.universe(Date.parse('2026-08-21T12:00:00+05:30'));

it.each([
  ['GOLD', 1, 100],
  ['GOLDM', 100, 10],
  ['GOLDGUINEA', 8, 1],
  ['ZINC', 5, 5_000],
  ['ALUMINIUM', 5, 5_000],
  ['CRUDEOIL', 100, 100],
  ['NATURALGAS', 1_250, 1_250],
  ['SILVERMIC', 1, 1],
  ['GOLDPETAL', 1, 1],
])('a rupee of price on one lot of %s, of %i, is worth %i rupees in sandbox and client', (asset, lotSize, rupees) => {
  const [future] = universe.futures('MCX', asset);
  expect(future).toMatchObject({ lotSize, lotMultiplier: rupees });
  expect(contractValue(mcx(asset, lotSize, rupees) as KnownContract, 100, lotSize)).toBe(100 * rupees);
});

it('a commodity whose lot is not what the exchange says is worth nothing that anybody can tell, unless the row tells it', () => {
  expect(mcx('GOLD', 1).lotMultiplier).toBeNull();
  expect(mcx('GOLD', 1, 100).lotMultiplier).toBe(100);
  expect(mcx('GOLD', 100).lotMultiplier).toBe(100);
  expect(mcx('CRUDEOIL', 100).lotMultiplier).toBe(100);
  expect(mcx('UNHEARDOF', 1).lotMultiplier).toBeNull();
  expect(mcx('constructor', 1).lotMultiplier).toBeNull();
  expect(contractOf({ exchange: 'NSE', asset: 'GOLD', assetType: 'COM_FO', lotSize: 1 }).lotMultiplier).toBeNull();
  expect(contractOf({ exchange: 'NSE', asset: 'NIFTY', lotSize: 65 }).lotMultiplier).toBe(65);
  expect(contractOf({ exchange: 'NSE', asset: 'INFY', lotSize: 0 }).lotMultiplier).toBe(1);
  expect(whyUnvalued({ ...mcx('GOLD', 1), symbol: 'GOLD26DECFUT', asset: 'GOLD' })).toMatch(
    /GOLD26DECFUT.*a lot of 1.*₹100 on one lot/,
  );
  expect(whyUnvalued({ ...mcx('UNHEARDOF', 7), symbol: 'UNHEARDOF26DECFUT', asset: 'UNHEARDOF' })).toBe(
    'what UNHEARDOF26DECFUT is worth cannot be told: the service gives a lot of 7, its unit is not known, and nothing says in which unit the quantity is counted.',
  );
  expect([mcx('GOLD', 1), mcx('GOLD', 1, 100)].map(isKnownContract)).toEqual([false, true]);
  for (const multiplier of [0, -1, 1.5, NaN]) expect(mcx('GOLD', 1, multiplier).lotMultiplier).toBeNull();
  for (const multiplier of ['100', null])
    expect(
      contractOf({ exchange: 'MCX', asset: 'GOLD', lotSize: 1, qtyMultiplier: multiplier }).lotMultiplier,
    ).toBeNull();
  expect([
    isCommoditySymbol('GOLD26DECFUT'),
    isCommoditySymbol('GOLDBEES'),
    isCommoditySymbol('SILVER10026DECFUT'),
  ]).toEqual([true, false, true]);
});

it('a quantity that is no whole lot is worth its units to the paisa, where a lot is worth its units', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000 }),
      fc.integer({ min: -20_000_000, max: 20_000_000 }),
      fc.integer({ min: -10_000, max: 10_000 }),
      (lot, price, quantity) => {
        const contract = contractOf({ exchange: 'NSE', asset: 'INFY', lotSize: lot }) as KnownContract;
        expect(contractValue(contract, price, quantity)).toBe(price * quantity);
      },
    ),
  );
});

it('every row of the universe has a multiplier, and whole lots of it are worth whole paise, linear in lots and price', () => {
  // In `npm test` those of MCX, whose lots are not the units of a price.
  const rows = share(['MCX', 'NSE', 'BSE'] as const, 3, 0).flatMap((exchange) => [...universe.all(exchange)]);
  expect(rows.length).toBeGreaterThan(IS_WHOLE ? 100_000 : 2_000);
  for (const { lotSize, lotMultiplier, exchange, symbol } of rows) {
    if (!(Number.isSafeInteger(lotMultiplier) && lotMultiplier > 0)) throw new Error(`${symbol}: ${lotMultiplier}`);
    if (exchange !== 'MCX' && lotMultiplier !== lotSize) throw new Error(`${symbol}: ${lotMultiplier} of ${lotSize}`);
  }
  fc.assert(
    fc.property(
      fc.constantFrom(...rows.filter(({ exchange }) => exchange === 'MCX')),
      fc.integer({ min: -20_000_000, max: 20_000_000 }),
      fc.integer({ min: -1_000, max: 1_000 }),
      (row, price, lots) => {
        const { exchange, asset, lotSize, lotMultiplier } = row;
        const contract = contractOf({ exchange, asset, lotSize, qtyMultiplier: lotMultiplier });
        expect(isKnownContract(contract)).toBe(true);
        const value = contractValue(contract as KnownContract, price, lots * lotSize);
        expect(BigInt(value)).toBe(BigInt(price) * BigInt(lots) * BigInt(lotMultiplier));
      },
    ),
  );
});

describeWith(SHARED_DATA, 'A real instrument master', (data) => {
  it('has the multiplier and the ticks of every commodity, of futures and of options', () => {
    interface MasterRow {
      segment: string;
      underlying_symbol: string;
      instrument_type: string;
      lot_size: number;
      qty_multiplier: number;
      tick_size: number;
    }
    const file = path.join(data, 'instruments', 'instruments_all_exchanges_202608.json.gz');
    // Of 50 MB of JSON its rows alone are read.
    const found =
      gunzipSync(readFileSync(file))
        .toString('latin1')
        .match(/\{[^{}]*"segment":"MCX_FO"[^{}]*\}/g) ?? [];
    const rows = found.map((row) => JSON.parse(row) as MasterRow);
    const terms = new Map<string, number[]>();
    for (const row of rows) {
      const kind = row.instrument_type === 'FUT' ? 'FUT' : 'OPT';
      terms.set(`${row.underlying_symbol} ${kind}`, [row.lot_size, row.qty_multiplier, row.tick_size]);
    }
    // The client has the exchange's units by itself: a lot that is one of them needs nobody to tell it.
    const unknown = rows.filter(
      (row) => mcx(row.underlying_symbol, row.qty_multiplier).lotMultiplier !== row.qty_multiplier,
    );
    expect(unknown).toEqual([]);
    const ours = new Map<string, number[]>();
    for (const { asset, derivativeType, lotSize, lotMultiplier, tickSize } of universe.all('MCX'))
      ours.set(`${asset} ${derivativeType}`, [lotSize, lotMultiplier, tickSize]);
    expect(Object.fromEntries([...ours].sort())).toEqual(Object.fromEntries([...terms].sort()));
  });
});
