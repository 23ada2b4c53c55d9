/** Search while typing over all instruments of all exchanges. */
import MiniSearch from 'minisearch';
import { MasterParser } from '../client/instruments/parser';
import { prepareSearch, searchInstruments } from '../client/instruments/search';
import { InstrumentStore } from '../client/instruments/store';
import { masterJson, masterRows } from '../test/support/master';
import { percentile, type MakeRow } from './row';

const TODAY = '2026-11-20';
/** Typical search texts, letter by letter. */
const TYPED = [
  'NIFTY 24500 CE',
  'INFOSYS',
  'RELIANCE',
  'HDFC BANK',
  'BANKNIFTY FUT',
  'NIFTY26NOV24500CE',
  'M&M',
  'INDUSTRIES LTD',
  'nifty 8 dec 24400 pe',
  'nifty 26000 call next week',
  'bank nifty 53000 put monthly',
  'tata',
  'reliance industries 1400 ce dec',
  'infosys dec fut',
  'nifty fin service',
  'zzzz',
];
const queries = TYPED.flatMap((text) => Array.from({ length: text.length }, (_, at) => text.slice(0, at + 1)));

const make: MakeRow = ({ short }) => {
  const count = short ? 5_000 : 250_000;
  const rows = [...masterRows(count)];
  const json = masterJson(rows);
  const parser = new MasterParser();
  parser.push(json);
  parser.finish();
  const store = new InstrumentStore(parser.columns, parser.envelope, TODAY);
  prepareSearch(store);
  const objects = rows.map((row) => ({
    ...row,
    text: `${row.stock_name} ${row.asset} ${row.plat_name}`.toUpperCase(),
  }));
  const mini = new MiniSearch<{ id: number; text: string }>({
    fields: ['text'],
    searchOptions: { prefix: true, combineWith: 'AND' },
  });
  mini.addAll(objects.map(({ text }, id) => ({ id, text })));

  const ours = (query: string) =>
    searchInstruments([store], query, { today: TODAY, limit: 50 }).map(({ row }) => store.instrument(row));
  const scan = (query: string) => {
    const words = query.toUpperCase().split(' ');
    const found: object[] = [];
    for (const object of objects) {
      if (words.every((word) => object.text.includes(word))) found.push(object);
      if (found.length === 50) break;
    }
    return found;
  };
  const all = (item: (query: string) => unknown) => () => queries.forEach((query) => item(query));
  return {
    title: 'Search while typing',
    work: `${queries.length} beginnings of ${TYPED.length} texts over ${count} instruments`,
    sides: [
      { name: 'ours', role: 'ours', run: all(ours) },
      { name: 'linear scan of objects', role: 'alternative', run: all(scan), rounds: 3 },
      { name: 'MiniSearch', role: 'alternative', run: all((query) => mini.search(query).slice(0, 50)), rounds: 3 },
    ],
    memory: true,
    goals: [],
    figures: () => {
      const times: number[] = [];
      for (let round = 0; round < (short ? 1 : 30); round++) {
        for (const query of queries) {
          const from = performance.now();
          ours(query);
          times.push(performance.now() - from);
        }
      }
      const symbols = rows
        .filter((_, at) => at % 997 === 0)
        .map(({ asset, expiry, stock_name }) => (expiry === 0 ? asset : stock_name));
      const lookups = short ? 100 : 100_000;
      const from = performance.now();
      for (let at = 0; at < lookups; at++) store.rowsOfSymbol(symbols[at % symbols.length]!);
      const each = ((performance.now() - from) / lookups) * 1000;
      return [
        { name: '99th percentile of a search', value: percentile(times, 99), unit: 'ms', atMost: 3 },
        { name: 'median of a search', value: percentile(times, 50), unit: 'ms' },
        { name: 'exact symbol', value: each, unit: 'µs', atMost: 5 },
      ];
    },
  };
};
export default make;
