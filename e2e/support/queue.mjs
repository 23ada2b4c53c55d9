/** n8n as users grow past one machine: queue mode with a main process, workers, Redis and PostgreSQL, all real. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { N8n, installNodes } from '../../scripts/n8n.mjs';
import { ensureRuntime } from '../../scripts/runtime.mjs';
import { freePort } from '../../scripts/support.mjs';
import { startPostgres, startRedis } from './services.mjs';
import { Sandbox, credentialData, packedNodes, quickStart } from './world.mjs';

/**
 * One sandbox and one n8n in queue mode, for a test file. `close()` stops them and removes their folder.
 * @param {string[]} options of the sandbox
 * @returns {Promise<{sandbox: Sandbox, main: N8n, workers: N8n[], credential: object, close(): Promise<void>}>} `credential` is saved in
 * n8n
 */
export async function openQueueWorld(options = []) {
  const folder = mkdtempSync(path.join(tmpdir(), 'brokerage-queue-'));
  // PostgreSQL runs as a separate user and must come through.
  chmodSync(folder, 0o755);
  const sandbox = new Sandbox(folder, await freePort(), options);
  let queue;
  const close = async () => {
    await queue?.stop();
    await sandbox.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await sandbox.start();
    queue = await startQueueMode({
      runtime: await ensureRuntime(),
      folder: path.join(folder, 'n8n'),
      tarball: packedNodes(folder),
    });
    const { main, workers } = queue;
    const credential = await main.saveCredential('Brokerage Sandbox', 'brokerageApi', credentialData(sandbox.url));
    return { sandbox, main, workers, credential, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Starts it all.
 * @param {{runtime: object, folder: string, tarball: string, workers?: number}} options
 * @returns {Promise<{main: N8n, workers: N8n[], stop(): Promise<void>}>}
 */
export async function startQueueMode({ runtime, folder, tarball, workers: count = 2 }) {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const started = [];
  const stop = async () => {
    for (const part of started.reverse()) await part.stop();
  };
  try {
    const redis = await startRedis(path.join(folder, 'redis'));
    started.push(redis);
    const postgres = await startPostgres(path.join(folder, 'postgres'));
    started.push(postgres);
    const env = {
      ...quickStart(false),
      EXECUTIONS_MODE: 'queue',
      OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
      QUEUE_BULL_REDIS_HOST: '127.0.0.1',
      QUEUE_BULL_REDIS_PORT: String(redis.port),
      QUEUE_HEALTH_CHECK_ACTIVE: 'true',
      DB_TYPE: 'postgresdb',
      DB_POSTGRESDB_HOST: '127.0.0.1',
      DB_POSTGRESDB_PORT: String(postgres.port),
      DB_POSTGRESDB_DATABASE: 'n8n',
      DB_POSTGRESDB_USER: 'n8n',
      N8N_ENCRYPTION_KEY: 'an-encryption-key-for-tests-only',
    };
    const instance = async (name) => {
      const userFolder = path.join(folder, name);
      installNodes(userFolder, tarball);
      const port = await freePort();
      return new N8n({ runtime, userFolder, port, env: { ...env, QUEUE_HEALTH_CHECK_PORT: String(port) } });
    };
    const main = await instance('main');
    started.push(main);
    await main.start();
    const workers = [];
    for (let number = 1; number <= count; number++) {
      const worker = await instance(`worker-${number}`);
      started.push(worker);
      await worker.startWorker();
      workers.push(worker);
    }
    await main.signIn();
    return { main, workers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
