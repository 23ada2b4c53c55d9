/** Quality of one row of numbers as a forecast of another. */
export interface Foresight {
  /** Rank correlation (information coefficient). */
  coefficient: number;
  /** Its standard error where nothing is foretold. */
  error: number;
  /** The coefficient in errors. */
  score: number;
  count: number;
}

/** Ranks, ties shared. */
function ranks(values: readonly number[]): number[] {
  const order = values.map((value, at) => ({ value, at })).sort((a, b) => a.value - b.value);
  const found = new Array<number>(values.length);
  for (let from = 0; from < order.length;) {
    let to = from;
    while (to < order.length && order[to]!.value === order[from]!.value) to++;
    for (let i = from; i < to; i++) found[order[i]!.at] = (from + to - 1) / 2;
    from = to;
  }
  return found;
}

export function correlation(item: readonly number[], other: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const [a, b] = [mean(item), mean(other)];
  let both = 0;
  let first = 0;
  let second = 0;
  for (let i = 0; i < item.length; i++) {
    both += (item[i]! - a) * (other[i]! - b);
    first += (item[i]! - a) ** 2;
    second += (other[i]! - b) ** 2;
  }
  return first === 0 || second === 0 ? 0 : both / Math.sqrt(first * second);
}

export function foresight(known: readonly number[], came: readonly number[]): Foresight {
  const coefficient = correlation(ranks(known), ranks(came));
  const error = 1 / Math.sqrt(Math.max(known.length - 1, 1));
  return { coefficient, error, score: coefficient / error, count: known.length };
}

/** Right and wrong bets, and what they earned on average with its standard error. */
export class Bets {
  right = 0;
  wrong = 0;
  private readonly earned: number[] = [];

  /** All of them, in the order of the bets. */
  get gains(): readonly number[] {
    return this.earned;
  }

  add(gain: number): void {
    this.earned.push(gain);
    if (gain > 0) this.right += 1;
    else if (gain < 0) this.wrong += 1;
  }

  get count(): number {
    return this.earned.length;
  }

  get mean(): number {
    return this.earned.reduce((a, b) => a + b, 0) / this.earned.length;
  }

  /** Standard error of the mean; NaN for a single bet, which tells nothing of it. */
  get error(): number {
    const { mean, count } = this;
    return Math.sqrt(this.earned.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count * (count - 1)));
  }

  get score(): number {
    return this.mean / this.error;
  }

  toString(): string {
    return `${this.right} right, ${this.wrong} wrong, ${this.mean.toPrecision(3)} ± ${this.error.toPrecision(2)}`;
  }
}
