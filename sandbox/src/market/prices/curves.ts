/** A point of a curve. */
export interface CurveKnot {
  /** Milliseconds. */
  at: number;
  value: number;
  /** True if the curve runs to it in a straight line from the point before; else it jumps there at its instant. */
  ramp: boolean;
}

/** Curves over time by name, each 0 until its first point and as its last point says for ever after. */
export class InterpolatedCurves {
  private readonly knotsByCurve = new Map<string, CurveKnot[]>();

  get empty(): boolean {
    return this.knotsByCurve.size === 0;
  }

  /** Replaces the course of a curve from an instant on: it runs through these points (absolute values, ascending). */
  set(name: string, from: number, knots: readonly CurveKnot[]): void {
    const earlierKnots = (this.knotsByCurve.get(name) ?? []).filter(({ at }) => at < from);
    const cut = { at: from, value: this.value(name, from), ramp: true };
    // A jump at the very instant begins from the earlier value. A ramp in progress ends at the value that it has reached.
    const starts = knots[0]?.at === from && !knots[0].ramp ? [] : [cut];
    this.knotsByCurve.set(name, [...earlierKnots, ...starts, ...knots]);
  }

  value(name: string, at: number): number {
    const knots = this.knotsByCurve.get(name);
    if (knots === undefined) return 0;
    const index = upTo(knots, at);
    const before = knots[index - 1];
    const next = knots[index];
    if (before === undefined) return 0;
    if (next === undefined || !next.ramp) return before.value;
    return before.value + ((next.value - before.value) * (at - before.at)) / (next.at - before.at);
  }

  /** The instants (milliseconds) of a curve's points, ascending. */
  instants(name: string): number[] {
    return (this.knotsByCurve.get(name) ?? []).map(({ at }) => at);
  }

  state(): [name: string, knots: CurveKnot[]][] {
    return [...this.knotsByCurve].map(([name, knots]) => [name, [...knots]]);
  }

  restore(curves: [name: string, knots: CurveKnot[]][]): void {
    for (const [name, knots] of curves) this.knotsByCurve.set(name, [...knots]);
  }
}

/** Number of points at or before an instant. */
function upTo(knots: readonly CurveKnot[], at: number): number {
  let low = 0;
  let high = knots.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (knots[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
