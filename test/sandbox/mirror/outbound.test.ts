import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { startSandbox } from '../../../sandbox/src';
import { AnswerTooLarge, MAX_LIVE_REPLY_BYTES, readText } from '../../../sandbox/src/mirror/outbound-policy';
import { START } from '../support';
import { MASTER } from './fake-live';
import { credentialFile } from './support';

const TOKEN = 'live.session.token';

describe('A mirror of a live side that wants its token, or its memory', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  /** Listens on a free port. @returns its port */
  async function listen(answer: (request: IncomingMessage, reply: ServerResponse) => void): Promise<number> {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return (server.address() as AddressInfo).port;
  }

  /** Starts a mirror. @returns the message with which that fails, or `none` */
  async function failure(port: number, more: object = {}): Promise<string> {
    const file = credentialFile({ address: `http://127.0.0.1:${port}`, token: TOKEN, device_id: 'd', ...more });
    ends.push(async () => rmSync(path.dirname(file), { recursive: true }));
    const [outcome] = await Promise.allSettled([startSandbox({ mirror: file, start: START, clock: 'manual' })]);
    if (outcome.status === 'rejected') return (outcome.reason as Error).message;
    await outcome.value.close();
    return 'none';
  }

  const json = (reply: ServerResponse, body: object): void => {
    reply.writeHead(200, { 'content-type': 'application/json' });
    reply.end(JSON.stringify(body));
  };

  it.each([
    'ws://127.0.0.1:PORT/ws',
    'wss://thief.example/ws',
    'ws://thief.example:PORT/ws',
    'wss://x@127.0.0.1:PORT/',
  ])('sends nothing to %s', async (written) => {
    const received: string[] = [];
    const thief = await listen((request, reply) => {
      received.push(`${request.url} ${JSON.stringify(request.headers)}`);
      reply.end();
    });
    const home = await listen((_request, reply) =>
      json(reply, { env_info: { market_ws_url: written.replace('PORT', String(thief)) } }),
    );
    const text = await failure(home);
    expect(text).toContain('the session token was not sent there');
    expect(text).toContain('stream_hosts');
    expect(text).not.toContain(TOKEN);
    expect(received).toEqual([]);
  });

  it.each([
    { times: 1, failed: 'none', asked: ['NSE', 'NSE', 'BSE', 'MCX'] },
    { times: 2, failed: 'GET /refdata/refdata/2026-11-23 of the live side: UND_ERR_SOCKET', asked: ['NSE', 'NSE'] },
  ])('reads a second time, and no third, what $times closed connections left unanswered', async (row) => {
    const asked: string[] = [];
    const home = await listen((request, reply) => {
      const exchange = new URL(request.url!, 'http://localhost').searchParams.get('exchange');
      if (!request.url!.startsWith('/refdata/')) return json(reply, {});
      if (asked.push(exchange!) <= row.times) reply.destroy();
      else json(reply, { refdata: MASTER });
    });
    expect(await failure(home)).toContain(row.failed);
    expect(asked).toEqual(row.asked);
  });

  it('follows no redirect', async () => {
    const received: string[] = [];
    const thief = await listen((request, reply) => {
      received.push(String(request.url));
      reply.end();
    });
    const home = await listen((_request, reply) => {
      reply.writeHead(302, { location: `http://127.0.0.1:${thief}/` });
      reply.end();
    });
    expect(await failure(home)).toContain('GET /userinfo of the live side');
    expect(received).toEqual([]);
  });

  it('reads no answer that says that it is larger than answers are', async () => {
    const home = await listen((_request, reply) => {
      reply.writeHead(200, { 'content-type': 'application/json', 'content-length': MAX_LIVE_REPLY_BYTES.json + 1 });
      reply.write('{');
    });
    expect(await failure(home)).toContain('the answer was not read, as it is larger than 64 MB');
  });

  it('stops reading an answer that turns out larger', async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(1_000_000));
      },
    });
    await expect(readText(new Response(endless), 5_000_000)).rejects.toThrow('it is larger than 5 MB');
    expect(pulled).toBeLessThan(10);
    expect(await readText(new Response('₹'.repeat(5)), 15)).toBe('₹'.repeat(5));
    await expect(readText(new Response('₹'.repeat(5)), 14)).rejects.toThrow(AnswerTooLarge);
  });

  it.each([['push.example.net'], [['push example']], [[1]], [Array.from({ length: 21 }, () => 'a.example')]])(
    'refuses stream_hosts of %j',
    async (hosts) => {
      expect(await failure(9, { stream_hosts: hosts })).toContain('stream_hosts must be a list of hosts');
    },
  );
});
