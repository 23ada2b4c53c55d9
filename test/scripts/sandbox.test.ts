/** `npm run sandbox` in a checkout where nothing may be written. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
/** Root may write everywhere: here it is kept from it. */
const AS_ROOT = ['setpriv', '--bounding-set=-dac_override', '--inh-caps=-dac_override'];
const onPosix = process.platform === 'win32' ? it.skip : it;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'read-only-'));
  cpSync(path.join(root, 'scripts'), path.join(folder, 'scripts'), { recursive: true });
  for (const name of ['node_modules', 'sandbox', 'proto', 'nodes', 'client', 'credentials', 'package.json'])
    symlinkSync(path.join(root, name), path.join(folder, name));
  chmodSync(folder, 0o555);
});
afterEach(() => {
  chmodSync(folder, 0o755);
  rmSync(folder, { recursive: true });
});

onPosix('starts it from the sources, without a build', async () => {
  const command = [process.execPath, path.join(folder, 'scripts', 'sandbox.mjs'), '--port', '0'];
  const [program = '', ...args] = process.getuid?.() === 0 ? [...AS_ROOT, ...command] : command;
  const before = readdirSync(folder);
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const ended = once(child, 'close');
  try {
    let said = '';
    const ready = new Promise<void>((resolve) => {
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          said += chunk.toString();
          if (said.includes('Press Ctrl-C')) resolve();
        });
    });
    await Promise.race([ready, ended]);
    expect(said).toMatch(/^brokerage-sandbox \S+ is ready\./);
    const [, url] = /Address +(http:\S+)/.exec(said)!;
    expect((await fetch(`${url}/_sandbox/health`, { headers: { connection: 'close' } })).ok).toBe(true);
    expect(readdirSync(folder)).toEqual(before);
  } finally {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGTERM');
    await ended;
  }
});
