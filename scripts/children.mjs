/** Child processes that live as long as the script: started together, stopped together, none left behind. */
import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { DETACHED, signalTree } from './platform.mjs';

/** Time for a child to end by itself before it is killed, in milliseconds. */
const GRACE_MS = 10_000;

/** Factor of each time limit in CI, where much runs beside each other. */
const PATIENCE = process.env.CI ? 3 : 1;

export class Child {
  /**
   * Prepares a child process.
   * @param {string} name for messages
   * @param {string} command
   * @param {string[]} args
   * @param {{cwd?: string, env?: NodeJS.ProcessEnv, log: string}} options `log` is the file that takes its output
   */
  constructor(name, command, args, { cwd, env, log }) {
    this.name = name;
    this.log = log;
    this.failure = '';
    // Straight into the file: n8n logs a broken pipe for ever when the script is killed before it.
    const file = openSync(log, 'a');
    this.from = fstatSync(file).size;
    this.process = spawn(command, args, { cwd, env, stdio: ['ignore', file, file], detached: DETACHED });
    closeSync(file);
    this.process.on('error', (error) => {
      this.failure = `\n${error.message}`;
    });
    this.ended = new Promise((resolve) => this.process.on('close', resolve));
  }

  /** Its last words. */
  get tail() {
    return readFileSync(this.log).subarray(this.from).toString().slice(-4_000) + this.failure;
  }

  get running() {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Sends a signal to the child and to what it started. */
  signal(name) {
    if (!this.running) return;
    try {
      signalTree(this.process.pid, name);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }

  /** Ends it, kindly first. */
  async stop() {
    if (!this.running) return;
    this.signal('SIGTERM');
    const killer = setTimeout(() => this.signal('SIGKILL'), GRACE_MS);
    await this.ended;
    clearTimeout(killer);
  }

  /**
   * Waits until `probe` gives a truthy value; rejects with the child's last words when it ends before, or takes too long, and then with
   * the probe's last error, too.
   */
  async until(probe, usualMs) {
    const timeoutMs = usualMs * PATIENCE;
    const deadline = Date.now() + timeoutMs;
    let cause;
    const tried = async () => {
      try {
        const value = await probe();
        cause = undefined;
        return value;
      } catch (error) {
        cause = error;
        return undefined;
      }
    };
    for (;;) {
      if (!this.running)
        throw new Error(`${this.name} ended before it was ready. Its last words (all in ${this.log}):\n${this.tail}`);
      const value = await tried();
      if (value) return value;
      if (Date.now() > deadline)
        throw new Error(
          `${this.name} was not ready after ${timeoutMs / 1000} s${cause ? ` (${cause.message})` : ''}. Its last words (all in ${this.log}):\n${this.tail}`,
          { cause },
        );
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  }
}
