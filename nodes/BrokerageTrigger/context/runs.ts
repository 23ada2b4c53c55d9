/** The runs that triggers on one account have started, for a sandbox whose clock waits for them. */
export class Runs {
  private static readonly byAccount = new Map<string, Runs>();
  private readonly open = new Set<Promise<unknown>>();
  private started = 0;
  private told = 0;

  /** Those of an account; one for the process. */
  static of(account: string): Runs {
    const known = Runs.byAccount.get(account) ?? new Runs();
    Runs.byAccount.set(account, known);
    return known;
  }

  /** A run was started. @param done settles when it is done; must not reject */
  add(done: Promise<unknown>): void {
    this.started += 1;
    this.open.add(done);
    void done.then(() => this.open.delete(done));
  }

  /** Resolves when all that were started by now are done. @returns how many were started since it was called before */
  allDone = async (): Promise<number> => {
    const fresh = this.started - this.told;
    this.told = this.started;
    await Promise.all(this.open);
    return fresh;
  };
}
