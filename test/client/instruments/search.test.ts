import { searchInstruments } from '../../../client/instruments/search';
import { labelOf } from '../../../client/instruments/instrument';
import { masterJson, masterRows } from '../../support/master';
import { TODAY, madeStore, storeOf } from './support';

const store = madeStore();
const find = (text: string, more = {}) =>
  searchInstruments([store], text, { today: TODAY, limit: 20, ...more }).map(({ store: from, row }) =>
    from.symbol(row),
  );

describe('ranking', () => {
  it('puts the exact symbol first, then its futures, then what begins so', () => {
    const symbols = find('nifty');
    expect(symbols.slice(0, 4)).toEqual(['NIFTY', 'NIFTY26NOVFUT', 'NIFTY26DECFUT', 'NIFTY27JANFUT']);
    // The options next to the money of the nearest expiry come first among the options.
    expect(new Set(symbols.slice(4, 6))).toEqual(new Set(['NIFTY26NOV24500CE', 'NIFTY26NOV24500PE']));
  });

  it('finds a share by the beginning of its symbol, by words of its name, by ISIN and by ref_id', () => {
    expect(find('INF')[0]).toBe('INFY');
    expect(find('infosys')[0]).toBe('INFY');
    expect(find('lim infosys')[0]).toBe('INFY');
    expect(find('hdfc bank')[0]).toBe('HDFCBANK');
    expect(find('M&M')[0]).toBe('M&M');
    const infy = store.instrument(store.rowsOfSymbol('INFY')[0]!);
    expect(find(infy.isin!)).toEqual(['INFY']);
    expect(find(String(infy.refId))[0]).toBe('INFY');
  });

  it('finds contracts as people type them', () => {
    expect(find('nifty 24500 ce')[0]).toBe('NIFTY26NOV24500CE');
    expect(find('nifty 24500 ce 8 dec')).toEqual(['NIFTY26120824500CE']);
    expect(find('nifty 24500ce dec')[0]).toBe('NIFTY26120124500CE');
    expect(find('banknifty fut').every((symbol) => /^BANKNIFTY.*FUT$/.test(symbol))).toBe(true);
    expect(find('NIFTY26NOV245').slice(0, 2).sort()).toEqual(['NIFTY26NOV24500CE', 'NIFTY26NOV24500PE']);
    expect(find('NIFTY26NOV24500CE')[0]).toBe('NIFTY26NOV24500CE');
  });

  it('finds contracts in words', () => {
    // Today is Friday, 20 November: next week is that of the 24th.
    expect(find('nifty 24500 call next week')).toEqual(['NIFTY26NOV24500CE']);
    expect(find('nifty 24500 call next month')).toEqual([
      'NIFTY26120124500CE',
      'NIFTY26120824500CE',
      'NIFTY26121524500CE',
      'NIFTY26DEC24500CE',
    ]);
    expect(find('nifty 24500 put monthly')[0]).toBe('NIFTY26NOV24500PE');
    expect(find('nifty 24500 put weekly')[0]).toBe('NIFTY26120124500PE');
    expect(find('nifty 24.5k call december').slice(0, 1)).toEqual(['NIFTY26120124500CE']);
    expect(find('call of nifty strike 24,500 for 8th december')).toEqual(find('nifty 24500 call 8 dec'));
    expect(find('nifty 50 24500 call expiring 24 nov 2026')).toEqual(['NIFTY26NOV24500CE']);
    expect(find('nifty bank future')[0]).toBe('BANKNIFTY26NOVFUT');
    expect(find('bank nifty 53000 put next week')).toEqual(['BANKNIFTY26NOV53000PE']);
    expect(find('reliance industries 1400 ce')[0]).toBe('RELIANCE26NOV1400CE');
    expect(find('hdfc fut')[0]).toBe('HDFCBANK26NOVFUT');
    expect(find('nifty 24500 call this week')).toEqual([]);
  });

  it.each([
    'nifty 24500 call n',
    'nifty 24500 call ne',
    'nifty 24500 call next',
    'nifty 24500 call next w',
    'nifty 24500 ca',
    'nifty 24500 call nex',
  ])('finds an instrument while it is typed: %s', (text) => {
    expect(find(text)[0]).toBe('NIFTY26NOV24500CE');
  });

  it('puts the strike that was typed whole before those that only begin so', () => {
    expect(find('reliance 140 ce')[0]).toMatch(/^RELIANCE26NOV140\dCE$|^RELIANCE26NOV1400CE$/);
    expect(find('nifty 2450 ce')[0]).toBe('NIFTY26NOV24500CE');
  });

  it('finds indices by their other names, whole and in part', () => {
    for (const text of ['nifty bank', 'bank nifty', 'cnx bank', 'Nifty Ban']) expect(find(text)[0]).toBe('BANKNIFTY');
    expect(find('nifty 50')[0]).toBe('NIFTY');
    // Where an index cannot be chosen, its futures can.
    expect(find('nifty bank', { kinds: ['STOCK', 'FUT', 'OPT'] })[0]).toBe('BANKNIFTY26NOVFUT');
  });

  it('keeps to the kinds that are wanted, and to the exchange that is named', () => {
    expect(find('nifty', { kinds: ['OPT'] }).every((symbol) => /[CP]E$/.test(symbol))).toBe(true);
    expect(find('nifty', { kinds: ['INDEX'] })).toEqual(['NIFTY', 'BANKNIFTY']);
    expect(find('BSE:INFY')).toEqual([]);
    expect(find('nse:infy')[0]).toBe('INFY');
  });

  it('never shows an expired contract', () => {
    const texts = ['nifty', 'nifty 24500 ce', 'NIFTY26NOV', 'nifty fut'];
    for (const text of texts) {
      for (const { row } of searchInstruments([store], text, { today: '2026-11-25', limit: 500 })) {
        const expiry = store.expiry(row);
        expect(expiry === 0 || expiry > 20261124).toBe(true);
      }
    }
    expect(find('NIFTY26NOV24500CE', { today: '2026-11-24' })).toHaveLength(1);
  });

  it.each(['', '   ', '\r\n', '((((', '\\', '%', '*', '__proto__', '\u{1F600}', 'x'.repeat(200), '/../', "'; DROP"])(
    'takes %p without a fault',
    (text) => {
      expect(Array.isArray(find(text))).toBe(true);
    },
  );

  it.each([' ', 'x', '1', 'NSE ', 'é\t'])('refuses a text of thousands of %p, and shows how it begins', (part) => {
    const text = part.repeat(4_500);
    expect(() => find(text)).toThrow(
      `The search is ${text.length.toLocaleString('en-US')} characters long: at most 200 are read. It begins with ${JSON.stringify(`${text.slice(0, 80)}…`)}`,
    );
  });

  it('keeps to the limit and shows each row once', () => {
    const all = find('n', { limit: 7 });
    expect(all).toHaveLength(7);
    const many = searchInstruments([store], 'nifty', { today: TODAY, limit: 100_000 });
    expect(new Set(many.map(({ row }) => row)).size).toBe(many.length);
  });
});

it('mixes exchanges by how well they fit, and tells twins apart', () => {
  const other = storeOf(masterJson(masterRows(2_000, 'BSE'), { exchange: 'BSE' }));
  const hits = searchInstruments([store, other], 'INFY', { today: TODAY, limit: 4 });
  expect(
    hits
      .map((hit) => hit.store.instrument(hit.row))
      .map(({ exchange, symbol }) => `${exchange}:${symbol}`)
      .slice(0, 2),
  ).toEqual(['NSE:INFY', 'BSE:INFY']);
  const labels = searchInstruments([store, other], 'nifty', { today: TODAY, limit: 200 }).map((hit) =>
    labelOf(hit.store.instrument(hit.row)),
  );
  expect(new Set(labels).size).toBe(labels.length);
  expect(labelOf(store.instrument(store.rowsOfSymbol('INFY')[0]!))).toBe('INFY · INFOSYS LIMITED · NSE EQ');
  expect(labelOf(store.instrument(store.rowsOfSymbol('NIFTY26NOV24500CE')[0]!))).toBe(
    'NIFTY 24 Nov 2026 24500 CE · NSE OPT · lot 65 · NIFTY26NOV24500CE',
  );
});

describe('companies by their names, which the master does not have', () => {
  const rows = [
    ['INFY', 'INE009A01021'],
    ['LT', 'INE018A01030'],
    ['SBIN', 'INE062A01020'],
    ['M&M', 'INE101A01026'],
    ['TATAPOWER', 'INE245A01021'],
    ['TATASTEEL', 'INE081A01020'],
    ['TCS', 'INE467B01029'],
  ].map(
    ([symbol, isin], at) =>
      `{"ref_id":${at + 1},"stock_name":"${symbol}","asset":"${symbol}","derivative_type":"STOCK","series":"EQ","isin":"${isin}"}`,
  );
  const store = storeOf(Buffer.from(`{"exchange":"NSE","refdata":[${rows.join(',')}]}`));

  it.each([
    ['infosys', 'INFY'],
    ['larsen', 'LT'],
    ['larsen toubro', 'LT'],
    ['state bank', 'SBIN'],
    ['sbi', 'SBIN'],
    ['l&t', 'LT'],
    ['tcs', 'TCS'],
    ['mahindra', 'M&M'],
    ['tata power', 'TATAPOWER'],
    ['tata consultancy', 'TCS'],
  ])('%s finds %s', (text, symbol) => {
    const [hit] = searchInstruments([store], text, { today: TODAY, limit: 5 });
    expect(hit && store.symbol(hit.row)).toBe(symbol);
  });

  it('a word of several names finds all of them, before futures and options of any', () => {
    const derivatives = Array.from(
      { length: 60 },
      (_, at) =>
        `{"ref_id":${100 + at},"stock_name":"TATASTEEL26DEC${100 + at}CE","asset":"TATASTEEL","derivative_type":"OPT","option_type":"CE","strike_price":${(100 + at) * 100},"expiry":20261229}`,
    );
    const large = storeOf(Buffer.from(`{"exchange":"NSE","refdata":[${[...rows, ...derivatives].join(',')}]}`));
    const found = searchInstruments([large], 'tata', { today: TODAY, limit: 20 }).map(({ row }) => large.symbol(row));
    expect(found.slice(0, 3).sort()).toEqual(['TATAPOWER', 'TATASTEEL', 'TCS']);
  });
});
