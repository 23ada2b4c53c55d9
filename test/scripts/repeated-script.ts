import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Status with which a run ended, and what it wrote. */
export interface Ended {
  status: number;
  said: string;
}

interface Reply {
  status: number;
  stdout: string;
  stderr: string;
  error?: string;
}

/** A script of the project that a test file runs many times, each time with other arguments, in one process of Node.js. */
export class RepeatedScript {
  private readonly child: ChildProcess;

  /** @param name file in `scripts/` */
  constructor(private readonly name: string) {
    this.child = fork(path.join(__dirname, 'run-script.mjs'), [path.join(__dirname, '../../scripts', name)]);
  }

  /** Runs the script with these arguments. @throws Error with the script's, if it throws one, or if it ends the process */
  async run(...args: string[]): Promise<Ended> {
    const { status, stdout, stderr, error } = await new Promise<Reply>((resolve, reject) => {
      const ended = (code: number | null) => reject(new Error(`${this.name} ended the process with status ${code}`));
      this.child.once('exit', ended);
      this.child.once('message', (reply) => {
        this.child.off('exit', ended);
        resolve(reply as Reply);
      });
      this.child.send(args);
    });
    if (error !== undefined) throw new Error(`${this.name} failed: ${error}`);
    return { status, said: stdout + stderr };
  }

  /** Ends the process. */
  async close(): Promise<void> {
    const exit = once(this.child, 'exit');
    this.child.disconnect();
    await exit;
  }
}
