import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as ask, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { SandboxOptions } from '../../../sandbox/src';
import { DEVICE, MARKET_ORDER, logIn, logInByOtp, start, type Bench } from '../support';

// What a mirror says of its live side goes to stderr, and is no part of what a test run says.
beforeEach(() => void jest.spyOn(process.stderr, 'write').mockImplementation(() => true));
afterEach(() => jest.restoreAllMocks());

/** A request that went over the wire to the live side. */
export interface Sent {
  method: string;
  path: string;
  body: string;
}

/** Connection between a mirror and its live side: it writes down what is sent, and can be unplugged. */
export class Wire {
  readonly sent: Sent[] = [];
  readonly sockets = new Set<Socket>();
  isUnplugged = false;
  /** Connections stay, and nothing comes over them. */
  isFrozen = false;
  /** Time that each piece of the stream takes on its way, milliseconds. */
  slowness = 0;
  private readonly server: Server;

  /** @param live where it leads */
  constructor(public live: URL) {
    this.server = createServer((incoming, reply) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('end', () => {
        this.note(incoming, Buffer.concat(parts).toString());
        if (this.isUnplugged) return reply.destroy();
        // The address that the live side tells for its stream is then that of the wire, too.
        const { method, headers, url } = incoming;
        const onward = ask(new URL(url!, this.live), { method, headers });
        onward.on('response', (answer) => {
          reply.writeHead(answer.statusCode!, answer.headers);
          answer.pipe(reply);
        });
        onward.on('error', () => reply.destroy());
        onward.end(Buffer.concat(parts));
      });
    });
    this.server.on('upgrade', (incoming, socket: Socket, head: Buffer) => {
      this.note(incoming, '');
      if (this.isUnplugged) return socket.destroy();
      const onward = connect(Number(this.live.port), this.live.hostname);
      const lines = Object.entries(incoming.headers).map(([name, value]) => `${name}: ${String(value)}`);
      onward.write([`GET ${incoming.url} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
      onward.write(head);
      socket.pipe(onward);
      let last: Promise<unknown> = Promise.resolve();
      onward.on('data', (part: Buffer) => {
        const arrival = this.slowness > 0 ? delay(this.slowness) : undefined;
        last = last.then(() => arrival).then(() => this.isFrozen || socket.write(part));
      });
      this.sockets.add(socket);
      for (const end of [socket, onward]) end.on('error', () => undefined);
      socket.on('close', () => onward.destroy());
      onward.on('close', () => socket.destroy());
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Nothing gets through any more. */
  unplug(): void {
    this.isUnplugged = true;
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
  }

  plugIn(): void {
    this.isUnplugged = false;
  }

  async close(): Promise<void> {
    this.unplug();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private note({ method = '', url = '' }: IncomingMessage, body: string): void {
    this.sent.push({ method, path: url.split('?', 1)[0]!, body });
  }
}

/** A live side, a mirror of it, and the wire between them. */
export interface MirrorBench {
  live: Bench;
  /** A session of the live side's other account. */
  liveTrader: Record<string, string>;
  mirror: Bench;
  trader: Record<string, string>;
  wire: Wire;
  /** Lets the same time pass on both sides, the live one first. */
  pass(duration: string): Promise<void>;
  /** Waits until something is so, looking again at each change of the mirror. */
  until(holds: () => boolean | Promise<boolean>): Promise<void>;
  close(): Promise<void>;
}

/** Writes a credential for its owner only. @returns its path */
export function credentialFile(values: object, mode = 0o600): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'mirror-'));
  const file = path.join(folder, 'credential.json');
  writeFileSync(file, JSON.stringify(values), { mode });
  return file;
}

/** Returns a function that waits until something is so, looking again at each change of a sandbox. */
export function untilChange({ running }: Bench): MirrorBench['until'] {
  const waiting: (() => void)[] = [];
  running.sandbox.onChange(() => waiting.splice(0).forEach((resolve) => resolve()));
  return async (holds) => {
    for (;;) {
      const change = new Promise<void>((resolve) => waiting.push(resolve));
      if (await holds()) return;
      await change;
    }
  };
}

/** Starts a live side on one machine's clock and its mirror on the same. @param ofLive options of the live side */
export async function startMirror(
  options: Partial<SandboxOptions> = {},
  ofLive: Partial<SandboxOptions> = {},
): Promise<MirrorBench> {
  const live = await start({ hours: 'exchange', rateLimit: 'off', ...ofLive });
  const session = await logIn(live);
  const liveTrader = await logInByOtp(live);
  const wire = new Wire(new URL(live.running.url));
  const address = await wire.listen();
  const token = session['authorization']!.replace('Bearer ', '');
  const file = credentialFile({ address, token, device_id: DEVICE });
  const mirror = await start({ hours: 'exchange', rateLimit: 'off', seed: 11, mirror: file, ...options });
  const trader = await logIn(mirror);
  return {
    live,
    liveTrader,
    mirror,
    trader,
    wire,
    async pass(duration) {
      await live.advance(duration);
      await mirror.advance(duration);
    },
    until: untilChange(mirror),
    async close() {
      await mirror.close();
      await wire.close();
      await live.close();
      rmSync(path.dirname(file), { recursive: true });
    },
  };
}

/** Buys ten on the mirror, at the market where nothing else is said. @returns the order's id */
export async function placed({ mirror, trader }: MirrorBench, more: object): Promise<string> {
  const body = {
    ...MARKET_ORDER,
    order_qty: 10,
    ...more,
  };
  const { status, data } = await mirror.http.post('/orders/v2/single', body, { headers: trader });
  expect({ status, data }).toMatchObject({ status: 200 });
  return String(data.order_id);
}
