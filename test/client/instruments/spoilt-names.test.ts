/**
 * Names drawn by a grammar with one part spoilt: none is taken for an instrument that its whole text does not name. What a text names
 * is told by the sandbox's reader of file names, which was written by itself.
 */
import fc from 'fast-check';
import { InputError, NotListedError } from '../../../client/base/errors';
import type { Instrument } from '../../../client/instruments/instrument';
import { resolveText } from '../../../client/instruments/resolve';
import { InstrumentStore } from '../../../client/instruments/store';
import { showDate } from '../../../client/values/time';
import { masterRows } from '../../../sandbox/src/http/instruments';
import { createMarket } from '../../../sandbox/src/market/prices/market';
import { resolveInstrument } from '../../../sandbox/src/market/recordings/instrument-names';
import { AssetCatalog } from '../../../sandbox/src/market/reference/catalog';
import { equities } from '../../../sandbox/src/market/reference/dated-tables';
import { SERVICE_DIALECTS, type ServiceDialect } from '../../../sandbox/src/simulation/dialect';
import { IS_WHOLE, share } from '../../support/sample';
import { parse } from './support';

const TODAY = '2026-11-20';
const NAMES = Number(process.env['SPOILT_NAMES'] ?? (IS_WHOLE ? 2_000 : 125));

const market = createMarket({ seed: 3, universe: 'full' });
const at = Date.parse(`${TODAY}T12:00:00+05:30`);
const dialect = Object.fromEntries(
  Object.entries(SERVICE_DIALECTS).map(([name, [first]]) => [name, first]),
) as unknown as ServiceDialect;
const stores = share(['NSE', 'BSE'] as const, 2, 0).map((exchange) => {
  const rows = [...masterRows(market, market.universe(at), exchange, at, 'acme', dialect)];
  const parser = parse(Buffer.from(`{"exchange":"${exchange}","refdata":[${rows.join(',')}]}`));
  return new InstrumentStore(parser.columns, parser.envelope, TODAY);
});
const catalog = new AssetCatalog();
const all = Array.from({ length: stores[0]!.size }, (_, row) => row);
const ofKind = (kind: string, series?: string): Instrument[] =>
  all
    .filter((row) => stores[0]!.kind(row) === kind && (series === undefined || stores[0]!.series(row) === series))
    .map((row) => stores[0]!.instrument(row));
const SHARES = ofKind('STOCK', 'EQ');
const FUTURES = ofKind('FUT');
const OPTIONS = ofKind('OPT');

const INDEX_NAMES: Record<string, readonly string[]> = {
  NIFTY: ['NIFTY', 'NIFTY 50', 'Nifty50', 'CNX Nifty'],
  BANKNIFTY: ['BANKNIFTY', 'NIFTY BANK', 'Bank Nifty', 'CNX Bank'],
  FINNIFTY: ['FINNIFTY', 'NIFTY FIN SERVICE'],
  MIDCPNIFTY: ['MIDCPNIFTY', 'NIFTY MID SELECT'],
};
const writtenAs = (symbol: string): fc.Arbitrary<string> => fc.constantFrom(...(INDEX_NAMES[symbol] ?? [symbol]));

/** A good name: its parts in their order, and how they are joined. */
interface Drawn {
  underlying: string;
  /** Words after the underlying; empty for a share or an index. */
  terms: string[];
}

const drawn: fc.Arbitrary<Drawn> = fc.oneof(
  fc.constantFrom(...SHARES).map(({ symbol }) => ({ underlying: symbol, terms: [] })),
  fc
    .constantFrom(...Object.keys(INDEX_NAMES))
    .chain((symbol) => writtenAs(symbol).map((underlying) => ({ underlying, terms: [] }))),
  fc
    .constantFrom(...FUTURES)
    .chain(({ asset, expiry }) =>
      writtenAs(asset).map((underlying) => ({ underlying, terms: [showDate(expiry!), 'FUT'] })),
    ),
  fc
    .constantFrom(...OPTIONS)
    .chain(({ asset, expiry, strikePrice, optionType }) =>
      fc
        .tuple(writtenAs(asset), fc.constantFrom(optionType!, optionType === 'CE' ? 'call' : 'put'))
        .map(([underlying, type]) => ({ underlying, terms: [showDate(expiry!), String(strikePrice! / 100), type] })),
    ),
);

const INDEX_WORDS = [
  'MIDCAP',
  'IT',
  'METAL',
  'PHARMA',
  'NEXT',
  'SMALLCAP',
  'PSU',
  'FMCG',
  'BANK',
  '100',
  '500',
  'JUNIOR',
];
const STRAY = ['XYZ', 'SPOT', 'ETF', 'BUY', 'SELL', '2X', 'MINI', '@', 'WEEKLY', '1.5', 'LTD X', '()', 'BEES'];
const PREFIXES = ['NASDAQ:', 'NYSE:', 'CDS:', 'BINANCE:', 'NSE:BSE:'];

/** One part of it spoilt, as a text. */
const spoilt: fc.Arbitrary<string> = drawn.chain(({ underlying, terms }) => {
  const whole = [underlying, ...terms];
  const inserted = (words: readonly string[]): fc.Arbitrary<string> =>
    fc
      .tuple(fc.constantFrom(...words), fc.nat(whole.length))
      .map(([word, place]) => [...whole.slice(0, place), word, ...whole.slice(place)].join(' '));
  const changes = [
    inserted(INDEX_WORDS),
    inserted(STRAY),
    fc.constantFrom(...PREFIXES).map((prefix) => prefix + whole.join(' ')),
  ];
  if (terms.length === 3) {
    const [expiry, strike, type] = terms as [string, string, string];
    changes.push(
      fc
        .constantFrom(`${strike}9`, `${strike}.05`, '1', '9999999', `-${strike}`, `${strike} ${strike}`)
        .map((other) => [underlying, expiry, other, type].join(' ')),
      fc.constantFrom('CE PE', 'FUT', `${type} ${type}`).map((other) => [underlying, expiry, strike, other].join(' ')),
      fc
        .constantFrom('1 Jan 2020', '31 Feb 2027', '32 Dec 2026', '22 Nov 2026')
        .map((other) => [underlying, other, strike, type].join(' ')),
    );
  }
  return fc.oneof(...changes);
});

const squashed = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** Names of companies as the exchange's files have them, by symbol: MANKIND PHARMA is one. */
const COMPANIES = new Map(
  equities().map(({ symbol, name }) => [symbol, squashed(name.replace(/\s(LIMITED|LTD\.?)$/i, ''))]),
);

/** True if a text is the name of a share, an index or an underlying, by what the sandbox knows of names. */
function isNameOf(text: string, symbol: string): boolean {
  const own = resolveInstrument(catalog, text);
  if (own !== undefined && 'symbol' in own && own.symbol === symbol) return true;
  return [squashed(symbol), COMPANIES.get(symbol)].includes(squashed(text));
}

/** True if the whole text names the instrument, by what the sandbox knows of names, and by each word behind the underlying. */
function isNamed(text: string, { symbol, asset, expiry, strikePrice, optionType }: Instrument): boolean {
  // SMALLCAP BSE is the fund SMALLCAP on BSE.
  if (expiry === null) return isNameOf(text, symbol) || isNameOf(text.replace(/\s(NSE|BSE)$/i, ''), symbol);
  const words = text.toUpperCase().split(/\s+/);
  const terms = [
    ...showDate(expiry).toUpperCase().split(' '),
    ...(strikePrice === null
      ? ['FUT']
      : [String(strikePrice / 100), ...(optionType === 'CE' ? ['CE', 'CALL'] : ['PE', 'PUT'])]),
  ];
  // Each term once: what is left is the underlying, and nothing else.
  const rest = [...words];
  for (const term of terms) {
    const place = rest.lastIndexOf(term);
    if (place >= 0) rest.splice(place, 1);
  }
  return isNameOf(rest.join(' '), asset);
}

it(`none of ${NAMES} names with one part spoilt is taken for an instrument that it does not name`, () => {
  let taken = 0;
  fc.assert(
    fc.property(spoilt, (text) => {
      let found: Instrument;
      try {
        found = resolveText(stores, text, { today: TODAY });
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        return;
      }
      taken += 1;
      expect([text, found.symbol, isNamed(text, found)]).toEqual([text, found.symbol, true]);
    }),
    { numRuns: NAMES },
  );
  // Some are names of others (NIFTY IT); most are nothing.
  expect(taken).toBeLessThan(NAMES / 10);
});

it('a symbol with a word of signs is no name of the share that was once called so', () => {
  // DVL was DTIL before another share was called so.
  expect(resolveText(stores, 'DTIL', { today: TODAY }).symbol).toBe('DTIL');
  for (const text of ['() DTIL', 'DTIL @', '! DTIL'])
    expect(() => resolveText(stores, text, { today: TODAY })).toThrow(NotListedError);
});

it('the same names are understood where nothing is spoilt', () => {
  fc.assert(
    fc.property(drawn, ({ underlying, terms }) => {
      const found = resolveText(stores, [underlying, ...terms].join(' '), { today: TODAY });
      expect(isNamed([underlying, ...terms].join(' '), found)).toBe(true);
    }),
    { numRuns: 300 },
  );
});
