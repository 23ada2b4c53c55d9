import axios, { type AxiosInstance } from 'axios';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { SANDBOX_PROGRAM } from '../../support/sandbox-program';
import { readJson } from '../support';

/** A sandbox in a separate process, which can be killed. */
export interface LiveProcess {
  url: URL;
  http: AxiosInstance;
  /** Ends it as a power failure would. */
  kill(): Promise<void>;
}

/** Starts the sandbox. @param args of the command line */
export async function startProcess(args: readonly string[]): Promise<LiveProcess> {
  const child = spawn(process.execPath, [...SANDBOX_PROGRAM, '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await addressOf(child);
  const http = axios.create({
    baseURL: url.href,
    validateStatus: () => true,
    transformResponse: [(text: string) => (text === '' ? text : readJson(text))],
  });
  return {
    url,
    http,
    async kill() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function addressOf({ stdout }: ChildProcess): Promise<URL> {
  for await (const line of createInterface({ input: stdout! })) {
    const url = /(http:\/\/[\w.]+:\d+)/.exec(line)?.[1];
    if (url !== undefined) return new URL(url);
  }
  throw new Error('the sandbox did not start');
}
