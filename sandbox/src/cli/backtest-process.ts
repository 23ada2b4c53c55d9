import { spawn } from 'node:child_process';

/** Number of its last characters that are kept. */
const TAIL = 2_000;

/**
 * Runs this command's `backtest` in a separate process. A signal ends it, and with it its n8n.
 * @returns undefined where it ended well, else its last words
 */
export async function runInSeparateProcess(args: string[], signal: AbortSignal): Promise<string | undefined> {
  const command = [...process.execArgv, process.argv[1]!, 'backtest', ...args];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'ignore', 'pipe'] });
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (words = (words + text).slice(-TAIL)));
  const status = await new Promise<string | undefined>((resolve) => {
    child.on('error', ({ message }) => resolve(message));
    child.on('close', (code, killed) =>
      resolve(code === 0 ? undefined : words.trim() || `it ended with ${code ?? killed}`),
    );
  });
  signal.removeEventListener('abort', stop);
  return status;
}
