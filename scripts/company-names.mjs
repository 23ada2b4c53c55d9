/**
 * Writes the tables of company names and former symbols that the node ships: client/instruments/names/companies.data.ts.
 * Usage: node scripts/company-names.mjs EQUITY_L.csv DATE [BHAVCOPY.csv …]
 * EQUITY_L.csv is NSE's list of listed companies, DATE its day (YYYY-MM-DD). A bhavcopy of an earlier day with ISINs tells
 * under which symbol a share was listed then: one that differs from today's is a former symbol. Others are those of the
 * sandbox's table, which scripts/former-symbols.mjs makes of NSE's list of symbol changes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { format } from 'prettier';

const [list, date, ...earlierFiles] = process.argv.slice(2);
if (list === undefined || !/^\d{4}-\d\d-\d\d$/.test(date ?? '')) {
  console.error('Usage: node scripts/company-names.mjs EQUITY_L.csv DATE [BHAVCOPY.csv …]');
  process.exit(1);
}

const read = (file) =>
  parse(readFileSync(file, 'utf8'), {
    columns: (heading) => heading.map((name) => name.trim()),
    trim: true,
    bom: true,
    comment: '#',
    relax_column_count: true,
  });
const table = (name) =>
  read(path.join(import.meta.dirname, '..', 'sandbox', 'src', 'market', 'reference', 'data', `${name}.csv`));

/** Words at the end of a company's name that nobody types. */
const withoutForm = (name) =>
  name
    .replace(/\s+(limited|ltd\.?)$/i, '')
    .replace(/\s+/g, ' ')
    .trim();

const companies = new Map(
  read(list).map((row) => [
    row['ISIN NUMBER'],
    { symbol: row.SYMBOL ?? row.Symbol, name: withoutForm(row['NAME OF COMPANY'] ?? row['Security Name']) },
  ]),
);
const isins = new Map(table('equities').map(({ symbol, isin }) => [symbol, isin]));
const former = new Map(
  table('former_symbols').flatMap(({ former: symbol, symbol: today }) =>
    isins.has(today) ? [[symbol, isins.get(today)]] : [],
  ),
);
for (const file of earlierFiles)
  for (const row of read(file)) {
    const isin = row.ISIN;
    const symbol = row.SYMBOL ?? row.TckrSymb;
    const company = companies.get(isin);
    if (company !== undefined && company.symbol !== symbol) former.set(symbol, isin);
  }
// BAJAJAUTO was Bajaj Holdings, and is what people write for BAJAJ-AUTO now: no name of another company.
const signless = (symbol) => symbol.replace(/[^A-Z0-9]/g, '');
const today = new Map([...companies].map(([isin, { symbol }]) => [signless(symbol), isin]));
for (const [symbol, isin] of former) if ((today.get(signless(symbol)) ?? isin) !== isin) former.delete(symbol);

const text = (lines) => JSON.stringify(lines.join('\n'));
const byKey = (a, b) => (a < b ? -1 : 1);
const source = `/**
 * Names of the companies that NSE lists, and symbols under which their shares were listed before: facts of the exchange's own
 * files, by ISIN. Made by scripts/company-names.mjs of NSE's list of ${date}, ${earlierFiles.length} end-of-day files
 * and the sandbox's table of symbol changes; do not edit.
 */

/** A line for each company: the ISIN, a blank, the name without "Limited". */
export const COMPANY_NAMES = ${text([...companies].map(([isin, { name }]) => `${isin} ${name}`).sort(byKey))};

/** A line for each former symbol: the symbol, a blank, the ISIN. */
export const FORMER_SYMBOLS = ${text([...former].map(([symbol, isin]) => `${symbol} ${isin}`).sort(byKey))};
`;
const target = path.join(import.meta.dirname, '..', 'client', 'instruments', 'names', 'companies.data.ts');
writeFileSync(target, await format(source, { parser: 'typescript', singleQuote: true, printWidth: 120 }));
console.log(`${companies.size} companies, ${former.size} former symbols.`);
