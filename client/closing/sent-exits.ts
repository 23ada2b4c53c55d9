import type { Clock } from '../base/ports';

/** A day's orders are listed for a day. */
const KEPT_MS = 24 * 3_600_000;

/**
 * The tags under which this process sent orders that close positions, by account and position. One serves the whole
 * process. A position is not closed again before the day's list shows all of them, as it may be the one that was closed.
 */
export class SentExits {
  private readonly sent = new Map<string, { tag: string; at: number }[]>();

  constructor(private readonly clock: Clock) {}

  /** Notes a tag before anything is sent under it. @param position its key. */
  add(scope: string, position: string, tag: string): void {
    const key = `${scope}\n${position}`;
    this.sent.set(key, [...this.kept(key).filter((one) => one.tag !== tag), { tag, at: this.clock.now() }]);
  }

  /** The tags of a position, of the last 24 hours. */
  tagsOf(scope: string, position: string): string[] {
    return this.kept(`${scope}\n${position}`).map(({ tag }) => tag);
  }

  private kept(key: string): { tag: string; at: number }[] {
    return (this.sent.get(key) ?? []).filter(({ at }) => this.clock.now() - at < KEPT_MS);
  }
}
