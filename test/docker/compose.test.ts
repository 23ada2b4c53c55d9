import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { parse } from 'yaml';

/** CI has no Docker: the files are read here for what would keep them from working, and the door is tried. */
const root = path.resolve(__dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

interface Part {
  image?: string;
  build?: { context: string; dockerfile: string; target: string };
  network_mode?: string;
  ports?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  depends_on?: Record<string, unknown>;
}
const compose = parse(read('docker/compose.yaml'), { merge: true }) as {
  services: Record<string, Part>;
  volumes: Record<string, unknown>;
};
const dockerfile = read('docker/Dockerfile');

describe('The compose file', () => {
  const parts = Object.entries(compose.services);

  it('puts n8n, its worker and the door into the network of the sandbox, and opens ports to this machine only', () => {
    const shared = parts.filter(([, { network_mode: mode }]) => mode === 'service:sandbox').map(([name]) => name);
    expect(shared.sort()).toEqual(['door', 'n8n', 'worker']);
    for (const name of shared) expect(compose.services[name]!.ports).toBeUndefined();
    const ports = parts.flatMap(([, part]) => part.ports ?? []);
    expect(ports.length).toBeGreaterThan(0);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    expect(compose.services['worker']!.environment!['N8N_RUNNERS_BROKER_PORT']).not.toBe(
      compose.services['n8n']!.environment!['N8N_RUNNERS_BROKER_PORT'] ?? '5679',
    );
  });

  it('names only what there is: stages, files, volumes, services, values to fill in', () => {
    for (const [, { build, volumes = [], depends_on: needs = {} }] of parts) {
      if (build) {
        expect(existsSync(path.join(root, 'docker', build.context, build.dockerfile))).toBe(true);
        expect(dockerfile).toMatch(new RegExp(`^FROM \\S+ AS ${build.target}$`, 'm'));
      }
      for (const volume of volumes) {
        const [source = ''] = volume.split(':');
        expect(
          source.startsWith('./') ? existsSync(path.join(root, 'docker', source)) : source in compose.volumes,
        ).toBe(true);
      }
      for (const service of Object.keys(needs)) expect(compose.services).toHaveProperty(service);
    }
    const wanted = new Set([...read('docker/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
    const offered = new Set([...read('docker/.env.example').matchAll(/^(\w+)=$/gm)].map(([, name]) => name));
    expect(offered).toEqual(wanted);
  });

  it('copies what there is into the images, of the n8n that the tests run', () => {
    for (const [, source = ''] of dockerfile.matchAll(/^COPY (?:--chmod=\d+ )?(docker\/\S+)/gm))
      expect(existsSync(path.join(root, source))).toBe(true);
    const { dependencies } = JSON.parse(read('e2e/runtime/package.json')) as { dependencies: Record<string, string> };
    expect(/^FROM n8nio\/n8n:(\S+) AS n8n$/m.exec(dockerfile)?.[1]).toBe(dependencies['n8n']);
  });
});

it('the door leads to this machine', async () => {
  const server = http.createServer((request, response) =>
    response.end(`${request.headers.host} from ${request.socket.remoteAddress}`),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const door = spawn(process.execPath, [path.join(root, 'docker/door.js'), '0', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => door.once('exit', resolve));
  try {
    const said = await new Promise<string>((resolve) =>
      door.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())),
    );
    const open = /^Port (\d+)/.exec(said)![1];
    const reply = await fetch(`http://127.0.0.1:${open}/`, { headers: { connection: 'close' } });
    expect(await reply.text()).toBe(`127.0.0.1:${open} from 127.0.0.1`);
  } finally {
    door.kill();
    await ended;
    await new Promise((resolve) => server.close(resolve));
  }
});
