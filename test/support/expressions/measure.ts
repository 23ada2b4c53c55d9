/** The processor time that an expression takes for the texts that attack it, and how it grows with them. */
import { attacksOn, textOfAttack, type Attack } from './attacks';
import type { FoundExpression } from './find';

const KB = 1024;
/** Lengths at which growth is measured, characters. */
const LENGTHS = [20 * KB, 40 * KB, 80 * KB] as const;
/** Lengths at which all attacks are tried, to find the worst: what doubles with each character shows at the first, and ends. */
const FIRST_LENGTHS = [22, 100, 600, 2 * KB] as const;
/** Time limit for a text of the first lengths, microseconds: 2 KB take a linear expression a hundredth of it. */
const MAX_FIRST_US = 2_000;
/** Time limit for all attacks together on a linear expression, microseconds. */
const ENOUGH_US = 100_000;
/** Below it growth is not compared, microseconds: 80 KB take a linear expression a tenth of it. */
const FLOOR_US = 20_000;
/**
 * Greatest excess of a longer text's time over proportion: of four times the length a linear expression takes 1, a
 * quadratic one 4.
 */
const MAX_EXCESS = 2;
/** A time from which on the next length is not waited for where twice the length took three times as long, microseconds. */
const HOPELESS_US = 300_000;
/** A busy machine makes a try longer, never shorter: the least of these counts. */
const TRIES = 3;

/** Does something with a text. */
export type Run = (text: string) => unknown;

/** The reason why an expression is not linear: the attack and the times; undefined when it is. */
export function growthOf({ source, flags }: Pick<FoundExpression, 'source' | 'flags'>): string | undefined {
  const expression = new RegExp(source, flags);
  // `split`, `match` and `matchAll` look at a text as `replace` does.
  const run: Run = flags.includes('g') ? (text) => text.replace(expression, '') : (text) => expression.exec(text);
  const attacks = attacksOn(source, flags);
  for (const length of FIRST_LENGTHS) {
    const worst = worstOf(run, attacks, length);
    const us = leastOf(run, worst, length, MAX_FIRST_US);
    if (us > MAX_FIRST_US) return describe(worst, `${us} µs at ${length} characters`);
    if (length === FIRST_LENGTHS.at(-1)) return growthUnder(run, worst);
  }
  return undefined;
}

/** The same of anything that is done with a text, for one attack. */
export function growthUnder(run: Run, attack: Attack): string | undefined {
  const times: number[] = [];
  for (const length of LENGTHS) {
    const us = leastOf(run, attack, length, FLOOR_US);
    const [first] = times;
    const before = times.at(-1) ?? FLOOR_US;
    times.push(us);
    // The first length has nothing to be compared with: how long it takes says more of the machine than of the growth.
    const isTooLong = first !== undefined && us > FLOOR_US && us > (length / LENGTHS[0]) * first * MAX_EXCESS;
    if (isTooLong || (us > HOPELESS_US && us > 3 * before))
      return describe(attack, `${times.join(', ')} µs at ${LENGTHS.slice(0, times.length).join(', ')} characters`);
  }
  return undefined;
}

/** Processor time of this process, microseconds. */
function spent(action: () => void): number {
  const before = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** The least time of a few tries, microseconds; of those up to the first that is small enough, or so long that no busy machine explains it. */
function leastOf(run: Run, attack: Attack, length: number, enough: number): number {
  const text = textOfAttack(attack, length);
  let least = Infinity;
  for (let tried = 0; tried < TRIES && least > enough; tried++) {
    const us = spent(() => void run(text));
    least = Math.min(least, us);
    if (us > HOPELESS_US) break;
  }
  return least;
}

/** The attack that takes longest: each time the half that takes longer is looked at. */
function worstOf(run: Run, attacks: readonly Attack[], length: number): Attack {
  let left = attacks;
  while (left.length > 1) {
    const middle = left.length >> 1;
    const [first, second] = [left.slice(0, middle), left.slice(middle)].map((half) => timeOf(run, half, length)) as [
      Timed,
      Timed,
    ];
    left = first.us > second.us ? first.tried : second.tried;
  }
  return left[0]!;
}

interface Timed {
  tried: readonly Attack[];
  us: number;
}

/** Time after which it is looked whether the attacks have taken enough, milliseconds: to ask for the processor time takes longer than most of them. */
const LOOK_MS = 5;

/** The time of several attacks; of an expression that is far from linear only as many are tried as it needs to show. */
function timeOf(run: Run, attacks: readonly Attack[], length: number): Timed {
  const before = process.cpuUsage();
  const spentSince = (): number => {
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  let looked = performance.now();
  let count = 0;
  while (count < attacks.length) {
    run(textOfAttack(attacks[count++]!, length));
    if (performance.now() - looked < LOOK_MS) continue;
    if (spentSince() >= ENOUGH_US) break;
    looked = performance.now();
  }
  return { tried: attacks.slice(0, count), us: spentSince() };
}

function describe({ prefix, pump, suffix }: Attack, times: string): string {
  return `${JSON.stringify(prefix)} + ${JSON.stringify(pump)} × n + ${JSON.stringify(suffix)}: ${times}`;
}
