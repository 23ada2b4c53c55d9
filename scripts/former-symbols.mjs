/**
 * Writes the sandbox's table of former symbols: sandbox/src/market/reference/data/former_symbols.csv.
 * Usage: node scripts/former-symbols.mjs DATE CHANGES.csv [BHAVCOPY.csv …]
 * CHANGES.csv is NSE's list of symbol changes (old symbol, new symbol, day such as 18-Dec-20), DATE its day (YYYY-MM-DD). A
 * bhavcopy of an earlier day with ISINs adds symbols that the list lacks: their day is that of the bhavcopy, after which the
 * symbol changed. Symbols that lead to no share of equities.csv are left out.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { DateTime } from 'luxon';

const [date, changes, ...earlierFiles] = process.argv.slice(2);
if (changes === undefined || !/^\d{4}-\d\d-\d\d$/.test(date)) {
  console.error('Usage: node scripts/former-symbols.mjs DATE CHANGES.csv [BHAVCOPY.csv …]');
  process.exit(1);
}

const DATA = path.resolve(import.meta.dirname, '../sandbox/src/market/reference/data');
const read = (file, options = {}) =>
  parse(readFileSync(file, 'utf8'), {
    columns: (heading) => heading.map((name) => name.trim()),
    trim: true,
    bom: true,
    relax_column_count: true,
    ...options,
  });
const dayOf = (text) => {
  const word = text.toLowerCase().replace(/-[a-z]/, (letter) => letter.toUpperCase());
  const found = ['dd-MMM-yy', 'dd-MMM-yyyy', 'yyyy-MM-dd'].map((form) =>
    DateTime.fromFormat(word, form, { locale: 'en' }),
  );
  const day = found.find(({ isValid }) => isValid);
  if (day === undefined) throw new Error(`"${text}" is not a day`);
  return day.toISODate();
};

const shares = read(path.join(DATA, 'equities.csv'), { comment: '#' }).filter(({ symbol }) => symbol !== '');
const today = new Set(shares.map(({ symbol }) => symbol));
const byIsin = new Map(shares.map((share) => [share.isin, share.symbol]));
const changed = read(changes)
  .map((row) => Object.values(row).slice(-3))
  .map(([from, to, day]) => ({ from, to, day: dayOf(day) }))
  .filter(({ from, to }) => from !== to);

/** Today's symbol of what was called so until a day. */
function followed(symbol, day, depth = 0) {
  const next = changed
    .filter((change) => change.from === symbol && change.day >= day)
    .sort((a, b) => (a.day < b.day ? -1 : 1))[0];
  if (next === undefined || depth > 9) return today.has(symbol) ? symbol : undefined;
  return followed(next.to, next.day, depth + 1);
}

const rows = new Map();
for (const { from, to, day } of changed) {
  const symbol = followed(to, day);
  if (symbol !== undefined && symbol !== from) rows.set(from, { until: day, symbol });
}
const renamedSymbols = new Set(rows.keys());
for (const file of earlierFiles)
  for (const row of read(file)) {
    const from = row.SYMBOL ?? row.TckrSymb;
    const symbol = byIsin.get(row.ISIN);
    if (symbol === undefined || symbol === from || renamedSymbols.has(from)) continue;
    const until = dayOf(row.TIMESTAMP ?? row.TradDt);
    if (!((rows.get(from)?.until ?? '') > until)) rows.set(from, { until, symbol });
  }

const lines = [...rows]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([former, { until, symbol }]) => `${former},${until},${symbol}`);
writeFileSync(
  path.join(DATA, 'former_symbols.csv'),
  `# Symbols on NSE under which today's shares were listed before. effective_from ${date}.
# Sources: NSE's list of symbol changes of ${date}; ISINs of ${earlierFiles.length} earlier end-of-day files. Made by scripts/former-symbols.mjs; do not edit.
# until: the day from which on it had another one; where only a file tells of it, the day of that file.
former,until,symbol
${lines.join('\n')}
`,
);
console.log(`${lines.length} former symbols.`);
