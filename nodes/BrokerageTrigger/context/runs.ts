/** The runs that triggers on one account have started, for a sandbox whose clock waits for them. */
export class TriggerRuns {
  private static readonly byAccount = new Map<string, TriggerRuns>();
  private readonly open = new Set<Promise<unknown>>();
  private started = 0;
  private reported = 0;

  /** Those of an account; one for the process. */
  static of(account: string): TriggerRuns {
    const triggerRuns = TriggerRuns.byAccount.get(account) ?? new TriggerRuns();
    TriggerRuns.byAccount.set(account, triggerRuns);
    return triggerRuns;
  }

  /** A run was started. @param run settles when it is done; must not reject */
  add(run: Promise<unknown>): void {
    this.started += 1;
    this.open.add(run);
    this.holdClock(run);
  }

  /** Something else must be done first that may start runs, such as a request. @param work must not reject */
  holdClock = (work: Promise<unknown>): void => {
    this.open.add(work);
    void work.then(() => this.open.delete(work));
  };

  /** Resolves when all is done that was started. @returns how many runs were started since it resolved before */
  allDone = async (): Promise<number> => {
    while (this.open.size > 0) await Promise.all(this.open);
    const fresh = this.started - this.reported;
    this.reported = this.started;
    return fresh;
  };
}
