/** Lists of the day that lie for a while: empty, cut, or null. */
import type { JournalOrder, OrderModel } from './order-service';
import type { Fault } from './order-service-faults';
import type { VirtualTime } from './virtual-time';

/** Replies that hold no list where one is asked for. */
const NULLS = ['null', '{}', '{"orders":null}', '{"orders":{"open":null,"executed":null}}', '[]'];
const LISTS = /^\/(?:orders|orders\/v2\/basket|sentinel\/.*)$/;

/**
 * Windows of time in which all lists of the day lie in the same way. They lack everything of what was there `before`, too: a list that shows
 * all that is known and lacks only what nobody knows is like one that is late, so that nothing protects the first orders of a day.
 */
export class LyingLists {
  private readonly windows: readonly { from: number; until: number; kind: 'empty' | 'cut' | 'null' }[];

  /** Draws one to three windows of up to a minute. @param before orders that everybody knows. */
  constructor(
    private readonly time: VirtualTime,
    private readonly random: () => number,
    private readonly before: ReadonlySet<JournalOrder>,
  ) {
    this.windows = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
      const from = time.now() + random() * 30_000;
      return {
        from,
        until: from + random() * 60_000,
        kind: (['empty', 'cut', 'null'] as const)[Math.floor(random() * 3)]!,
      };
    });
  }

  private get kind(): 'empty' | 'cut' | 'null' | undefined {
    const now = this.time.now();
    return this.windows.find(({ from, until }) => from <= now && now < until)?.kind;
  }

  /** Returns what a list of other records shows now. */
  shown<T>(records: readonly T[]): T[] {
    const { kind } = this;
    if (kind === undefined) return [...records];
    return kind === 'cut' ? records.filter(() => this.random() < 0.5) : [];
  }

  /** True for an order that the lists lack now. */
  hides(order: JournalOrder, { journal }: OrderModel): boolean {
    const { kind } = this;
    if (kind !== 'cut') return kind !== undefined;
    return this.before.has(order) || journal.indexOf(order) % 3 < 2;
  }

  /** Returns the fault by which a list is null now. */
  fault({ method, url }: { method: string; url: string }): Fault | undefined {
    if (this.kind !== 'null' || method !== 'GET' || !LISTS.test(new URL(url).pathname)) return undefined;
    return { status: 200, processed: false, text: NULLS[Math.floor(this.random() * NULLS.length)]! };
  }
}
