/** What a command's arguments are made of: the event log writes them as JSON. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json | undefined };

type Run = (at: number, args: Json[]) => unknown;

/** Takes a command down before it is carried out. */
export type CommandLog = (at: number, name: string, args: Json[]) => void;

/**
 * Everything that changes the sandbox from outside goes through a command: it is given an instant, written to the log,
 * carried out, and answered, in that order. The same commands at the same instants make the same sandbox.
 */
export class Commands {
  private readonly known = new Map<string, Run>();

  /**
   * @param instant brings the sandbox to now and says when that is, milliseconds.
   * @param log takes a command down before it is carried out.
   * @param done is told after it was carried out.
   */
  constructor(
    private readonly instant: () => number,
    private readonly log: CommandLog,
    private readonly done: () => void,
  ) {}

  /** Declares a command; what comes back issues it. */
  define<A extends Json[], R>(name: string, run: (at: number, ...args: A) => R): (...args: A) => R {
    if (this.known.has(name)) throw new Error(`the command ${name} is declared twice`);
    this.known.set(name, (at, args) => run(at, ...(args as A)));
    return (...args) => {
      const at = this.instant();
      this.log(at, name, args);
      const result = run(at, ...args);
      this.done();
      return result;
    };
  }

  /** Carries out a command of the log again. */
  replay(at: number, name: string, args: Json[]): void {
    const run = this.known.get(name);
    if (run === undefined) throw new Error(`the log holds a command "${name}" that this version does not know`);
    run(at, args);
  }
}
