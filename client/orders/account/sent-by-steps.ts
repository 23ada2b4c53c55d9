/** Memory of one process for what the steps of executions have sent, so that a later run of a step finds the order of an earlier one. */

/** Order that a run of a step in an execution asks for. */
export interface StepRun {
  /** Identifies the execution, its step and what is ordered: two orders of a step with one text may be one order that is tried twice. */
  order: string;
  /** Number of the run of the step in its execution. */
  run: number;
}

/** An order that a run of a step sent. */
interface SentOrder {
  run: number;
  tag: string;
}

export class SentBySteps {
  private readonly sent = new Map<string, SentOrder[]>();
  /** Orders of earlier runs which later ones have taken up, by the order of the later one. */
  private readonly takenUp = new Map<string, SentOrder>();

  /** Makes an empty memory. @param max number of keys after which all are forgotten. */
  constructor(private readonly max: number) {}

  /** Notes what a run sends. @param key of the step and what it orders. */
  add(key: string, order: SentOrder): void {
    if (this.sent.size >= this.max) this.sent.clear();
    const orders = this.sent.get(key) ?? [];
    orders.push(order);
    this.sent.set(key, orders);
  }

  /**
   * Returns the tag of an order of an earlier run that a run takes up: each run takes up each one once, and one order of it the same each time.
   * @param own key of the order in this run. @param key of the step and what it orders.
   * @param isUnclear returns true for a tag of unknown outcome.
   */
  takeUp(own: string, key: string, run: number, isUnclear: (tag: string) => boolean): string | undefined {
    const known = this.takenUp.get(own);
    if (known !== undefined) return known.tag;
    const isTaken = (tag: string): boolean =>
      [...this.takenUp.values()].some((taken) => taken.run === run && taken.tag === tag);
    const tag = this.sent.get(key)?.find((sent) => sent.run < run && isUnclear(sent.tag) && !isTaken(sent.tag))?.tag;
    if (tag === undefined) return undefined;
    if (this.takenUp.size >= this.max) this.takenUp.clear();
    this.takenUp.set(own, { run, tag });
    return tag;
  }
}
