/**
 * The same day in a file of each format: open, high, low, close and volume of each bar come out of the candles, of the market-data
 * stream and of the end-of-day file as they went in, to the paisa and to the share.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { loadSync } from 'protobufjs';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { equities } from '../../../sandbox/src/market/reference/dated-tables';
import { share } from '../../support/sample';
import { logIn, start, type Bench } from '../support';
import { StreamClient } from '../stream/client';

const PARQUET = path.join(__dirname, '..', 'market', 'recordings', 'parquet');
const DATE = '2020-03-13';
const SESSION_ENDS = '15:30:00';
const at = (time: string): number => Date.parse(`${DATE}T${time}+05:30`);

/** A bar: prices in paise. */
interface Bar {
  from: string;
  /** The second after its last one. */
  to: string;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}
const bar = (from: string, to: string, [open, high, low, close, volume]: number[]): Bar =>
  ({ from, to, open, high, low, close, volume }) as Bar;
const rupees = (paise: number): string => (paise / 100).toFixed(2);

const MINUTES = [
  bar('09:15:00', '09:16:00', [60000, 60100, 59950, 60050, 10]),
  bar('09:16:00', '09:17:00', [60050, 60200, 60000, 60100, 20]),
];
const SECONDS = [
  bar('09:15:00', '09:15:01', [60000, 60010, 59990, 60005, 7]),
  bar('09:15:01', '09:15:02', [60005, 60100, 59985, 60095, 3]),
  bar('09:20:30', '09:20:31', [60200, 60205, 59500, 59505, 5]),
];
const DAY = [bar('00:00:00', SESSION_ENDS, [60000, 60200, 59500, 59900, 123_456])];

const csv = (bars: readonly Bar[], between = ','): string =>
  [
    ['time', 'open', 'high', 'low', 'close', 'volume'],
    ...bars.map(({ from, open, high, low, close, volume }) => [
      `${DATE} ${from}`,
      ...[open, high, low, close].map(rupees),
      volume,
    ]),
  ]
    .map((cells) => cells.join(between))
    .join('\n');

/** A text as Windows writes "Unicode": UTF-16 with its mark. */
function utf16(text: string, ends: 'le' | 'be'): Buffer {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return ends === 'le' ? bytes : bytes.swap16();
}

/** An archive with one file, as the specification of PKWARE lays it out. */
function zipOf(name: string, content: Buffer): Buffer {
  const packed = deflateRawSync(content);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
  const entry = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, Buffer.alloc(14), Buffer.from(name)]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(entry.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, entry, Buffer.from('PK\x05\x06'), end]);
}

const OLD_NSE = [
  'SYMBOL,SERIES,OPEN,HIGH,LOW,CLOSE,LAST,PREVCLOSE,TOTTRDQTY,TOTTRDVAL,TIMESTAMP,TOTALTRADES,ISIN,',
  'INFY,EQ,600,602,595,599,599.5,598,123456,74000000,13-MAR-2020,38,INE009A01021,',
].join('\n');
const WITH_DELIVERIES = [
  'SYMBOL, SERIES, DATE1, PREV_CLOSE, OPEN_PRICE, HIGH_PRICE, LOW_PRICE, LAST_PRICE, CLOSE_PRICE, AVG_PRICE, TTL_TRD_QNTY, TURNOVER_LACS, NO_OF_TRADES, DELIV_QTY, DELIV_PER',
  'INFY, EQ, 13-Mar-2020, 598.00, 600.00, 602.00, 595.00, 599.50, 599.00, 600.00, 123456, 740.00, 38, 350, 100.00',
].join('\n');
const UDIFF = [
  'TradDt,BizDt,Sgmt,Src,FinInstrmTp,FinInstrmId,ISIN,TckrSymb,SctySrs,XpryDt,FininstrmActlXpryDt,StrkPric,OptnTp,FinInstrmNm,OpnPric,HghPric,LwPric,ClsPric,LastPric,PrvsClsgPric,UndrlygPric,SttlmPric,OpnIntrst,ChngInOpnIntrst,TtlTradgVol',
  `${DATE},${DATE},CM,NSE,STK,1,INE,INFY,EQ,,,,,NAME,600.00,602.00,595.00,599.00,599.50,598.00,,599.00,,,123456`,
].join('\n');
const PD = [
  'MKT,SERIES,SYMBOL,SECURITY,PREV_CL_PR,OPEN_PRICE,HIGH_PRICE,LOW_PRICE,CLOSE_PRICE,NET_TRDVAL,NET_TRDQTY,IND_SEC,CORP_IND,TRADES,HI_52_WK,LO_52_WK',
  'N,EQ,INFY,INFOSYS,598.00,600.00,602.00,595.00,599.00,74000000,123456,N, ,38,1,1',
].join('\n');
/** A share that trades on BSE only. */
const { bseCode, bseSymbol } = equities().find(({ symbol }) => symbol === '')!;
const OLD_BSE = [
  'SC_CODE,SC_NAME,SC_GROUP,SC_TYPE,OPEN,HIGH,LOW,CLOSE,LAST,PREVCLOSE,NO_TRADES,NO_OF_SHRS,NET_TURNOV,TDCLOINDI,ISIN_CODE,TRADING_DATE',
  `${bseCode},OWN,X ,Q,600,602,595,599,599.5,598,38,123456,1,,INE,13-Mar-20`,
].join('\n');

const FILES: [name: string, interval: string, bars: Bar[], content: string | Buffer][] = [
  ['INFY.csv', '1m', MINUTES, csv(MINUTES)],
  ['INFY.csv.gz', '1m', MINUTES, gzipSync(csv(MINUTES))],
  ['INFY.txt', '1m', MINUTES, csv(MINUTES, ';')],
  ['INFY_M1_202003130915_202003130916.csv', '1m', MINUTES, utf16(csv(MINUTES, '\t'), 'le')],
  ['INFY.tsv', '1m', MINUTES, utf16(csv(MINUTES, '\t'), 'be')],
  ['INFY.asc', '1m', MINUTES, `Prices of INFY\nFrom, 13-Mar-2020\n\n${csv(MINUTES)}`],
  ['INFY.zip', '1m', MINUTES, zipOf('INFY.csv', Buffer.from(csv(MINUTES)))],
  ...['none', 'zstd', 'utc'].map((kind): [string, string, Bar[], Buffer] => [
    `INFY_${kind === 'none' ? '' : 'utc'}.parquet`,
    '1m',
    MINUTES,
    readFileSync(path.join(PARQUET, `INFY_${kind}.parquet`)),
  ]),
  ['INFY_seconds.csv', '1s', SECONDS, csv(SECONDS)],
  ['INFY.daily.csv', '1d', DAY, csv(DAY).replaceAll(' 00:00:00', '')],
  ['cm13MAR2020bhav.csv', '1d', DAY, OLD_NSE],
  ['cm13MAR2020bhav.csv.zip', '1d', DAY, zipOf('cm13MAR2020bhav.csv', Buffer.from(OLD_NSE))],
  ['sec_bhavdata_full_13032020.csv', '1d', DAY, WITH_DELIVERIES],
  ['BhavCopy_NSE_CM_0_0_0_20200313_F_0000.csv', '1d', DAY, UDIFF],
  ['Pd130320.csv', '1d', DAY, PD],
  ['EQ_ISINCODE_130320.CSV', '1d', DAY, OLD_BSE],
];

const root = loadSync(['envelope', 'market'].map((name) => path.join(__dirname, '../../../proto', `${name}.proto`)));
const decode = (type: string, bytes: Uint8Array): Record<string, unknown> => {
  const Type = root.lookupType(`brokerage.stream.${type}`);
  return Type.toObject(Type.decode(bytes), { longs: String }) as Record<string, unknown>;
};

let folder: string;
let bench: Bench;
let headers: Record<string, string>;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'formats-'))));
afterEach(async () => {
  await bench.close();
  rmSync(folder, { recursive: true });
});

const [exchangeOf, symbolOf] = [
  (file: string) => (file.startsWith('EQ_') ? 'BSE' : 'NSE'),
  (file: string) => (file.startsWith('EQ_') ? bseSymbol : 'INFY'),
];

const goTo = async (instant: number): Promise<void> => {
  const { status, data } = await bench.http.post('/_sandbox/clock', { set: new Date(instant).toISOString() });
  expect({ status, data }).toMatchObject({ status: 200 });
};

/**
 * Listens to the market-data stream. @returns what it tells at once: last price, high and low of the day, its volume
 */
async function streamed(exchange: string, symbol: string): Promise<number[]> {
  const { env_info } = (await bench.http.get('/userinfo', { headers })).data;
  const token = headers['authorization']!.slice(7);
  const client = await new StreamClient(`${env_info.market_ws_url}?token=${token}`).open();
  client.socket.send(`batch_subscribe ${token} index {"instruments":["${symbol}"]} ${exchange}`);
  const frame = decode('GenericData', (await client.next()) as Buffer) as { data: { typeUrl: string; value: Buffer } };
  client.socket.terminate();
  const reported = decode(frame.data.typeUrl.replace(/^.*\./, ''), frame.data.value) as {
    instruments: Record<string, string>[];
  };
  const [item] = reported.instruments;
  return [item!['indexValue'], item!['highIndexValue'], item!['lowIndexValue'], item!['volume']].map(Number);
}

/** The candles of the day over HTTP. */
async function candles(exchange: string, symbol: string, interval: string): Promise<Omit<Bar, 'from' | 'to'>[]> {
  const fields = ['open', 'high', 'low', 'close', 'tick_volume'];
  const query = {
    ...{ exchange, type: 'STOCK', values: [symbol], fields, interval, intraDay: false, realTime: false },
    ...{ startDate: new Date(at('00:00:00')).toISOString(), endDate: new Date(at('23:00:00')).toISOString() },
  };
  const { data } = await bench.http.post('/charts/timeseries', { query: [query] }, { headers });
  const found = data.result[0].values[0][symbol] as Record<string, { v: number }[]>;
  const [open, high, low, close, volume] = fields.map((field) => found[field]!.map(({ v }) => v));
  const all = open!.map((price, i) => {
    return { open: price, high: high![i]!, low: low![i]!, close: close![i]!, volume: volume![i]! };
  });
  return all.filter((item) => item.volume > 0);
}

/** The service's end-of-day file has each share, whose past is worked out for it: with TEST_ALL=1 it is asked for with each format. */
const WITH_END_OF_DAY = share(FILES, FILES.length, 7).map(([file]) => file);

it.each(share(FILES, 3, 1))('%s is read, in bars of %s', async (file, interval, bars, content) => {
  writeFileSync(path.join(folder, file), content);
  const [exchange, symbol] = [exchangeOf(file), symbolOf(file)];
  const universe = exchange === 'BSE' ? 'full' : 'demo';
  bench = await start({ replay: folder, start: undefined, rateLimit: 'off', hours: 'exchange', universe });
  headers = await logIn(bench);
  for (const [i, { to, close }] of bars.entries()) {
    await goTo(at(to) - 1);
    const past = bars.slice(0, i + 1);
    expect([to, ...(await streamed(exchange, symbol))]).toEqual([
      to,
      close,
      Math.max(...past.map(({ high }) => high)),
      Math.min(...past.map(({ low }) => low)),
      past.reduce((sum, { volume }) => sum + volume, 0),
    ]);
  }
  await goTo(at('18:00:00'));
  expect(await candles(exchange, symbol, interval)).toEqual(
    bars.map(({ open, high, low, close, volume }) => ({ open, high, low, close, volume })),
  );
  // The end-of-day files that the service has are those of NSE.
  if (exchange === 'BSE' || !WITH_END_OF_DAY.includes(file)) return;
  const day = DATE.replaceAll('-', '');
  const params = { format: 'csv', type: `BhavcopyCM${day}` };
  const { data } = await bench.http.get(`/bhavcopy/nse/${day}`, { params, headers });
  const row = (parse(data, { columns: true }) as Record<string, string>[]).find(({ TckrSymb }) => TckrSymb === symbol)!;
  expect(['OpnPric', 'HghPric', 'LwPric', 'ClsPric', 'TtlTradgVol'].map((name) => Number(row[name]))).toEqual([
    bars[0]!.open / 100,
    Math.max(...bars.map(({ high }) => high)) / 100,
    Math.min(...bars.map(({ low }) => low)) / 100,
    bars.at(-1)!.close / 100,
    bars.reduce((sum, { volume }) => sum + volume, 0),
  ]);
});
