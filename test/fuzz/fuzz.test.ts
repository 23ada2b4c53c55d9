/**
 * Hostile input of all kinds: nothing crashes, hangs or fills the memory, no secret gets out, and nothing is sent that the
 * person did not set. `FUZZ_CASES=100000` for more (npm run fuzz), `FUZZ_SEED=N FUZZ_CASES=1` repeats one that failed.
 */
import { seededRandom } from '../support/virtual-time';
import { KINDS } from './kinds';
import { IS_WHOLE } from '../support/sample';

const cases = Number(process.env['FUZZ_CASES'] ?? (IS_WHOLE ? 700 : 350));
const first = Number(process.env['FUZZ_SEED'] ?? 1);
const MAX_MS = 1_000;
const MAX_BYTES = 100_000_000;

const held = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

/** Returns how long the process has worked, milliseconds: not the time that a busy machine keeps it waiting. */
const worked = (): number => process.cpuUsage().user / 1_000;

it.each(Object.entries(KINDS))(
  '%s withstands hostile input',
  async (name, run) => {
    const count = Math.ceil(cases / Object.keys(KINDS).length);
    for (let seed = first; seed < first + count; seed++) {
      const [startedAt, before] = [worked(), held()];
      const failure = await run(seededRandom(seed)).then(
        () => undefined,
        (cause: unknown) => ({ cause }),
      );
      const [ms, bytes] = [worked() - startedAt, held() - before];
      const trouble =
        failure !== undefined
          ? failure.cause
          : ms > MAX_MS
            ? `${ms} ms of work`
            : bytes > MAX_BYTES
              ? `${bytes} bytes`
              : '';
      if (trouble !== '')
        throw new Error(`${name}: FUZZ_SEED=${seed} FUZZ_CASES=1: ${String(trouble)}`, { cause: failure?.cause });
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  },
  3_600_000,
);
