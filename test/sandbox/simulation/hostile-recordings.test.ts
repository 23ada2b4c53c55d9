/** Folders of recordings as people and machines spoil them: each is refused with its file, its place in it and what to do. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { readRecordings } from '../../../sandbox/src/simulation/recordings';
import { OptionError } from '../../../sandbox/src/shared/option-error';
import { IS_WHOLE } from '../../support/sample';

const HEADING = 'time,open,high,low,close,volume\n';
const minutes = (from: number, count: number, date = '2020-03-13'): string[] =>
  Array.from({ length: count }, (_, i) => {
    const [hour, minute] = [Math.floor((from + i) / 60), (from + i) % 60];
    return `${date} ${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
  });
const rows = (times: readonly string[], prices = '600,601,599.5,600.5'): string =>
  times.map((time) => `${time},${prices},10\n`).join('');
const OPEN = 9 * 60 + 15;
const GOOD = HEADING + rows(minutes(OPEN, 10));
const parquet = (kind: string): Buffer =>
  readFileSync(path.join(__dirname, '..', 'market', 'recordings', 'parquet', `INFY_${kind}.parquet`));
const withFooter = (length: number): Buffer => {
  const footer = Buffer.alloc(4);
  footer.writeUInt32LE(length);
  return Buffer.concat([Buffer.from('PAR1'), footer, Buffer.from('PAR1')]);
};
const LARGER_THAN_A_TEXT = 2 ** 29;
/** Gzip of as many bytes: of a part of them, as often as it takes. */
const PART = 2 ** 22;
const packedTooLarge = (): Buffer =>
  Buffer.concat(Array(LARGER_THAN_A_TEXT / PART).fill(gzipSync(Buffer.alloc(PART))) as Buffer[]);

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'hostile-recordings-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => path.join(folder, name);
const put = (name: string, content: string | Buffer) => (): void => writeFileSync(at(name), content);
const csv = (content: string | Buffer) => put('INFY.csv', content);
const line = (text: string) => csv(`${GOOD}${text}\n`);
const both =
  (...steps: (() => void)[]) =>
  () =>
    steps.forEach((step) => step());
const terms = (json: string | Buffer) => both(csv(GOOD), put('replay.json', json));

/** Faults of the folder, and the words that each must lead to: where, and what to do. */
const BAD: [what: string, spoil: () => void, says: string | RegExp][] = [
  ['no bytes', csv(''), /^INFY\.csv, line 1: the file is empty; delete it, or fill it/],
  ['blanks alone', csv('\n \n\t\n'), /^INFY\.csv, line 1: the file is empty/],
  ['a heading alone', csv(HEADING), /^INFY\.csv, line 2: there is no row; delete the file/],
  ['a picture', csv(Buffer.from('\x89PNG\r\n\x1a\n\0\0\0', 'latin1')), /line 1: this is no text in UTF-8; save it as/],
  [
    'bytes after text',
    csv(Buffer.concat([Buffer.from(GOOD), Buffer.alloc(99)])),
    /line 12: 1 cell .*correct or delete/,
  ],
  ['UTF-16 without its mark', csv(Buffer.from(GOOD, 'utf16le')), /line 1: this is no text in UTF-8/],
  [
    'decimal commas among points',
    csv(GOOD.replaceAll(',', ';').replace('599.5', '599,5')),
    /line 2: close must be a price such as 1234.50, not "600.5"/,
  ],
  [
    'commas of both kinds',
    line('2020-03-13 09:30,"600,5",601,"599.00","1,600.00",1'),
    /line 12: a comma parts thousands here and rupees from paise in line 12; write all numbers in one way/,
  ],
  [
    'a comma that may be either',
    csv(HEADING + rows(minutes(OPEN, 10), '"1,600","1,610","1,590","1,600"')),
    /line 2: "1,600" may be 1600 or 1\.600: say \{"files": \{"INFY\.csv": \{"decimal": "point"\}\}\} in replay\.json/,
  ],
  ['the sign of the euro', line('2020-03-13 09:30,€600,601,599,600,1'), /line 12: open must be a price such as/],
  [
    'a line of megabytes',
    line('x'.repeat(5_000_000)),
    /line 12: a cell has 5000000 characters, and at most 1000 are read: .*; correct the line\./,
  ],
  [
    'a cell of megabytes',
    line(`2020-03-13 09:30,${'9'.repeat(2_000_000)},1,1,1,1`),
    /line 12: a cell has 2000000 characters, and at most 1000 are read: "9{40,90}…"; correct the line\./,
  ],
  [
    'a heading of many columns',
    csv(`${Array.from({ length: 999 }, (_, i) => `c${i}`).join(',')},open,high\n`),
    'and 981 more',
  ],
  ['a cell that colours a terminal', line('2020-03-13 09:30,\x1b[31mred,1,1,1,1'), /not "\?\[31mred"; correct/],
  [
    'a heading of another order',
    line('time,high,open,low,close,volume'),
    /line 12: "time" is not a time such as .* correct or delete/,
  ],
  [
    'two columns of one name',
    csv('time,open,high,low,close,Close\n'),
    /line 1: two columns are called "close"; delete one/,
  ],
  ['two rows of one time', line('2020-03-13 09:17,601,603,600,602,5'), /line 12: .* same time at line 4; delete one/],
  ['a price below 0', line('2020-03-13 09:30,-600,601,599,600,1'), /line 12: open must be a price such as/],
  ['a price of 0', line('2020-03-13 09:30,0,601,0,600,1'), /line 12: open must be above 0, not 0; delete a line/],
  ['high below low', line('2020-03-13 09:30,600,599,601,600,1'), /line 12: high is below low; correct or delete/],
  ['a number that is none', line('2020-03-13 09:30,NaN,601,599,600,0'), /line 12: open must be a price such as/],
  [
    'paise after rupees',
    line('2020-03-13 09:30,60000,60100,59900,60000,1'),
    /line 12: .* rupees and paise in files of their/,
  ],
  [
    'paise that nothing tells',
    csv(HEADING + rows(minutes(OPEN, 3), '60000,60100,59950,60050')),
    /line 2: .* say "prices": "paise"/,
  ],
  [
    'an index in paise',
    put('NIFTY.csv', HEADING + rows(minutes(OPEN, 3), '960000,960100,959950,960050')),
    /NIFTY\.csv, line 2: .* say "prices": "paise" in replay\.json/,
  ],
  [
    'UTC that nothing tells',
    csv(HEADING + rows(minutes(3 * 60 + 45, 375))),
    /line 2: 330 of 375 rows .* say .*"zone": "UTC"/,
  ],
  [
    'Indian time that is called UTC',
    csv(HEADING + rows(minutes(OPEN, 375).map((time) => `${time}Z`))),
    /line 2: 329 of 375 rows .* if the times were Indian time/,
  ],
  ['a month before the day', line('03/13/2020 09:30,600,601,599,600,1'), /line 12: .* its date in another way/],
  ['a time of New York', line('2020-03-13 09:30 EST,600,601,599,600,1'), /line 12: .* is not a time such as/],
  [
    'one day in two files',
    both(csv(GOOD), put('INFY_2.csv', GOOD)),
    /^INFY_2\.csv, line 2: .* is in INFY\.csv too; keep one/,
  ],
  [
    'a share that is not known',
    put('NOSUCH.csv', GOOD),
    /^NOSUCH\.csv, line 2: this market has no .*"skip": true.* in replay\.json .* or "symbol"/,
  ],
  ['a name of two lines', put('NO\nSUCH.csv', GOOD), /^NO\?SUCH\.csv, line 2: /],
  [
    'Parquet that is text',
    put('INFY.parquet', GOOD),
    /^INFY\.parquet, row 1: this is no whole Parquet file .* write or copy/,
  ],
  ['Parquet of no bytes', put('INFY.parquet', ''), /^INFY\.parquet, row 1: this is no whole Parquet file/],
  [
    'half of a Parquet file',
    put('INFY.parquet', parquet('none').subarray(0, 400)),
    /row 1: this is no whole Parquet file/,
  ],
  ['Parquet without a schema', put('INFY.parquet', withFooter(0)), /row 1: this is no whole Parquet file/],
  [
    'Parquet of an endless schema',
    put('INFY.parquet', withFooter(2 ** 31 - 1)),
    /row 1: this is no whole Parquet file/,
  ],
  [
    'Parquet that is packed otherwise',
    put('INFY.parquet', parquet('lz4')),
    /row 1: it is compressed with LZ4_RAW; write it/,
  ],
  [
    'half of a gzip file',
    put('INFY.csv.gz', gzipSync(GOOD).subarray(0, 60)),
    /^INFY\.csv\.gz, line 1: it cannot be unpacked/,
  ],
  ['gzip that is text', put('INFY.csv.gz', GOOD), /^INFY\.csv\.gz, line 1: it cannot be unpacked .* compress it again/],
  [
    'gzip that unpacks to more than is allowed',
    () => put('INFY.csv.gz', packedTooLarge())(),
    /^INFY\.csv\.gz: it unpacks to more than 256 MB; split it, for instance by year, or allow more with --max-unpacked/,
  ],
  [
    'a file of more than a text may hold',
    both(csv(GOOD), () => truncateSync(at('INFY.csv'), LARGER_THAN_A_TEXT)),
    /^INFY\.csv: it holds more than 512 MB; split it/,
  ],
  ['zip that is text', put('INFY.zip', GOOD), /^INFY\.zip, line 1: this is no whole ZIP archive; download it again/],
  [
    'a link to itself',
    () => symlinkSync('INFY.csv', at('INFY.csv')),
    /^INFY\.csv: it is a link that leads back to itself; put/,
  ],
  [
    'a link to nothing',
    () => symlinkSync('/no/such', at('INFY.csv')),
    /^INFY\.csv: it links to a file that is not there; put/,
  ],
  ['a folder that is called as a file', () => mkdirSync(at('INFY.csv')), /^INFY\.csv: it is a folder; put the files/],
  ['a pipe', () => execFileSync('mkfifo', [at('INFY.csv')]), /^INFY\.csv: it is no file; take it out of the folder/],
  [
    'a folder that is called replay.json',
    both(csv(GOOD), () => mkdirSync(at('replay.json'))),
    /^replay\.json: it is a folder/,
  ],
  ['replay.json of UTF-16 without its mark', terms(Buffer.from('{}', 'utf16le')), /^replay\.json is not JSON/],
  ['replay.json that is empty', terms(''), /^replay\.json is not JSON/],
  [
    'replay.json with a column 0',
    terms('{"all": {"columns": {"open": 0}}}'),
    /"all": column "open" must be a name .* from 1/,
  ],
  ['bars that are shorter than told', terms('{"all": {"interval": "5m"}}'), /^INFY\.csv, line 3: .* say the interval/],
  [
    'days without trading alone',
    csv(GOOD.replaceAll('03-13', '03-14')),
    /line 2: no row of NSE INFY is within a trading session/,
  ],
  ['nothing', () => undefined, /holds no candles: put files with names such as/],
];

const refusalOf = (): Promise<unknown> =>
  readRecordings(folder).then(
    () => undefined,
    (error: unknown) => error,
  );

it.each(BAD)('%s is refused with its place and what to do', async (_what, spoil, says) => {
  spoil();
  const refused = await refusalOf();
  expect(refused).toBeInstanceOf(OptionError);
  const { message } = refused as OptionError;
  expect(message).toMatch(says);
  expect(message).toMatch(/^\P{Cc}{1,400}$/u);
});

it('a folder that is a link to itself is refused', async () => {
  symlinkSync('loop', at('loop'));
  await expect(readRecordings(at('loop'))).rejects.toThrow(
    'is a link that leads back to itself: give the folder itself.',
  );
});

/** A sequence of numbers below a bound that is the same each time. */
function drawing(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Number of times that each is spoilt. */
const TIMES = IS_WHOLE ? 100 : 4;

it.each(['none', 'snappy', 'gzip', 'zstd', 'int96'])(
  'Parquet (%s) with wrong bytes is read or refused, each of many times',
  async (kind) => {
    const draw = drawing(kind.length);
    for (let time = 0; time < TIMES; time++) {
      const bytes = Buffer.from(parquet(kind));
      for (let count = 0; count <= time % 4; count++) bytes[4 + draw(bytes.length - 12)] = draw(256);
      put('INFY.parquet', bytes)();
      const refused = await refusalOf();
      if (refused === undefined) continue;
      expect([time, refused]).toEqual([time, expect.any(OptionError)]);
      expect((refused as OptionError).message).toMatch(/^INFY\.parquet, row \d+: /);
    }
  },
);

const minutesOf = async (): Promise<number> => {
  const { instruments } = await readRecordings(folder);
  return instruments.get('NSE INFY')!.days.values().next().value!.barCount;
};

it.each([
  ['a mark at its beginning and lines of Windows', csv(`\uFEFF${GOOD.replaceAll('\n', '\r\n')}`)],
  ['semicolons', csv(GOOD.replaceAll(',', ';'))],
  ['rows out of order', csv(HEADING + rows(minutes(OPEN, 10).reverse()))],
  ['a row without prices', line('2020-03-13 09:30,NaN,NaN,NaN,NaN,0')],
  ['decimal commas', csv(GOOD.replaceAll(',', ';').replaceAll('.', ','))],
  ['commas within thousands', csv(HEADING + rows(minutes(OPEN, 10), '"1,600.00","1,610.00",1590,"1,600.00"'))],
  ['a row twice', line('2020-03-13 09:15,600,601,599.5,600.5,10')],
  ['blank lines', csv(GOOD.replaceAll('\n', '\n\n'))],
  [
    'UTC that is told',
    both(csv(HEADING + rows(minutes(3 * 60 + 45, 10))), put('replay.json', '\uFEFF{"all": {"timezone": "UTC"}}')),
  ],
  [
    'paise that are told',
    both(
      csv(HEADING + rows(minutes(OPEN, 10), '60000,60100,59950,60050')),
      put('replay.json', '{"all": {"prices": "paise"}}'),
    ),
  ],
  ['a link to a folder beside it', both(csv(GOOD), () => symlinkSync('.', at('loop')))],
])('%s is read', async (_what, make) => {
  make();
  expect(await minutesOf()).toBe(10);
});

it('a price far above those of this market is taken where replay.json says that it is rupees', async () => {
  both(
    csv(HEADING + rows(minutes(OPEN, 10), '60000,60100,59950,60050')),
    put('replay.json', '{"all": {"prices": "rupees"}}'),
  )();
  const { instruments } = await readRecordings(folder);
  expect(instruments.get('NSE INFY')!.days.values().next().value!.officialClose).toBe(60_050_00);
});

it('a share whose price halves over night is noted, an index is not, nor what moves less', async () => {
  const days = (name: string, open: string) =>
    put(name, `date,open,high,low,close\n2020-03-12,1200,1210,1190,1200\n2020-03-13,${open},${open},${open},${open}\n`);
  both(
    days('INFY.csv', '600'),
    days('TCS.csv', '800'),
    put('NIFTY.csv', 'date,open,high,low,close\n2020-03-12,12500,12500,12500,12500\n2020-03-13,7600,7600,7600,7600\n'),
  )();
  const { notes } = await readRecordings(folder);
  expect(notes.filter((note) => note.includes('split'))).toEqual([
    "NSE INFY: on 2020-03-13 it opens at 600 after a close of 1200, as after a split or a bonus issue in candles that are not adjusted. It is traded as a move of the price: holdings, orders and contracts stay as they are, unless NSE's list of corporate actions lies in the folder.",
  ]);
});
