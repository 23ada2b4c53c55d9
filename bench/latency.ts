/** Orders in the sandbox while a hundred listeners of the market-data stream hear of five hundred instruments each. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { percentile, type Figure, type MakeRow } from './row';
import {
  agent,
  ask,
  json,
  longestBusy,
  orderBody,
  refIdOf,
  stop,
  watchedSandbox,
  type Running,
} from './support/sandbox';

const LISTENERS = 100;
const INSTRUMENTS = 500;
const ORDERS_A_SECOND = 100;
/** Of the first seconds nothing is measured: code is compiled, and each listener gets its first picture. */
const WARM_UP_S = 3;

/** Symbols of shares on NSE. */
async function symbols({ url, headers }: Running): Promise<string[]> {
  const today = new Date(Date.now() + 19_800_000).toISOString().slice(0, 10);
  const { refdata } = json(await ask(`${url}/refdata/refdata/${today}`, 'GET', headers)) as {
    refdata: { plat_name: string; stock_name: string }[];
  };
  return refdata
    .filter(({ plat_name: name }) => /^STOCK_.*\.NSECM$/.test(name))
    .slice(0, INSTRUMENTS)
    .map(({ stock_name: symbol }) => symbol);
}

async function listen({ url, headers }: Running, names: readonly string[], received: () => void): Promise<WebSocket> {
  const token = headers['authorization']!.slice('Bearer '.length);
  const socket = new WebSocket(`${url.replace('http', 'ws')}/apibatch/ws?token=${token}`, { perMessageDeflate: false });
  await once(socket, 'open');
  socket.on('message', received);
  socket.send(`batch_subscribe ${token} index ${JSON.stringify({ indexes: names })} NSE`);
  return socket;
}

/** Places orders at an even rate, whatever the replies take; gives the milliseconds that each took. */
async function place({ url, headers }: Running, body: string, seconds: number): Promise<number[]> {
  const latencies: number[] = [];
  const began = performance.now();
  const sent: Promise<void>[] = [];
  for (let number = 0; number < seconds * ORDERS_A_SECOND; number++) {
    await pause(Math.max(0, began + (number * 1_000) / ORDERS_A_SECOND - performance.now()));
    const at = performance.now();
    sent.push(
      ask(`${url}/orders/v2/single`, 'POST', headers, body).then(({ status }) => {
        if (status !== 200) throw new Error(`answered ${status}`);
        latencies.push(performance.now() - at);
      }),
    );
  }
  await Promise.all(sent);
  return latencies;
}

async function measured(seconds: number): Promise<Figure[]> {
  const running = await watchedSandbox('--universe', 'full');
  const body = orderBody(await refIdOf(running, 'STOCK_INFY.NSECM'));
  const names = await symbols(running);
  if (names.length < INSTRUMENTS) throw new Error(`only ${names.length} shares`);
  await place(running, body, WARM_UP_S);
  const alone = await place(running, body, seconds);
  let frames = 0;
  const sockets = await Promise.all(
    Array.from({ length: LISTENERS }, () => listen(running, names, () => (frames += 1))),
  );
  await place(running, body, WARM_UP_S);
  await longestBusy(running);
  frames = 0;
  const latencies = await place(running, body, seconds);
  const busy = await longestBusy(running);
  for (const socket of sockets) socket.terminate();
  await stop(running);
  return [
    { name: 'order without listeners, 99th percentile', value: percentile(alone, 99), unit: 'ms' },
    { name: `order with ${LISTENERS} listeners, median`, value: percentile(latencies, 50), unit: 'ms' },
    { name: 'the same, 99th percentile', value: percentile(latencies, 99), unit: 'ms', atMost: 50 },
    { name: 'longest busy at a stretch', value: busy, unit: 'ms', atMost: 50 },
    { name: 'frames to a listener', value: frames / LISTENERS / seconds, unit: '/s' },
  ];
}

const make: MakeRow = ({ short }) => ({
  title: 'Orders in the sandbox beside listeners of market data',
  work: `${ORDERS_A_SECOND} orders a second for ${short ? 2 : 20} s; ${LISTENERS} listeners with ${INSTRUMENTS} instruments each`,
  sides: [],
  goals: [],
  figures: async () => await measured(short ? 2 : 20),
  close: () => {
    agent.destroy();
    return Promise.resolve();
  },
});

export default make;
