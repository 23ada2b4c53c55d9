/**
 * Every label, platform name and symbol of whole lists reads back as its own instrument: of the sandbox's full universe, over the
 * end of a year, and of the rows of a real master. TEST_ALL=1 tries all of them, and each exchange on both days; else NSE of the sandbox on one, and BSE of the master.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { InputError } from '../../../client/base/errors';
import { labelOf, type Instrument } from '../../../client/instruments/instrument';
import { resolveText } from '../../../client/instruments/resolve';
import { InstrumentStore } from '../../../client/instruments/store';
import { masterRows } from '../../../sandbox/src/http/instruments';
import { createMarket } from '../../../sandbox/src/market/prices/market';
import { SERVICE_DIALECTS, type ServiceDialect } from '../../../sandbox/src/simulation/dialect';
import { describeWith, SHARED_DATA } from '../../support/needs';
import { IS_WHOLE, share } from '../../support/sample';
import { parse, storeOf } from './support';

/** One row in so many with TEST_ALL=1: all of them take a processor for a quarter of an hour. */
const WHOLE_EVERY = Number(process.env['NAMES_EVERY'] ?? 31);

const EXCHANGES = ['NSE', 'BSE', 'MCX'] as const;

/** Names of an instrument that are its own. */
function namesOf(instrument: Instrument, more: readonly string[] = []): string[] {
  const label = labelOf(instrument);
  const { symbol, platName, expiry } = instrument;
  return [label, symbol, platName, ...(expiry === null ? [] : [label.split(' · ')[0]!]), ...more];
}

/**
 * Describes how a name is read wrongly: as another instrument, or the reason of the refusal. Undefined where it is read
 * as the instrument.
 */
function wrong(store: InstrumentStore, instrument: Instrument, name: string, today: string): string | undefined {
  try {
    const found = resolveText([store], name, { today });
    if (found.refId === instrument.refId) return undefined;
    // A bare symbol of several series is the ordinary one; the label tells the others.
    const isTwin = instrument.expiry === null && found.symbol === instrument.symbol && name !== labelOf(instrument);
    return isTwin ? undefined : `${name} is ${labelOf(found)}`;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const isAsked = name !== labelOf(instrument) && instrument.expiry === null && error.message.includes(' can mean ');
    return isAsked ? undefined : `${name}: ${error.message}`;
  }
}

/** Every how manieth row is tried; all with TEST_ALL=1. */
function spoiled(
  store: InstrumentStore,
  today: string,
  every: number,
  more: (row: number) => readonly string[] = () => [],
): { tried: number; wrong: string[] } {
  const found: string[] = [];
  let tried = 0;
  for (let row = 0; row < store.size; row += IS_WHOLE ? WHOLE_EVERY : every) {
    const instrument = store.instrument(row);
    for (const name of namesOf(instrument, more(row))) {
      tried += 1;
      const error = wrong(store, instrument, name, today);
      if (error !== undefined) found.push(error);
    }
  }
  return { tried, wrong: found };
}

const DAYS = ['2026-12-24', '2026-11-20'];

describe.each(share(DAYS, 2, 0))('the full universe of the sandbox on %s', (today) => {
  const market = createMarket({ seed: 3, universe: 'full' });
  const at = Date.parse(`${today}T12:00:00+05:30`);
  const dialect = Object.fromEntries(
    Object.entries(SERVICE_DIALECTS).map(([name, [first]]) => [name, first]),
  ) as unknown as ServiceDialect;

  it.each(share(EXCHANGES, 3, 2))('%s: each name leads back to its instrument', (exchange) => {
    const rows = [...masterRows(market, market.universe(at), exchange, at, 'acme', dialect)];
    const parser = parse(Buffer.from(`{"exchange":"${exchange}","is_trading_on":true,"refdata":[${rows.join(',')}]}`));
    const store = new InstrumentStore(parser.columns, parser.envelope, today);
    expect(store.size).toBeGreaterThan(exchange === 'MCX' ? 2_000 : 8_000);
    const { tried, wrong: found } = spoiled(store, today, 197);
    expect([tried > 100, found]).toEqual([true, []]);
  });
});

type RealRow = Record<string, string | number | boolean>;

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** The symbol under which the service lists a contract (docs/service/instruments.md#platform-names). */
function symbolOf(row: RealRow, expiry: string): string {
  const [year, month, day] = [expiry.slice(2, 4), Number(expiry.slice(4, 6)), expiry.slice(6)];
  const code = row['weekly'] === true ? `${'123456789OND'[month - 1]}${day}` : MONTHS[month - 1];
  const end = row['instrument_type'] === 'FUT' ? 'FUT' : `${row['strike_price']}${row['instrument_type']}`;
  return `${row['underlying_symbol']}${year}${code}${end}`;
}

function listedAs(row: RealRow, at: number): object {
  const [segment, exchange] = [String(row['segment']), String(row['exchange'])];
  const symbol = String(row['trading_symbol']);
  const base = { ref_id: at + 1, exchange, lot_size: row['lot_size'] ?? 1, tick_size: 5, token: 900_000_000 + at };
  if (segment.endsWith('_INDEX')) {
    const name = symbol.replaceAll(' ', '');
    const platform = `INDEX_${name}.${exchange}CM`;
    return {
      ...base,
      stock_name: name,
      asset: name,
      derivative_type: 'INDEX',
      asset_type: 'INDEX',
      plat_name: platform,
    };
  }
  if (segment.endsWith('_EQ')) {
    const platform = `STOCK_${symbol}.${exchange}CM`;
    const token = Number(row['exchange_token']);
    return {
      ...base,
      token,
      stock_name: symbol,
      asset: symbol,
      derivative_type: 'STOCK',
      asset_type: 'EQUITY',
      series: row['instrument_type'],
      isin: row['isin'],
      plat_name: platform,
    };
  }
  const expiry = new Date(Number(row['expiry']) + 5.5 * 3_600_000).toISOString().slice(0, 10).replaceAll('-', '');
  const isFuture = row['instrument_type'] === 'FUT';
  const strike = Math.round(Number(row['strike_price'] ?? 0) * 100);
  const asset = row['underlying_symbol'];
  return {
    ...base,
    stock_name: symbolOf(row, expiry),
    asset,
    derivative_type: isFuture ? 'FUT' : 'OPT',
    asset_type: 'INDEX_FO',
    expiry: Number(expiry),
    strike_price: isFuture ? 0 : strike,
    option_type: isFuture ? 'N/A' : row['instrument_type'],
    plat_name: isFuture ? `FUT_${asset}_${expiry}` : `OPT_${asset}_${expiry}_${row['instrument_type']}_${strike}`,
  };
}

describeWith(SHARED_DATA, 'the rows of a real master', (folder) => {
  const today = '2026-08-21';
  let all: RealRow[];
  beforeAll(() => {
    const file = path.join(folder, 'instruments', 'instruments_all_exchanges_202608.json.gz');
    all = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as RealRow[];
  });

  it.each(share(EXCHANGES, 3, 1))('%s: each name leads back to its instrument', (exchange) => {
    const rows = all.filter(
      ({ segment, expiry }) =>
        ['EQ', 'FO', 'INDEX'].some((kind) => segment === `${exchange}_${kind}`) &&
        (expiry === undefined || Number(expiry) > Date.parse(`${today}T00:00:00+05:30`)),
    );
    const store = storeOf(Buffer.from(JSON.stringify({ exchange, refdata: rows.map(listedAs) })));
    expect(store.size).toBe(rows.length);
    // As that broker writes contracts: UNITDSPR 1340 PE 25 AUG 26.
    const asWritten = (row: number): string[] =>
      rows[row]!['expiry'] === undefined ? [] : [String(rows[row]!['trading_symbol'])];
    const { tried, wrong: found } = spoiled(store, today, 61, asWritten);
    expect([tried > 100, found]).toEqual([true, []]);
  });
});
