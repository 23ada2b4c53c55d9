import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { loadSync } from 'protobufjs';
import { describeWith, SHARED_DATA } from '../../support/needs';
import { StreamClient } from '../stream/client';
import { logIn, start, type Bench } from '../support';
import { share } from '../../support/sample';

/**
 * The recording of a real day appears at each door of the service, over HTTP and WebSocket, with the values of the
 * file.
 */

const MINUTE = 60_000;
/** Minutes of the day that are heard of second by second. */
const HEARD = 3;
const ist = (time: string): number => Date.parse(`${time}+05:30`);
const proto = loadSync(['envelope', 'market'].map((name) => path.join(__dirname, '../../../proto', `${name}.proto`)));

interface Row {
  /** Of its minute, milliseconds. */
  at: number;
  open: number;
  high: number;
  low: number;
  close: number;
}

/** Rows of a day in a file, read apart from the sandbox's own reader: those of the session, and the close after it. Prices are paise. */
function rowsOf(file: string, date: string): { session: Row[]; official: number } {
  const all = gunzipSync(readFileSync(file))
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.split(','))
    .filter(([, day]) => day === date.replaceAll('-', ''))
    .map(([, , clock, ...prices]): Row => {
      const [open, high, low, close] = prices.slice(0, 4).map((price) => Math.round(Number(price) * 100));
      return { at: ist(`${date}T${clock}:00`) - MINUTE, open: open!, high: high!, low: low!, close: close! };
    });
  const session = all.filter(({ at }) => at >= ist(`${date}T09:15:00`) && at < ist(`${date}T15:30:00`));
  return { session, official: all.at(-1)!.close };
}

/** The indices in a frame of the market-data stream, by name: last price, highest and lowest of the day, previous close. */
function indicesIn(frame: Uint8Array): Map<string, { price: number; high: number; low: number; before: number }> {
  const decode = (type: string, bytes: Uint8Array): Record<string, unknown> => {
    const Type = proto.lookupType(`brokerage.stream.${type}`);
    return Type.toObject(Type.decode(bytes), { longs: String }) as Record<string, unknown>;
  };
  const { data } = decode('GenericData', frame) as { data: { typeUrl: string; value: Uint8Array } };
  const { indexes } = decode(data.typeUrl.replace(/^.*\./, ''), data.value) as { indexes: Record<string, string>[] };
  return new Map(
    indexes.map((index) => [
      index['indexname']!,
      {
        price: Number(index['indexValue']),
        high: Number(index['highIndexValue']),
        low: Number(index['lowIndexValue']),
        before: Number(index['prevClose']),
      },
    ]),
  );
}

describeWith(SHARED_DATA, 'A recorded day at the doors of the service', (data) => {
  const SYMBOLS = ['NIFTY', 'BANKNIFTY'];
  let folder: string;
  let bench: Bench;
  let headers: Record<string, string>;
  const days = new Map<string, ReturnType<typeof rowsOf>>();
  const replay = async (date: string) => {
    folder = mkdtempSync(path.join(tmpdir(), 'recorded-day-'));
    for (const symbol of SYMBOLS) {
      const file = path.join(data, 'history', `minute_${symbol}_${date.slice(0, 7)}.txt.gz`);
      copyFileSync(file, path.join(folder, path.basename(file)));
      days.set(symbol, rowsOf(file, date));
    }
    bench = await start({ start: undefined, replay: folder, from: date });
    headers = await logIn(bench);
  };
  afterEach(async () => {
    await bench.close();
    rmSync(folder, { recursive: true });
  });
  const to = async (at: number) => await bench.http.post('/_sandbox/clock', { set: new Date(at).toISOString() });

  const DAYS = [
    ['2020-03-12', '2020-03-13'],
    ['2021-01-28', '2021-01-29'],
  ] as const;
  it.each(share(DAYS, 2, 0))('%s has the candles, stream and end-of-day file of the recording', async (date, next) => {
    await replay(date);
    const { env_info } = (await bench.http.get('/userinfo', { headers })).data;
    const token = headers['authorization']!.slice('Bearer '.length);
    const client = await new StreamClient(`${env_info.market_ws_url}?token=${token}`).open();
    const received = async () => indicesIn((await client.next()) as Buffer);
    await to(ist(`${date}T09:15:00`));
    client.socket.send(`batch_subscribe ${token} index ${JSON.stringify({ indexes: SYMBOLS })} NSE`);
    await received();
    for (let minute = 0; minute < HEARD; minute++) {
      // The last second of the minute: its price is the close, and highest and lowest are those of the day so far.
      await to(ist(`${date}T09:15:59`) + minute * MINUTE);
      const reported = await received();
      for (const symbol of SYMBOLS) {
        const seen = days.get(symbol)!.session.slice(0, minute + 1);
        expect([symbol, reported.get(symbol)]).toMatchObject([
          symbol,
          {
            price: seen.at(-1)!.close,
            high: Math.max(...seen.map(({ high }) => high)),
            low: Math.min(...seen.map(({ low }) => low)),
          },
        ]);
      }
    }
    client.socket.terminate();
    await to(ist(`${next}T09:15:00`));
    for (const symbol of SYMBOLS) {
      const { session } = days.get(symbol)!;
      expect(session.length).toBeGreaterThan(370);
      const query = {
        exchange: 'NSE',
        type: 'INDEX',
        values: [symbol],
        fields: ['open', 'high', 'low', 'close'],
        startDate: new Date(ist(`${date}T00:00:00`)).toISOString(),
        endDate: new Date(ist(`${next}T00:00:00`)).toISOString(),
        interval: '1m',
      };
      const { data: reply } = await bench.http.post('/charts/timeseries', { query: [query] }, { headers });
      const fields = reply.result[0].values[0][symbol] as Record<string, { ts: string; v: number }[]>;
      const candles = fields['close']!.map(({ ts }, i) => ({
        at: Number(ts.slice(0, -6)),
        ...Object.fromEntries(query.fields.map((name) => [name, fields[name]![i]!.v])),
      }));
      expect(candles).toEqual(session);
    }
    const { data: text } = await bench.http.get(`/bhavcopy/nse/${date.replaceAll('-', '')}`, {
      params: { format: 'csv', type: `PD${date.replaceAll('-', '')}` },
      headers,
    });
    const rows = parse(text as string, { columns: true, trim: true }) as Record<string, string>[];
    for (const [symbol, title] of [
      ['NIFTY', 'Nifty 50'],
      ['BANKNIFTY', 'Nifty Bank'],
    ] as const) {
      const { session, official } = days.get(symbol)!;
      const row = rows.find(({ SECURITY }) => SECURITY === title)!;
      const paise = ['OPEN_PRICE', 'HIGH_PRICE', 'LOW_PRICE', 'CLOSE_PRICE'].map((name) =>
        Math.round(Number(row[name]) * 100),
      );
      expect([symbol, ...paise]).toEqual([
        symbol,
        session[0]!.open,
        Math.max(...session.map(({ high }) => high)),
        Math.min(...session.map(({ low }) => low)),
        official,
      ]);
      const { data: price } = await bench.http.get(`/optionchains/${symbol}/price?exchange=NSE`, { headers });
      expect([symbol, price.prev_close]).toEqual([symbol, official]);
    }
  });
});
