import type { Json } from '../shared/json';

/** Form of the arguments of a command in the log, and the way back. */
export interface LogForm<A extends unknown[]> {
  write(args: A): Json[];
  read(json: Json[]): A;
}

/** Writes a command to the log before it is carried out; `json` makes its arguments, for a log that is kept. */
export type CommandLog = (at: number, name: string, json: () => Json[]) => void;

/** Arguments that are JSON already. */
const plain: LogForm<Json[]> = { write: (args) => args, read: (json) => json };

/**
 * Everything that changes the sandbox from outside is a command. A command gets an instant, is written to the log, is
 * carried out and is answered, in that order. The same commands at the same instants make the same sandbox.
 *
 * A command takes typed values. They become JSON only where a log is kept, and are read back only when it is replayed.
 */
export class SandboxCommands {
  private readonly handlers = new Map<string, (at: number, json: Json[]) => unknown>();

  /**
   * @param instant the instant of a command that is issued now, milliseconds
   * @param log writes a command down before it is carried out
   * @param done is told after it was carried out
   */
  constructor(
    private readonly instant: () => number,
    private readonly log: CommandLog,
    private readonly done: () => void,
  ) {}

  /** Declares a command whose arguments are JSON already. @returns the function that issues it */
  define<A extends Json[], R>(name: string, run: (at: number, ...args: A) => R): (...args: A) => R {
    return this.defineTyped(name, plain as LogForm<Json[]> as LogForm<A>, run);
  }

  /** Declares a command whose arguments have a separate form in the log. @returns the function that issues it */
  defineTyped<A extends unknown[], R>(
    name: string,
    form: LogForm<A>,
    run: (at: number, ...args: A) => R,
  ): (...args: A) => R {
    if (this.handlers.has(name)) throw new Error(`the command ${name} is declared twice`);
    this.handlers.set(name, (at, json) => run(at, ...form.read(json)));
    return (...args) => {
      const at = this.instant();
      this.log(at, name, () => form.write(args));
      const result = run(at, ...args);
      this.done();
      return result;
    };
  }

  /** True if this version has a command of that name. */
  knows(name: string): boolean {
    return this.handlers.has(name);
  }

  /** Carries out a command of the log again; it must be known. */
  replay(at: number, name: string, json: Json[]): void {
    this.handlers.get(name)!(at, json);
  }
}
