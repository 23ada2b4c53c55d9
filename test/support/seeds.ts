/** Simulations whose schedules are drawn by seeds: how many run, and which one repeats a failure. */
export interface Seeds {
  /** "60 seeds", or the one that is repeated, for the name of a test. */
  schedules: string;
  /** True if one seed is repeated: it need not lead to every end. */
  isRepeat: boolean;
  /** Runs a check for each seed. @returns every end that one of them came to. @throws Error that names the seed that failed */
  run(check: (seed: number) => Promise<readonly string[]>): Promise<Set<string>>;
}

/**
 * Seeds that two environment variables choose: `NAME_SEEDS` says how many run, `NAME_SEED` repeats one.
 * @param usual how many run where nothing is said.
 */
export function seedsOf(name: string, usual: number): Seeds {
  const only = process.env[`${name}_SEED`];
  const count = Number(process.env[`${name}_SEEDS`] ?? usual);
  return {
    schedules: only === undefined ? `${count} seeds` : `seed ${only}`,
    isRepeat: only !== undefined,
    async run(check) {
      const ends = new Set<string>();
      for (const seed of only === undefined ? Array.from({ length: count }, (_, index) => index) : [Number(only)]) {
        try {
          for (const end of await check(seed)) ends.add(end);
        } catch (error) {
          throw new Error(`Seed ${seed} fails; replay it alone with ${name}_SEED=${seed}`, { cause: error });
        }
      }
      return ends;
    },
  };
}
