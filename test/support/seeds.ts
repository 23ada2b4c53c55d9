/** Simulations whose schedules are drawn by seeds: how many run, and which one repeats a failure. */
export interface Seeds {
  /** "60 seeds", or the one that is repeated, for the name of a test. */
  schedules: string;
  /** True if one seed is repeated: it need not lead to every end. */
  isRepeat: boolean;
  /** Number of seeds that run. */
  count: number;
  /** Jest's limit for a test that runs them all, milliseconds: it grows with their number. */
  limitMs: number;
  /**
   * Runs a check for each seed.
   * @param oneIn only so many of them: as many as there are, divided by it.
   * @returns every end that one of them came to.
   * @throws Error that names the seed that failed
   */
  run(check: (seed: number) => readonly string[] | Promise<readonly string[]>, oneIn?: number): Promise<Set<string>>;
}

/** Milliseconds that a test may take before its first seed, and for each: far more than on a busy machine. */
const [START_MS, SEED_MS] = [120_000, 5_000];
/** Lines of a stack. Jest keeps 100 of each error, which takes a fifteenth of a schedule under faults. */
const STACK_LINES = 10;

/**
 * Seeds that environment variables choose: `NAME_SEEDS` says how many run, `NAME_FROM` from which one on, so that a long run can be divided
 * between processes, and `NAME_SEED` repeats one.
 * @param usual how many run where nothing is said.
 */
export function seedsOf(name: string, usual: number): Seeds {
  const only = process.env[`${name}_SEED`];
  const count = only === undefined ? Number(process.env[`${name}_SEEDS`] ?? usual) : 1;
  const from = Number(process.env[`${name}_FROM`] ?? 0);
  return {
    schedules: only === undefined ? `${count} seeds${from === 0 ? '' : ` from ${from}`}` : `seed ${only}`,
    isRepeat: only !== undefined,
    count,
    limitMs: START_MS + count * SEED_MS,
    async run(check, oneIn = 1) {
      const ends = new Set<string>();
      const first = Number(only ?? from);
      const lines = Error.stackTraceLimit;
      Error.stackTraceLimit = STACK_LINES;
      for (let seed = first; seed < first + Math.ceil(count / oneIn); seed++) {
        try {
          for (const end of await check(seed)) ends.add(end);
        } catch (error) {
          throw new Error(`Seed ${seed} fails; replay it alone with ${name}_SEED=${seed}`, { cause: error });
        }
      }
      Error.stackTraceLimit = lines;
      return ends;
    },
  };
}
