/** Archives and files of JSON in the folder of a replay: by which name and kind each file is read, and what replay.json may say of it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readRecordings } from '../../../sandbox/src/simulation/recordings';
import { zipOfFiles } from '../../support/zip';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'replay-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (name: string, content: string | Buffer): void => writeFileSync(path.join(folder, name), content);
const CSV = 'time,open,high,low,close\n2020-03-13 09:15,600,601,599.5,600.5\n2020-03-13 09:16,600.5,602,600,601\n';
const JSON_CANDLES = JSON.stringify([
  ['2020-03-13 09:15', 600, 601, 599.5, 600.5, 10],
  ['2020-03-13 09:16', 600.5, 602, 600, 601, 20],
]);
const named = async (): Promise<string[]> => [...(await readRecordings(folder)).instruments.keys()];

it.each([
  ['its own', 'download.zip', 'INFY.csv', CSV, 'NSE INFY'],
  ['that of the archive, where its own says nothing', 'INFY.zip', 'data.csv', CSV, 'NSE INFY'],
  ['its own, where both say one', 'TCS.zip', 'INFY.csv', CSV, 'NSE INFY'],
  ['its own, as JSON', 'download.zip', 'INFY.json', JSON_CANDLES, 'NSE INFY'],
  ['that of the archive, as JSON', 'INFY.zip', 'data.json', JSON_CANDLES, 'NSE INFY'],
  [
    'its own, of the day',
    'download.zip',
    'EQ010124.CSV',
    'SC_CODE,SC_NAME,SC_GROUP,SC_TYPE,OPEN,HIGH,LOW,CLOSE,LAST,PREVCLOSE,NO_TRADES,NO_OF_SHRS,NET_TURNOV,TDCLOINDI\n500002,ABB LTD.    ,A ,Q,4675.00,4713.95,4636.05,4684.15,4684.15,4674.75,1218,4013,18776543.00,',
    'NSE ABB',
  ],
])('the one file of an archive is read by %s', async (_what, archive, inner, text, instrument) => {
  put(archive, zipOfFiles([[inner, text]]));
  expect(await named()).toEqual([instrument]);
});

it('replay.json says of a file in an archive what it says of any other', async () => {
  put(
    'both.zip',
    zipOfFiles([
      ['first.csv', CSV],
      ['notes.txt', 'of mine'],
    ]),
  );
  put('replay.json', JSON.stringify({ files: { 'first.csv': { symbol: 'INFY' }, 'notes.txt': { skip: true } } }));
  const { instruments, notes } = await readRecordings(folder);
  expect([...instruments.keys()]).toEqual(['NSE INFY']);
  expect(notes).toContain('notes.txt: left out, as replay.json says.');
});

it('a line of replay.json for a file in an archive goes before that for the archive', async () => {
  put('both.zip', zipOfFiles([['first.csv', CSV]]));
  put('replay.json', JSON.stringify({ files: { 'both.zip': { symbol: 'TCS' }, 'first.csv': { symbol: 'INFY' } } }));
  expect(await named()).toEqual(['NSE INFY']);
});

it('a line of replay.json for a file that is nowhere is refused', async () => {
  put('INFY.zip', zipOfFiles([['first.csv', CSV]]));
  put('replay.json', JSON.stringify({ files: { 'second.csv': { symbol: 'INFY' } } }));
  await expect(readRecordings(folder)).rejects.toThrow(
    'replay.json, "second.csv": there is no such file in the folder, which has INFY.zip.',
  );
});

it('an archive in an archive is refused', async () => {
  put('2024.zip', zipOfFiles([['january.zip', 'PK']]));
  await expect(readRecordings(folder)).rejects.toThrow(
    '2024.zip: the archive holds the archive january.zip; unpack it.',
  );
});

it.each([
  ['candles', 'INFY.json', JSON_CANDLES],
  [
    'corporate actions',
    'actions.json',
    '[{"symbol":"INFY","series":"EQ","subject":"Bonus 1:1","faceVal":"5","exDate":"16-Mar-2020"}]',
  ],
])('a file of JSON is parsed once, of %s', async (_what, name, text) => {
  put('TCS.csv', CSV.replace(/\b60/g, '180'));
  put(name, text);
  const parse = jest.spyOn(JSON, 'parse');
  await readRecordings(folder);
  expect(parse.mock.calls.filter(([parsed]) => parsed === text)).toHaveLength(1);
});

it('lines of JSON are read from their files, compressed too', async () => {
  const lines = (JSON.parse(JSON_CANDLES) as unknown[]).map((candle) => JSON.stringify(candle)).join('\n');
  put('INFY.jsonl', lines);
  put('TCS.ndjson', lines.replaceAll('60', '180'));
  expect(await named()).toEqual(['NSE INFY', 'NSE TCS']);
});
