import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { parseOptions } from '../../sandbox/src/simulation/command-line';

/** These machines have no Docker: the files are read here for what would keep them from working. */
const root = path.resolve(__dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

interface Part {
  image?: string;
  build?: { context: string; dockerfile: string; target: string };
  command?: string[];
  pull_policy?: string;
  network_mode?: string;
  ports?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  depends_on?: Record<string, unknown>;
  healthcheck?: { test: string[] };
}
const compose = parse(read('docker/compose.yaml'), { merge: true }) as {
  services: Record<string, Part>;
  volumes: Record<string, unknown>;
};
const dockerfile = read('docker/Dockerfile');
const data = os.tmpdir();

describe('The compose file', () => {
  const parts = Object.entries(compose.services);

  it('puts the sandbox, n8n and its worker into a network that none of them owns, and opens ports to this machine only', () => {
    const shared = parts.filter(([, { network_mode: mode }]) => mode === 'service:network').map(([name]) => name);
    expect(shared.sort()).toEqual(['n8n', 'sandbox', 'worker']);
    for (const name of shared) expect(compose.services[name]!.ports).toBeUndefined();
    expect(compose.services['network']).toMatchObject({ command: ['sleep', 'infinity'] });
    expect(compose.services['network']!.build).toBeUndefined();
    const ports = parts.flatMap(([, part]) => part.ports ?? []);
    expect(ports.length).toBeGreaterThan(0);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    expect(compose.services['worker']!.environment!['N8N_RUNNERS_BROKER_PORT']).not.toBe(
      compose.services['n8n']!.environment!['N8N_RUNNERS_BROKER_PORT'] ?? '5679',
    );
  });

  it('builds each image by one service', () => {
    const built = parts.filter(([, { build }]) => build !== undefined).map(([, { image }]) => image);
    expect(new Set(built).size).toBe(built.length);
    for (const [, { image, build, pull_policy: policy }] of parts)
      if (build === undefined && built.includes(image)) expect(policy).toBe('never');
  });

  it('starts a sandbox that asks others for the token', async () => {
    const [, ...token] = compose.services['sandbox']!.command!.find((name) =>
      name.startsWith('--control-token='),
    )!.split('=');
    expect(token.join('=')).toMatch(/^\$\{SANDBOX_TOKEN:\?/);
    const options = parseOptions(
      compose.services['sandbox']!.command!.map((name) =>
        name.replace(/\$\{.*/, 'a token').replace('=/data', `=${data}`),
      ),
    );
    expect(options).toMatchObject({ host: '0.0.0.0', controlToken: 'a token', mailPort: 1025, data });
  });

  it('asks for its health with the token, as everybody does', () => {
    const { environment, healthcheck } = compose.services['sandbox']!;
    expect(environment!['SANDBOX_TOKEN']).toMatch(/^\$\{SANDBOX_TOKEN:\?/);
    expect(healthcheck!.test.at(-1)).toContain("'x-control-token': process.env.SANDBOX_TOKEN");
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
    const requested = new Set([...read('docker/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
    const offered = new Set([...read('docker/.env.example').matchAll(/^(\w+)=$/gm)].map(([, name]) => name));
    expect(offered).toEqual(requested);
  });

  it('names images of others by their digest, the same wherever one is named', () => {
    const own = parts.flatMap(([, { image, build }]) => (build === undefined ? [] : [image]));
    const others = [
      ...parts.flatMap(([, { image }]) => (image === undefined || own.includes(image) ? [] : [image])),
      ...[...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image),
    ];
    expect(others.length).toBeGreaterThan(4);
    for (const image of others) expect(image).toMatch(/^[\w/]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
    const names = others.map((image) => image.split('@')[0]);
    expect(new Set(others).size).toBe(new Set(names).size);
  });

  it('copies what there is into the images, of the n8n that the tests run', () => {
    for (const [, source = ''] of dockerfile.matchAll(/^COPY (?:--chmod=\d+ )?(docker\/\S+)/gm))
      expect(existsSync(path.join(root, source))).toBe(true);
    const { dependencies } = JSON.parse(read('e2e/runtime/package.json')) as { dependencies: Record<string, string> };
    expect(/^FROM n8nio\/n8n:([\d.]+)@sha256:\S+ AS n8n$/m.exec(dockerfile)?.[1]).toBe(dependencies['n8n']);
  });
});
