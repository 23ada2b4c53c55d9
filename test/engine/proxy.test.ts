/**
 * The stream through a proxy that wants a login: the global WebSocket of the Node.js that n8n runs on, with the settings that
 * docs/networks.md names. The host of the stream has no address here, so that there is no other way to it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { WebSocketServer } from 'ws';
import { describeWith } from '../support/needs';

const HOST = 'stream.brokerage.test';
const LOGIN = 'trader:p%40ss';
const NODE_24 = path.resolve(__dirname, '../../node_modules/node/bin/node');

function openssl(): string | undefined {
  if (!existsSync(NODE_24)) return undefined;
  try {
    return execFileSync('openssl', ['version']).toString();
  } catch {
    return undefined;
  }
}

const port = (server: net.Server): number => (server.address() as AddressInfo).port;

/** A proxy as companies have them: CONNECT only, with a user name and a password; it alone knows where the host is. */
async function startProxy(target: () => number): Promise<{ server: http.Server; asked: string[]; refused: string[] }> {
  const [requested, refused]: [string[], string[]] = [[], []];
  const expected = `Basic ${Buffer.from(decodeURIComponent(LOGIN)).toString('base64')}`;
  const server = http.createServer().on('connect', ({ url = '', headers }, socket: net.Socket) => {
    if (headers['proxy-authorization'] !== expected) {
      refused.push(url);
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="x"\r\n\r\n');
      return;
    }
    requested.push(url);
    const inside = net.connect(target(), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      inside.pipe(socket).pipe(inside);
    });
    inside.on('error', () => socket.destroy());
    socket.on('error', () => inside.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, asked: requested, refused };
}

const CLIENT = `
const socket = new WebSocket(process.argv[1]);
socket.onmessage = ({ data }) => { console.log(data); process.exit(0); };
socket.onerror = () => { console.log('failed'); process.exit(0); };
`;

async function heard(url: string, env: Record<string, string>): Promise<string> {
  const child = spawn(NODE_24, ['--no-warnings', '-e', CLIENT, url], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(child, 'close');
  return text.trim();
}

describeWith({ name: 'openssl', found: openssl() }, 'The stream through a proxy with a login', () => {
  let folder: string;
  let stream: https.Server;
  let proxy: Awaited<ReturnType<typeof startProxy>>;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'brokerage-proxy-'));
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${HOST}`],
        ...['-addext', `subjectAltName=DNS:${HOST}`, '-keyout', 'key.pem', '-out', 'own.pem'],
      ],
      { cwd: folder, stdio: 'ignore' },
    );
    stream = https.createServer({
      key: readFileSync(path.join(folder, 'key.pem')),
      cert: readFileSync(path.join(folder, 'own.pem')),
    });
    new WebSocketServer({ server: stream }).on('connection', (socket) => socket.send('heard'));
    stream.listen(0, '127.0.0.1');
    await once(stream, 'listening');
    proxy = await startProxy(() => port(stream));
  });
  afterAll(() => {
    stream.closeAllConnections();
    stream.close();
    proxy.server.closeAllConnections();
    proxy.server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const settings = (login = LOGIN) => ({
    HTTPS_PROXY: `http://${login}@127.0.0.1:${port(proxy.server)}`,
    NODE_EXTRA_CA_CERTS: path.join(folder, 'own.pem'),
  });
  const address = `wss://${HOST}:443/stream`;

  it('NODE_USE_ENV_PROXY=1 takes the stream through the proxy, with an authority of yours', async () => {
    expect(await heard(address, { ...settings(), NODE_USE_ENV_PROXY: '1' })).toBe('heard');
    expect(proxy.asked).toEqual([`${HOST}:443`]);
  });

  it('the stream goes round the proxy without it, whatever n8n has set', async () => {
    const before = proxy.asked.length;
    expect(await heard(address, settings())).toBe('failed');
    expect(proxy.asked).toHaveLength(before);
  });

  it('a wrong login, or an authority that is not known, ends the stream', async () => {
    expect(await heard(address, { ...settings('trader:wrong'), NODE_USE_ENV_PROXY: '1' })).toBe('failed');
    expect(proxy.refused.length).toBeGreaterThan(0);
    const { HTTPS_PROXY } = settings();
    expect(await heard(address, { HTTPS_PROXY, NODE_USE_ENV_PROXY: '1' })).toBe('failed');
  });
});
