/** Real Redis and PostgreSQL for one test run, each in a separate folder on a free port. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Child } from '../../scripts/children.mjs';
import { freePort } from '../../scripts/support.mjs';

/** Starts Redis. @returns {Promise<{port: number, stop(): Promise<void>}>} */
export async function startRedis(folder) {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const child = new Child(
    'Redis',
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
    {
      log: path.join(folder, 'redis.log'),
    },
  );
  await child.until(
    async () =>
      execFileSync('redis-cli', ['-p', String(port), 'ping'])
        .toString()
        .trim() === 'PONG',
    20_000,
  );
  return { port, stop: () => child.stop() };
}

/** The folder of PostgreSQL's newest server programs: Debian keeps them off the PATH. */
function postgresPrograms() {
  const base = '/usr/lib/postgresql';
  if (!existsSync(base)) return '';
  const [newest] = readdirSync(base)
    .filter((version) => existsSync(path.join(base, version, 'bin', 'postgres')))
    .sort((a, b) => Number(b) - Number(a));
  return newest ? path.join(base, newest, 'bin') : '';
}

/** Starts PostgreSQL with a database `n8n` for the user `n8n`. @returns {Promise<{port: number, stop(): Promise<void>}>} */
export async function startPostgres(folder) {
  mkdirSync(folder, { recursive: true });
  const programs = postgresPrograms();
  if (programs === '' && spawnSync('initdb', ['--version']).error)
    throw new Error('No PostgreSQL was found. Install it (on Debian: apt-get install postgresql).');
  const data = path.join(folder, 'data');
  // PostgreSQL refuses to run as root: there it runs as the system's postgres user.
  const asUser = process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] : [];
  if (asUser.length > 0) {
    const id = (flag) => Number(execFileSync('id', [flag, 'postgres']).toString());
    chownSync(folder, id('-u'), id('-g'));
  }
  const command = (name, ...args) => [...asUser, path.join(programs, name), ...args];
  const runNow = ([program, ...args]) => execFileSync(program, args, { cwd: folder, stdio: 'pipe' });
  runNow(command('initdb', '-D', data, '-U', 'n8n', '--auth=trust', '--no-sync', '--encoding=UTF8'));
  const port = await freePort();
  const [program, ...args] = command(
    'postgres',
    '-D',
    data,
    '-p',
    String(port),
    '-h',
    '127.0.0.1',
    '-k',
    folder,
    '-c',
    'fsync=off',
    '-c',
    'max_connections=200',
  );
  const child = new Child('PostgreSQL', program, args, { cwd: folder, log: path.join(folder, '..', 'postgres.log') });
  const psql = (sql) =>
    execFileSync('psql', ['-h', '127.0.0.1', '-p', String(port), '-U', 'n8n', '-d', 'postgres', '-c', sql], {
      stdio: 'pipe',
    });
  await child.until(async () => psql('select 1'), 30_000);
  psql('create database n8n');
  return { port, stop: () => child.stop() };
}
