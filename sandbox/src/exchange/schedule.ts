/** Something that is due at an instant; plain data, so that a snapshot can hold it. */
export type ScheduledTask<T> = T & { due: number; seq: number };

/** Tasks by due instant (milliseconds), those of the same instant in the order they were added: a binary heap. */
export class TimedQueue<T extends object> {
  private heap: ScheduledTask<T>[] = [];
  private seq = 0;

  add(due: number, task: T): void {
    const { heap } = this;
    const added = { ...task, due, seq: this.seq++ };
    let at = heap.push(added) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(added, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = added;
  }

  /** The instant of the earliest task. */
  nextDue(): number | undefined {
    return this.heap[0]?.due;
  }

  /** Takes the earliest task out. */
  take(): ScheduledTask<T> | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child += 1;
      if (!before(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return first;
  }

  /** All tasks and the next number, as data. */
  state(): { seq: number; tasks: ScheduledTask<T>[] } {
    return { seq: this.seq, tasks: this.heap.map((task) => ({ ...task })) };
  }

  restore(state: { seq: number; tasks: ScheduledTask<T>[] }): void {
    this.seq = state.seq;
    this.heap = state.tasks.map((task) => ({ ...task }));
  }
}

function before(a: { due: number; seq: number }, b: { due: number; seq: number }): boolean {
  return a.due < b.due || (a.due === b.due && a.seq < b.seq);
}
