/** The sandbox as whoever installs it gets it: its packed tarball in an empty folder, started by npx, logged in to by what it prints. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Child } from '../scripts/children.mjs';
import { npm, npx } from '../scripts/platform.mjs';
import { node24, root, withNode24 } from '../scripts/support.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { logIn } from './support/trader.mjs';

/** The first block of a language in the sandbox's README. */
function fromReadme(language) {
  const readme = readFileSync(path.join(root, 'sandbox', 'README.md'), 'utf8');
  return new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(readme)[1];
}

describe('npx brokerage-sandbox, from its packed tarball', { timeout: TIMEOUT_MS }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'brokerage-npx-'));
  const env = withNode24();
  const started = [];

  before(
    () => {
      const quiet = ['--silent', '--no-audit', '--no-fund'];
      execFileSync(
        ...npm(['pack', '--ignore-scripts', '--silent', '--workspace', 'sandbox', '--pack-destination', folder]),
        { cwd: root, env },
      );
      const [tarball] = readdirSync(folder);
      execFileSync(...npm(['install', '--ignore-scripts', ...quiet, `./${tarball}`]), { cwd: folder, env });
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    for (const child of started) await child.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts it and returns its output up to being ready. */
  async function start(...options) {
    const child = new Child('The sandbox', ...npx(['--no-install', 'brokerage-sandbox', '--port', '0', ...options]), {
      cwd: folder,
      env,
      log: path.join(folder, 'sandbox.log'),
    });
    started.push(child);
    await child.until(async () => child.tail.includes('Press Ctrl-C'), 60_000);
    return child.tail;
  }

  for (const universe of ['demo', 'full']) {
    it(`starts with --universe ${universe}, and its first words are enough to log in and to see it`, async () => {
      const text = await start('--universe', universe, '--mail-port', '0');
      const [, url] = /^ *Address +(http:\S+)/m.exec(text);
      const [, phone, mpin, totpSecret] = /phone (\d{10}), MPIN (\d{4}), TOTP secret ([A-Z2-7]+)/.exec(text);
      const ask = await logIn(url, { phone, mpin, totpSecret });
      const { portfolio } = await ask('GET', '/portfolio/holdings');
      assert.ok(portfolio.holdings.length > 0);
      const [, page] = /(http:\S+\/_sandbox\/)/.exec(text);
      const html = await (await fetch(page)).text();
      for (const [, file] of html.matchAll(/(?:src|href)="([\w.]+\.(?:js|css|svg))"/g)) {
        assert.equal((await fetch(new URL(file, page))).status, 200, file);
      }
      assert.match(text, /Take e-mail +at 127\.0\.0\.1:\d+/);
    });
  }

  it("the README's test for jest passes", () => {
    writeFileSync(path.join(folder, 'funds.test.js'), fromReadme('js'));
    const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
    execFileSync(node24, [jest, '--rootDir', folder, '--forceExit'], { cwd: folder, env, stdio: 'pipe' });
  });

  const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0;
  it("the README's test for pytest passes", { skip: !hasPytest && 'pytest is not here' }, () => {
    writeFileSync(path.join(folder, 'test_funds.py'), fromReadme('python'));
    const clients = path.join(folder, 'node_modules', 'brokerage-sandbox', 'clients');
    execFileSync('python3', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], {
      cwd: folder,
      env: { ...env, PYTHONPATH: clients },
      stdio: 'pipe',
    });
  });

  it('--help and --version answer, and a wrong option is told in a sentence', () => {
    const run = (...options) =>
      execFileSync(...npx(['--no-install', 'brokerage-sandbox', ...options]), {
        cwd: folder,
        env,
        stdio: 'pipe',
      }).toString();
    const help = run('--help');
    for (const word of ['--port', '--universe', '--mail-port', '--hours', 'TOTP secret', '/_sandbox/docs'])
      assert.ok(help.includes(word), word);
    assert.ok(
      help.split('\n').every((line) => line.length <= 120),
      'it fits a terminal',
    );
    assert.match(run('--version'), /^\d+\.\d+\.\d+\s*$/);
    assert.throws(
      () => run('--hours', 'never'),
      ({ stderr }) => /^--hours must be one of always, exchange, not "never"\.$/m.test(stderr.toString()),
    );
  });
});
