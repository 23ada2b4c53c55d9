/**
 * Files in the forms that people keep, each spoilt by one fault: it is refused with file, place and what to do, or taken right. None is
 * taken for anything else: what is traded is then among the bars of the whole file.
 */
import { createCalendar } from '../../../../sandbox/src/market/reference/calendar';
import { AssetCatalog } from '../../../../sandbox/src/market/reference/catalog';
import { buildRecordings } from '../../../../sandbox/src/market/recordings/build-recordings';
import { readCandles } from '../../../../sandbox/src/market/recordings/csv';
import { OptionError } from '../../../../sandbox/src/shared/option-error';
import { createUniform } from '../../../../sandbox/src/shared/random';
import { IS_WHOLE } from '../../../support/sample';

const catalog = new AssetCatalog();
const days = createCalendar().days.equity;

/** Bars of a file: instrument, day, seconds and prices of each. @throws OptionError */
function barsOf(file: string, text: string): string[] {
  const { instruments } = buildRecordings([readCandles(file, text, {}, catalog)], catalog, days);
  return [...instruments].flatMap(([name, recording]) =>
    [...recording.days].flatMap(([day, recorded]) =>
      recorded
        .bars()
        .map(({ from, to, open, high, low, close, volume }) =>
          [name, day, from, to, open, high, low, close, volume].join(' '),
        ),
    ),
  );
}

const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** A form: how a bar is written. A bar has open, high, low, close in rupees, and a volume. */
interface Form {
  file: string;
  heading: string[];
  separator: string;
  row(at: number, prices: string[], volume: number): string[];
  count: number;
}

const DATES = ['2025-11-24', '2025-11-25', '2025-11-26', '2025-11-27', '2025-11-28'];
const MONTHS = { '11': 'Nov' } as Record<string, string>;
const parts = (date: string) => date.split('-') as [string, string, string];
const dayOf = (at: number) => DATES[at % DATES.length]!;
const OHLC = ['open', 'high', 'low', 'close'];
const grouped = (price: string) => `"${price.replace(/\B(?=(\d{3})+\.)/, ',')}"`;

const FORMS: Form[] = [
  {
    file: 'RELIANCE.csv',
    heading: ['time', ...OHLC, 'volume'],
    separator: ',',
    row: (at, prices, volume) => [`2025-11-27 ${clock(555 + at)}:00`, ...prices, String(volume)],
    count: 12,
  },
  {
    file: 'NSE_RELIANCE, 1D.csv',
    heading: ['time', ...OHLC, 'EMA', 'Volume'],
    separator: ',',
    row: (at, prices, volume) => [dayOf(at), ...prices, '0', String(volume)],
    count: 5,
  },
  {
    file: 'Quote-Equity-RELIANCE-EQ-24-11-2025-to-28-11-2025.csv',
    heading: ['"Date "', '"series "', '"OPEN "', '"HIGH "', '"LOW "', '"close "', '"VOLUME "'],
    separator: ',',
    row: (at, prices, volume) => {
      const [year, month, day] = parts(dayOf(at));
      return [`"${day}-${MONTHS[month]}-${year}"`, '"EQ"', ...prices.map(grouped), `"${volume}"`];
    },
    count: 5,
  },
  {
    file: 'GFDLCM_STOCK_27112025.csv',
    heading: ['Ticker', 'Date', 'Time', 'Open', 'High', 'Low', 'Close', 'Volume', 'Open Interest'],
    separator: ',',
    row: (at, prices, volume) => [
      'RELIANCE.NSE',
      '27/11/2025',
      `${clock(555 + at)}:59`,
      ...prices,
      String(volume),
      '0',
    ],
    count: 12,
  },
  {
    file: 'TCS.csv',
    heading: ['Date', 'Open', 'High', 'Low', 'Close', 'Volume'],
    separator: ';',
    row: (at, prices, volume) => {
      const [year, month, day] = parts(dayOf(at));
      return [`${day}.${month}.${year}`, ...prices.map((price) => price.replace('.', ',')), String(volume)];
    },
    count: 5,
  },
  {
    file: 'RELIANCE.txt',
    heading: ['<TICKER>', '<DTYYYYMMDD>', '<TIME>', '<OPEN>', '<HIGH>', '<LOW>', '<CLOSE>', '<VOL>'],
    separator: ',',
    row: (at, prices, volume) => [
      'RELIANCE',
      '20251127',
      `${clock(555 + 5 * at).replace(':', '')}00`,
      ...prices,
      String(volume),
    ],
    count: 12,
  },
  {
    file: 'INFY.csv',
    heading: ['Date', 'Time', 'Open', 'High', 'Low', 'Close', 'Volume'],
    separator: ',',
    row: (at, prices, volume) => {
      const minute = 555 + 31 * at;
      const twelve = `${((Math.floor(minute / 60) + 11) % 12) + 1}:${clock(minute).slice(3)}:00`;
      return ['27-11-2025', `${twelve} ${minute < 720 ? 'AM' : 'PM'}`, ...prices, String(volume)];
    },
    count: 12,
  },
  {
    file: 'history.csv',
    heading: ['symbol', 'timestamp', 'open', 'high', 'low', 'close', 'volume'],
    separator: ',',
    row: (at, prices, volume) => [
      'NSE:RELIANCE-EQ',
      String(Date.parse('2025-11-27T09:15:00+05:30') / 1000 + 60 * at),
      ...prices,
      String(volume),
    ],
    count: 12,
  },
  {
    file: 'RELIANCE.tsv',
    heading: ['date', ...OHLC, 'volume'],
    separator: '\t',
    row: (at, prices, volume) => [`2025-11-27T${clock(555 + 3 * at)}:00+05:30`, ...prices, String(volume)],
    count: 12,
  },
  {
    file: 'data.csv',
    heading: ['Date', ...OHLC.map((name) => `${name}_RELIANCE.NS`), 'volume_RELIANCE.NS'],
    separator: ',',
    row: (at, prices, volume) => [`2025-11-27 ${clock(555 + at)}:00`, ...prices, String(volume)],
    count: 12,
  },
  {
    file: 'INFY.csv',
    heading: ['Datum', 'Eröffnung', 'Hoch', 'Tief', 'Schluss', 'Volumen'],
    separator: ';',
    row: (at, prices, volume) => {
      const [year, month, day] = parts(dayOf(at));
      return [`${day}.${month}.${year}`, ...prices.map((price) => price.replace('.', ',')), String(volume)];
    },
    count: 5,
  },
];

const priceAt = (form: Form): number => form.heading.findIndex((name) => /open|Eröffnung/i.test(name));
/** A cell with another text: quotation marks stay. */
const replaced = (cell: string, text: string): string => (cell.startsWith('"') ? `"${text}"` : text);

type Lines = string[][];
/** Change to the lines of a file; the first is the heading. @param at the row that is spoilt, from 1 */
type Fault = [what: string, spoil: (lines: Lines, at: number, form: Form) => Lines | string];
const onRow =
  (change: (cells: string[], form: Form) => string[]): Fault[1] =>
  (lines, at, form) =>
    lines.with(at, change(lines[at]!, form));

const FAULTS: Fault[] = [
  ['a word for a price', onRow((cells, form) => cells.with(priceAt(form), 'abc'))],
  ['no close', onRow((cells, form) => cells.with(priceAt(form) + 3, ''))],
  ['a price of 0', onRow((cells, form) => cells.with(priceAt(form) + 2, '0'))],
  ['a price below 0', onRow((cells, form) => cells.with(priceAt(form) + 2, '-5.00'))],
  ['a point too many', onRow((cells, form) => cells.with(priceAt(form), replaced(cells[priceAt(form)]!, '1.5.00')))],
  [
    'prices in paise',
    onRow((cells, form) =>
      cells.map((cell, i) =>
        i >= priceAt(form) && i < priceAt(form) + 4 ? replaced(cell, cell.replace(/[".,]/g, '')) : cell,
      ),
    ),
  ],
  ['a cell too few', onRow((cells) => cells.slice(1))],
  ['a cell too many', onRow((cells) => [...cells, '7'])],
  [
    'high and low exchanged',
    onRow((cells, form) => {
      const high = priceAt(form) + 1;
      return cells.with(high, cells[high + 1]!).with(high + 1, cells[high]!);
    }),
  ],
  [
    'two headings exchanged',
    (lines, _at, form) => {
      const [high, heading] = [priceAt(form) + 1, lines[0]!];
      return lines.with(0, heading.with(high, heading[high + 1]!).with(high + 1, heading[high]!));
    },
  ],
  [
    'a heading twice',
    (lines, _at, form) => lines.with(0, lines[0]!.with(priceAt(form), lines[0]![priceAt(form) + 3]!)),
  ],
  ['a heading in the middle', (lines, at) => lines.toSpliced(at, 0, lines[0]!)],
  ['no heading', (lines) => lines.slice(1)],
  ['a row twice', (lines, at) => lines.toSpliced(at, 0, lines[at]!)],
  [
    'a row twice, with another close',
    (lines, at, form) => lines.toSpliced(at, 0, lines[at]!.with(priceAt(form) + 3, lines[at]![priceAt(form) + 2]!)),
  ],
  ['another year', onRow((cells) => cells.map((cell) => cell.replace('2025', '2205')))],
  ['a year of the past', onRow((cells) => cells.map((cell) => cell.replace('2025', '1925')))],
  [
    'a month that is none',
    onRow((cells) => cells.map((cell) => cell.replace(/([-./]|2025)11([-./]|2[78])/, '$113$2').replace('Nov', 'Nev'))),
  ],
  [
    'a word for the time',
    onRow((cells) => cells.map((cell) => (/^"?(RELIANCE|20|\d\d[./])/.test(cell) ? 'today' : cell))),
  ],
  [
    'a minute in its middle',
    onRow((cells) => cells.map((cell) => cell.replace(/(:\d\d:|\b09\d\d|\b10\d\d)(00|59)$/, '$130'))),
  ],
  [
    'times of UTC',
    (lines) =>
      lines.map((cells, i) =>
        i === 0
          ? cells
          : cells.map((cell) =>
              cell.replace(/\b(09|10):?(\d\d)/, (_all, hour: string, minute: string) => {
                const utc = Number(hour) * 60 + Number(minute) - 330;
                return clock(utc) + '';
              }),
            ),
      ),
  ],
  [
    'an open quotation mark',
    (lines, at) => lines.with(at, [`"${lines[at]![0]!.replaceAll('"', '')}`, ...lines[at]!.slice(1)]),
  ],
  ['a share that is not known', onRow((cells) => cells.map((cell) => cell.replace('RELIANCE', 'RELIANCX')))],
  ['rows in another order', (lines) => [lines[0]!, ...lines.slice(1).reverse()]],
  [
    'blank cells around',
    (lines) => lines.map((cells) => cells.map((cell) => (cell.startsWith('"') ? cell : ` ${cell} `))),
  ],
  [
    'lines of separators',
    (lines, at) =>
      lines.toSpliced(
        at,
        0,
        lines[0]!.map(() => ''),
      ),
  ],
  ['a line of dashes', (lines, at) => lines.toSpliced(at, 0, ['----------'])],
  ['a separator at the end of rows', (lines) => lines.map((cells, i) => (i === 0 ? cells : [...cells, '']))],
  ['another column', (lines) => lines.map((cells, i) => [...cells, i === 0 ? 'Remark' : 'x'])],
  [
    'an end of Windows and a mark',
    (lines, _at, form) => `\uFEFF${lines.map((cells) => cells.join(form.separator)).join('\r\n')}\r\n`,
  ],
  [
    'UTF-16',
    (lines, _at, form) =>
      Buffer.from(lines.map((cells) => cells.join(form.separator)).join('\n'), 'utf16le').toString(),
  ],
  ['half of a row', (lines, at, form) => lines.slice(0, at + 1).with(at, lines[at]!.slice(0, priceAt(form) + 2))],
  ['no row', (lines) => [lines[0]!]],
];

/** Bars that rise by a rupee each, or walk. @param draw gives numbers in [0, 1) */
function rowsOf(form: Form, draw?: () => number): Lines {
  let open = draw === undefined ? 1500 : 1400 + Math.floor(200 * draw());
  const bars = Array.from({ length: form.count }, (_, at) => {
    const close = draw === undefined ? open + 1 : open + Math.round(400 * (draw() - 0.5)) / 100;
    const [up, down] =
      draw === undefined ? [2.5, 2.25] : [Math.round(300 * draw()) / 100, Math.round(300 * draw()) / 100];
    const prices = [open, Math.max(open, close) + up, Math.min(open, close) - down, close];
    open = close;
    return form.row(
      at,
      prices.map((price) => price.toFixed(2)),
      draw === undefined ? 1000 + at : Math.floor(100_000 * draw()),
    );
  });
  return [form.heading, ...bars];
}

const textOf = (lines: Lines | string, form: Form): string =>
  typeof lines === 'string' ? lines : lines.map((cells) => cells.join(form.separator)).join('\n');

/** Describes what is wrong with how a spoilt file is taken; undefined where nothing is. */
function wrong(form: Form, what: string, spoil: Fault[1], at: number, lines = rowsOf(form)): string | undefined {
  const right = new Set(barsOf(form.file, textOf(lines, form)));
  try {
    const bars = barsOf(form.file, textOf(spoil(lines, at, form), form));
    const strange = bars.filter((bar) => !right.has(bar));
    if (strange.length === 0 && bars.length >= right.size - 1) return undefined;
    return `${form.file}, ${what}, row ${at}: ${bars.length} bars of ${right.size}, strange ${strange.slice(0, 2).join(' | ')}`;
  } catch (error) {
    const { message } = error as Error;
    const isSaid =
      error instanceof OptionError &&
      message.startsWith(`${form.file}, line `) &&
      /[;:] .*(correct|delete|write|say|save|fill|give|name|keep|end at)/.test(message);
    return isSaid ? undefined : `${form.file}, ${what}, row ${at}: ${message}`;
  }
}

it('files that are whole are taken, whatever their form', () => {
  for (const form of FORMS)
    expect([form.file, barsOf(form.file, textOf(rowsOf(form), form)).length]).toEqual([form.file, form.count]);
});

/** Rows that are spoilt: with TEST_ALL=1 more of them, 726 files in all. */
const ROWS = IS_WHOLE ? [2, 4] : [3];

it('files that are spoilt by one fault are taken right, or refused in words that name place and remedy', () => {
  const found = FORMS.flatMap((form) =>
    FAULTS.flatMap(([what, spoil]) => ROWS.map((at) => wrong(form, what, spoil, at))),
  );
  expect(found.length).toBeGreaterThan(190);
  expect(found.filter((text) => text !== undefined)).toEqual([]);
});

/** Number of files with prices, forms, faults and rows that are drawn: SPOILT_FILES of them, from SPOILT_SEED on. */
const FILES = Number(process.env['SPOILT_FILES'] ?? 60);
const SEED = Number(process.env['SPOILT_SEED'] ?? 1);

it(`${FILES} drawn files, each spoilt by one fault, are read right, or refused in words`, () => {
  const found = Array.from({ length: FILES }, (_, file) => {
    const draw = createUniform(SEED + file);
    const one = <T>(values: readonly T[]): T => values[Math.floor(values.length * draw())]!;
    const form = one(FORMS);
    const [what, spoil] = one(FAULTS);
    const at = 1 + Math.floor((form.count - 1) * draw());
    const said = wrong(form, what, spoil, at, rowsOf(form, draw));
    return said === undefined ? [] : [`SPOILT_SEED=${SEED + file}: ${said}`];
  });
  expect(found.flat()).toEqual([]);
});
