/** Measures the instrument master, from HTTP bytes to searchable. The server is a separate process. */
import { monotonicBy } from '../client/base/monotonic';
import { spawn } from 'node:child_process';
import http from 'node:http';
import path from 'node:path';
import { endpoints } from '../client/endpoints';
import { forgetInstruments, instrumentsOf } from '../client/instruments/catalogue';
import { prepareSearch, searchInstruments } from '../client/instruments/search';
import type { HttpStream } from '../client/base/ports';
import { createTransport } from '../client/transport';
import type { MakeRow } from './row';

const NOW = Date.parse('2026-11-20T10:00:00+05:30');
/** Sends its file in pieces to whoever asks, and says its port and the size. */
const SERVER = path.resolve(__dirname, 'support', 'master-server.ts');

const httpStream: HttpStream = ({ url }) =>
  new Promise((resolve, reject) => {
    http
      .get(url, (response) => resolve({ status: response.statusCode ?? 0, headers: {}, chunks: response }))
      .on('error', reject);
  });

const make: MakeRow = async ({ short }) => {
  const count = short ? 2_000 : 150_000;
  const server = spawn(process.execPath, [...process.execArgv, SERVER, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port, bytes] = await new Promise<string[]>((resolve) =>
    server.stdout.once('data', (data: Buffer) => resolve(data.toString().trim().split(' '))),
  );
  const transport = createTransport({
    http: () => Promise.reject(new Error('only streams are asked for here')),
    httpStream,
    clock: { now: () => NOW, ...monotonicBy(() => 0), sleep: () => Promise.resolve() },
    random: () => 0.5,
    baseUrl: `http://127.0.0.1:${port}`,
    deviceId: 'bench',
  });

  const ours = async () => {
    forgetInstruments();
    const store = await instrumentsOf(transport, 'NSE');
    prepareSearch(store);
    if (searchInstruments([store], 'INFY', { today: '2026-11-20', limit: 1 }).length !== 1 || store.size !== count)
      throw new Error('the master is not searchable');
    return store;
  };
  const whole = async () => {
    const { chunks } = await transport.stream(endpoints.refdata, {
      path: { date: '2026-11-20' },
      query: { exchange: 'NSE' },
    });
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as { refdata: { stock_name: string }[] };
  };
  return {
    title: 'Instrument master, from HTTP bytes to searchable',
    work: `${count} rows, ${(Number(bytes) / 1e6).toFixed(0)} MB`,
    sides: [
      { name: 'ours', role: 'ours', run: ours },
      { name: 'JSON.parse of the whole body', role: 'limit', run: whole },
      {
        name: 'parsed, split and filtered once',
        role: 'alternative',
        run: async () => {
          const items = (await whole()).refdata.map((json, item) => ({ json: { ...json }, pairedItem: { item } }));
          return items.filter(({ json }) => json.stock_name.includes('INFY'));
        },
      },
    ],
    memory: true,
    goals: [{ against: 'JSON.parse of the whole body', times: 1.25, memory: 0.4 }],
    figures: async () => {
      const held = async () => {
        for (let round = 0; round < 3; round++) {
          globalThis.gc?.();
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        const { heapUsed, external } = process.memoryUsage();
        return heapUsed + external;
      };
      forgetInstruments();
      const before = await held();
      const store = await ours();
      const retained = (await held()) - before;
      return [{ name: `retained for ${store.size} instruments`, value: retained / 1e6, unit: 'MB', atMost: 25 }];
    },
    close: async () => {
      server.kill();
    },
  };
};
export default make;
