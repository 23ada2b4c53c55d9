import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { endpoints } from '../../../client/endpoints';
import { InputError, NetworkError, SessionError, UnreadableReplyError } from '../../../client/base/errors';
import { forgetInstruments } from '../../../client/instruments/catalogue';
import {
  bhavcopyBytes,
  bhavcopyRows,
  openBhavcopy,
  type BhavcopyFile,
  type BhavcopyRequest,
} from '../../../client/market/bhavcopy';
import { dateCell, numberCell, type BhavcopyRow } from '../../../client/market/bhavcopy-columns';
import type { WireRequest } from '../../../client/base/ports';
import { createTransport } from '../../../client/transport';
import { VirtualClock } from '../../support/clock';
import { describeWith, SHARED_DATA } from '../../support/needs';
import { share } from '../../support/sample';

function fileOf(bytes: Uint8Array, chunkSize = 65_536): BhavcopyFile {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
  }
  return { date: '2026-11-20', reply: { status: 200, headers: {}, chunks: chunks() } };
}

async function rowsOf(file: BhavcopyFile, filter?: Record<string, string | number>): Promise<BhavcopyRow[]> {
  const rows: BhavcopyRow[] = [];
  for await (const batch of bhavcopyRows(file, filter)) rows.push(...batch);
  return rows;
}

describe('cells', () => {
  it.each([
    ['1500.05', 1500.05],
    [' 104.74', 104.74],
    ['-3.50', -3.5],
    ['0', 0],
    ['-0.00', 0],
    ['351280718832.60', 351280718832.6],
    ['', null],
    [' ', null],
    ['-', null],
    ['1234567890123456', '1234567890123456'],
    ['12.', '12.'],
    ['.5', 0.5],
    [' .00', 0],
    ['13753699234282.17', 13753699234282.17],
    ['99999999999999999.99', '99999999999999999.99'],
    ['.', '.'],
    ['-.', '-.'],
    ['1e5', '1e5'],
    ['0x10', '0x10'],
    ['1.2.3', '1.2.3'],
    ['NaN', 'NaN'],
    ['1,563.00', 1563],
    ['1,23,45,678.05', 12345678.05],
    ['-1,234', -1234],
    ['1,23', '1,23'],
    ['12,34,56', '12,34,56'],
    ['1,563.00,2', '1,563.00,2'],
    [',123', ',123'],
  ])('%j as a number is %p', (cell, value) => {
    expect(numberCell(cell)).toBe(value);
  });

  it.each([
    ['2025-08-29', '2025-08-29'],
    [' 21-Aug-2026', '2026-08-21'],
    ['01-APR-2021', '2021-04-01'],
    ['', null],
    ['01-XYZ-2021', '01-XYZ-2021'],
    ['23/11/2026', '2026-11-23'],
    ['23-11-2026', '2026-11-23'],
    ['31-02-2026', '31-02-2026'],
    ['31/02/2026', '31/02/2026'],
    ['28-Nov-25', '2025-11-28'],
    ['28 Nov 2025', '2025-11-28'],
    ['20251128', '2025-11-28'],
    ['2025-11-28T00:00:00', '2025-11-28'],
    ['20251328', '20251328'],
    ['2025-02-30', '2025-02-30'],
    ['1732752000', '1732752000'],
  ])('%j as a date is %p', (cell, value) => {
    expect(dateCell(cell)).toBe(value);
  });
});

describe('rows', () => {
  const csv = Buffer.from(
    'TckrSymb,SctySrs,ClsPric,TradDt,__proto__,\r\nINFY,EQ,1500.05,2026-11-20,x,\r\nM&M,BE,-,2026-11-20,y,\r\n',
  );

  it.each<[string, readonly string[], string]>([
    ['all', ['2026-11-19', '2026-11-19'], '2026-11-19'],
    ['the second of them', ['2026-11-20', '2026-11-19'], '2026-11-19'],
    ['the third, as 18-NOV-2026', ['2026-11-20', '2026-11-20', '18-NOV-2026'], '2026-11-18'],
  ])('are not given where some are of another day: %s', async (_, days, other) => {
    const lines = ['TckrSymb,SctySrs,ClsPric,TradDt', ...days.map((day, at) => `S${at},EQ,1500.05,${day}`)];
    const file = { ...fileOf(Buffer.from(`${lines.join('\r\n')}\r\n`), 20), asked: '2026-11-20' };
    await expect(rowsOf(file)).rejects.toThrow(
      `The service answered with the end-of-day file of ${other}, but n8n asked for that of 2026-11-20`,
    );
  });

  it.each<[string, string, Record<string, string>]>([
    ['its rows', 'TckrSymb,ClsPric,TradDt\r\nINFY,1500.05,2026-11-19\r\n', {}],
    ['its rows, in JSON', '{"message":"bhavcopy","data":[{"TckrSymb":"INFY","TradDt":"2026-11-19"}]}', {}],
    [
      'its name',
      'MARKET,SERIES,SYMBOL\r\nN,EQ,INFY\r\n',
      { 'content-disposition': 'attachment; filename="BhavCopy_NSE_CM_0_0_0_20261119_F_0000.csv"' },
    ],
  ])('are not given as a file of another day, which %s show', async (_, text, headers) => {
    const file = fileOf(Buffer.from(text));
    const other = { ...file, asked: '2026-11-20', reply: { ...file.reply, headers } };
    await expect(bhavcopyBytes(other)).rejects.toThrow(
      'The service answered with the end-of-day file of 2026-11-19, but n8n asked for that of 2026-11-20',
    );
  });

  it.each<[string, string, Record<string, string>]>([
    [
      'of the day',
      'TckrSymb,ClsPric,TradDt\r\n,,\r\nINFY,1500.05,2026-11-20\r\n',
      { 'content-disposition': 'attachment; filename="fo20261120.csv"' },
    ],
    ['that tells no day', 'MARKET,SERIES,SYMBOL\r\nN,EQ,INFY\r\n', {}],
    ['that is an archive', 'PK\u0003\u0004,TradDt\r\n,2026-11-19PK\u0005\u0006', {}],
  ])('are given unchanged as a file %s', async (_, text, headers) => {
    const file = fileOf(Buffer.from(text), 9);
    const same = { ...file, asked: '2026-11-20', reply: { ...file.reply, headers } };
    expect(Buffer.from(await bhavcopyBytes(same)).toString()).toBe(text);
  });

  it('are given where all are of the day that was asked for, also after a title', async () => {
    const lines = ['TckrSymb,SctySrs,ClsPric,TradDt', 'TITLE,,,', ',,,', 'INFY,EQ,1500.05,2026-11-20'];
    const file = { ...fileOf(Buffer.from(`${lines.join('\r\n')}\r\n`)), asked: '2026-11-20' };
    expect((await rowsOf(file)).map(({ TckrSymb }) => TckrSymb)).toEqual(['INFY']);
  });

  it.each([
    ['TckrSymb,OpnPric,HghPric,LwPric,ClsPric', '10,9,11,10', 'No prices: the low 11 is above the high 9.'],
    ['TckrSymb,OpnPric,HghPric,LwPric,ClsPric', '10,11,9,-10', 'No prices: ClsPric is -10.'],
    ['SYMBOL,OPEN_PRICE,HIGH_PRICE,LOW_PRICE,CLOSE_PRICE', '10,9,11,10', 'No prices: the low 11 is above the high 9.'],
    ['CONTRACT_D,OPEN_PRICE,HIGH_PRICE,LOW_PRICE,CLOSE_PRIC', '-1,11,9,10', 'No prices: OPEN_PRICE is -1.'],
    ['SYMBOL,OPEN,HIGH,LOW,CLOSE', '0,0,0,10', undefined],
    ['SYMBOL,OPEN,HIGH,LOW,CLOSE', '10,10,10,10', undefined],
  ])('have no prices where they contradict each other: %s %s', async (header, prices, why) => {
    const [odd, usual] = await rowsOf(fileOf(Buffer.from(`${header}\nA,${prices}\nB,10,11,9,10\n`)));
    const [, open, high, low, close] = header.split(',') as [string, string, string, string, string];
    const read = why === undefined ? prices.split(',').map(Number) : [null, null, null, null];
    expect([open, high, low, close].map((name) => odd![name])).toEqual(read);
    expect([odd!.no_price_reason, usual!.no_price_reason]).toEqual([why, undefined]);
  });

  it('are none of a file that has a column twice', async () => {
    const file = fileOf(Buffer.from('SYMBOL,CLOSE,close\nA,10,11\n'));
    await expect(rowsOf(file)).rejects.toThrow('The end-of-day file has the column close twice');
  });

  it('have the columns of the file, typed, and nothing for a trailing comma', async () => {
    expect(await rowsOf(fileOf(csv, 7))).toEqual([
      { TckrSymb: 'INFY', SctySrs: 'EQ', ClsPric: 1500.05, TradDt: '2026-11-20' },
      { TckrSymb: 'M&M', SctySrs: 'BE', ClsPric: null, TradDt: '2026-11-20' },
    ]);
  });

  it('leave out the separators, titles and lines of commas of a PD file of 2017', async () => {
    const lines = [
      'MKT,SERIES,SYMBOL,SECURITY,PREV_CL_PR,OPEN_PRICE,HIGH_PRICE,LOW_PRICE,CLOSE_PRICE,NET_TRDVAL,NET_TRDQTY,IND_SEC,CORP_IND,TRADES,HI_52_WK,LO_52_WK',
      'Y, , ,Nifty50 Div Point,         3.34,         3.34,         3.34,         3.34,         3.34,0,0,Y, ,0,          .00,          .00',
      ' , , , , , , , , , , ,Y, , , , ',
      ' , , ,NIFTY 50 Sec, , , , , , , ,Y, , , , ',
      ',,,,,,,,,,,,,,,',
      'N,EQ,RELCNX100,RELIANCE ETF NIFTY 100,        97.74,        98.88,        99.13,        98.88,        99.13,                     3659.56,37,N, ,2,       105.50,        73.50',
    ];
    const rows = await rowsOf(fileOf(Buffer.from(lines.join('\n'))));
    expect(rows).toMatchObject([
      { SECURITY: 'Nifty50 Div Point', HI_52_WK: 0, CLOSE_PRICE: 3.34 },
      { SYMBOL: 'RELCNX100', CLOSE_PRICE: 99.13, NET_TRDVAL: 3659.56 },
    ]);
  });

  it('have numbers in all columns of a report of futures of today', async () => {
    const lines = [
      'CONTRACT_D,PREVIOUS_S,OPEN_PRICE,HIGH_PRICE,LOW_PRICE,CLOSE_PRIC,SETTLEMENT,NET_CHANGE,OI_NO_CON,TRADED_QUA,TRD_NO_CON,TRADED_VAL',
      'FUTIDXNIFTY30-DEC-2025,26405.60,26412.00,26450.00,26340.10,26371.50,26371.50,-.13,215034,8123450,108312,21431877512345.65',
    ];
    expect(await rowsOf(fileOf(Buffer.from(lines.join('\n'))))).toEqual([
      {
        CONTRACT_D: 'FUTIDXNIFTY30-DEC-2025',
        PREVIOUS_S: 26405.6,
        OPEN_PRICE: 26412,
        HIGH_PRICE: 26450,
        LOW_PRICE: 26340.1,
        CLOSE_PRIC: 26371.5,
        SETTLEMENT: 26371.5,
        NET_CHANGE: -0.13,
        OI_NO_CON: 215034,
        TRADED_QUA: 8123450,
        TRD_NO_CON: 108312,
        TRADED_VAL: 21431877512345.65,
      },
    ]);
  });

  it('are filtered by any columns, in any case, by number too', async () => {
    expect(await rowsOf(fileOf(csv), { tckrsymb: 'm&m' })).toHaveLength(1);
    expect(await rowsOf(fileOf(csv), { TckrSymb: 'M&M', SctySrs: 'EQ' })).toEqual([]);
    expect(await rowsOf(fileOf(csv), { ClsPric: '1500.050' })).toHaveLength(1);
    await expect(rowsOf(fileOf(csv), { Nothing: 'x' })).rejects.toMatchObject({
      constructor: InputError,
      hint: expect.stringContaining('TckrSymb'),
    });
  });

  it('are none where the file is cut off, wherever that is but within its last cell', async () => {
    const whole =
      'SYMBOL,SERIES,OPEN,CLOSE,TIMESTAMP,TOTALTRADES,ISIN,\nINFY,EQ,1498.00,1502.30,01-APR-2021,384,INE009A01021,\nTCS,EQ,,3310.05,01-APR-2021,7,INE467B01029,\n';
    const withoutLast = (row: BhavcopyRow): BhavcopyRow => ({ ...row, ISIN: null });
    const all = await rowsOf(fileOf(Buffer.from(whole)));
    for (let length = 54; length < whole.length - 14; length += 1) {
      const read = await rowsOf(fileOf(Buffer.from(whole.slice(0, length)))).catch((error: unknown) => error);
      if (read instanceof UnreadableReplyError) continue;
      const rows = read as BhavcopyRow[];
      expect([length, rows.map(withoutLast)]).toEqual([length, all.slice(0, rows.length).map(withoutLast)]);
    }
    await expect(rowsOf(fileOf(Buffer.from(whole.slice(0, whole.indexOf('3310')))))).rejects.toThrow(
      'Row 2 of the end-of-day file has 4 values for 8 columns: the file is cut off or damaged.',
    );
  });

  it.each([
    ['a comma in a name without quotes', 'SYMBOL,SECURITY,CLOSE_PRICE,TRADES\nABC,ABC, LTD,101.5,7\n'],
    ['a sentence', 'Sorry, the file is being made\nTry again, later\n'],
    ['the columns of something else', 'name,age\nx,3\n'],
  ])('are not made of %s', async (_, text) => {
    await expect(rowsOf(fileOf(Buffer.from(text)))).rejects.toThrow(UnreadableReplyError);
  });

  it.each([
    ['a page', '\ufeff\n<!DOCTYPE html><html>Access Denied</html>', 'a page in place of'],
    ['nothing', '', 'is empty'],
    ['blanks', ' \r\n', 'is empty'],
    ['the beginning of an archive', 'PK\u0003\u0004abc', 'is cut off'],
    ['the beginning of JSON', '{"data":[{"TckrSymb":"INFY"},', 'is cut off'],
    ['the beginning of a CSV', 'SYMBOL,CLOSE,ISIN\nINFY,1500.05,INE009A01021\nTCS,33', 'is cut off'],
  ])('are not downloaded as a file where the service answers with %s', async (_, text, why) => {
    await expect(bhavcopyBytes(fileOf(Buffer.from(text)))).rejects.toThrow(why);
  });

  it('are read from a file with a byte order mark, quotes, blanks in its headings, CR LF and commas in its numbers', async () => {
    const text =
      '\ufeff"SYMBOL ","SERIES"," CLOSE_PRICE ","TTL_TRD_QNTY"\r\n"INFY","EQ","1,563.00","12,34,567"\r\n"TCS","EQ","-"," "\r\n';
    expect(await rowsOf(fileOf(Buffer.from(text), 5))).toEqual([
      { SYMBOL: 'INFY', SERIES: 'EQ', CLOSE_PRICE: 1563, TTL_TRD_QNTY: 1234567 },
      { SYMBOL: 'TCS', SERIES: 'EQ', CLOSE_PRICE: null, TTL_TRD_QNTY: null },
    ]);
  });

  it.each(['', '<html>no</html>', '{"error":"x"}', 'PK\u0003\u0004zip'])('are not made of %j', async (text) => {
    await expect(rowsOf(fileOf(Buffer.from(text)))).rejects.toThrow(UnreadableReplyError);
  });
});

describe('a 440', () => {
  const requested: string[] = [];
  beforeEach(() => {
    forgetInstruments();
    requested.length = 0;
  });

  /** A service with files of some dates; its session is alive, or dead until somebody logs in. */
  function service({
    files,
    tradingDays,
    alive = true,
    renewable = true,
  }: {
    files: string[];
    tradingDays: string[];
    alive?: boolean;
    renewable?: boolean;
  }) {
    let session = alive;
    const answer = (request: WireRequest): { status: number; text: string } => {
      const { pathname } = new URL(request.url);
      requested.push(`${pathname}${request.keepSession ? '' : ' (may log in)'}`);
      if (!session && !request.keepSession && renewable) session = true;
      if (!session) return { status: 440, text: '' };
      if (pathname === endpoints.userInfo.path) return { status: 200, text: '{}' };
      const date = pathname.split('/').at(-1)!;
      if (pathname.startsWith('/refdata/'))
        return { status: 200, text: `{"exchange":"NSE","is_trading_on":${tradingDays.includes(date)},"refdata":[]}` };
      return files.includes(date) ? { status: 200, text: 'SYMBOL,CLOSE\nINFY,1500.05\n' } : { status: 440, text: '' };
    };
    return createTransport({
      http: (request) => {
        const { status, text } = answer(request);
        return Promise.resolve({ status, headers: {}, body: Buffer.from(text) });
      },
      clock: new VirtualClock(Date.parse('2026-11-22T12:00:00+05:30')),
      random: () => 0.5,
      baseUrl: 'https://bhavcopy.example',
      deviceId: 'd',
    });
  }
  const request = (more: Partial<BhavcopyRequest> = {}): BhavcopyRequest => ({
    type: 'BhavcopyCM',
    date: '2026-11-20',
    format: 'csv',
    ...more,
  });

  it('means that the day is no trading day', async () => {
    const transport = service({ files: [], tradingDays: [] });
    await expect(openBhavcopy(transport, request({ date: '2026-11-21' }))).rejects.toMatchObject({
      status: 440,
      parameter: 'date',
      message: expect.stringContaining('2026-11-21 is not a trading day'),
    });
    expect(requested.slice(0, 2)).toEqual(['/bhavcopy/nse/20261121', '/userinfo']);
  });

  it('means that the file is not generated yet', async () => {
    await expect(openBhavcopy(service({ files: [], tradingDays: ['2026-11-20'] }), request())).rejects.toThrow(
      /not been generated yet/,
    );
  });

  it('means an expired session, which is renewed once, and the file is asked for again', async () => {
    const file = await openBhavcopy(service({ files: ['20261120'], tradingDays: [], alive: false }), request());
    expect(await rowsOf(file)).toEqual([{ SYMBOL: 'INFY', CLOSE: 1500.05 }]);
    expect(requested).toEqual([
      '/bhavcopy/nse/20261120',
      '/userinfo',
      '/userinfo (may log in)',
      '/bhavcopy/nse/20261120',
    ]);
  });

  it('means a session that cannot be renewed', async () => {
    await expect(
      openBhavcopy(service({ files: [], tradingDays: [], alive: false, renewable: false }), request()),
    ).rejects.toThrow(SessionError);
  });

  it('finds the latest file that exists, checking the session once', async () => {
    const file = await openBhavcopy(service({ files: ['20261119'], tradingDays: [] }), request({ date: 'latest' }));
    expect(file.date).toBe('2026-11-19');
    expect(requested.filter((path) => path.startsWith('/userinfo'))).toHaveLength(1);
    await expect(openBhavcopy(service({ files: [], tradingDays: [] }), request({ date: 'latest' }))).rejects.toThrow(
      /last 15 days/,
    );
  });

  it('refuses the future before asking, and lets other errors through', async () => {
    await expect(
      openBhavcopy(service({ files: [], tradingDays: [] }), request({ date: '2026-11-23' })),
    ).rejects.toThrow(InputError);
    expect(requested).toEqual([]);
    const broken = createTransport({
      http: () => Promise.reject(new NetworkError('down', { maySent: false })),
      clock: new VirtualClock(Date.parse('2026-11-22T12:00:00+05:30')),
      random: () => 0.5,
      baseUrl: 'https://down.example',
      deviceId: 'd',
    });
    await expect(openBhavcopy(broken, request())).rejects.toThrow(NetworkError);
  });
});

/** The one file of a zip archive (its sizes are in the central directory). */
function unzip(archive: Buffer): Buffer {
  const directory = archive.lastIndexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
  const [size, local] = [archive.readUInt32LE(directory + 20), archive.readUInt32LE(directory + 42)];
  const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  return inflateRawSync(archive.subarray(from, from + size));
}

describeWith(SHARED_DATA, 'real files of the exchange', (folder) => {
  const files = readdirSync(path.join(folder, 'bhavcopy'));
  it.each(share(files, 3, 0))('%s: every cell is as csv-parse reads it', async (name) => {
    const raw = readFileSync(path.join(folder, 'bhavcopy', name));
    const bytes = name.endsWith('.zip') ? unzip(raw) : raw;
    const all = parse(bytes, {
      columns: true,
      bom: true,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
    }) as Record<string, string>[];
    // Of PD, titles and separators are of no market.
    const theirs = all.filter(({ MKT }) => MKT !== '');
    const ours = await rowsOf(fileOf(bytes, 50_021));
    expect(ours).toHaveLength(theirs.length);
    let numbers = 0;
    let different = 0;
    ours.forEach((row, at) => {
      for (const [column, value] of Object.entries(row)) {
        const cell = theirs[at]![column]!;
        if (typeof value === 'number') numbers++;
        const same =
          typeof value === 'number'
            ? value === Number(cell)
            : value === null
              ? cell === '' || cell === '-'
              : value === cell || value === dateCell(cell);
        if (!same) different++;
      }
    });
    expect(Object.keys(ours[0]!)).toEqual(Object.keys(theirs[0]!).filter((column) => column !== ''));
    expect(different).toBe(0);
    expect(numbers).toBeGreaterThan(ours.length * 5);
  });
});
