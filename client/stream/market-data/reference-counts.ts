/** Counts how often each key was added, and not removed since. */
export class ReferenceCounts<Key> {
  private readonly counts = new Map<Key, number>();

  /** The keys with a count, each once. */
  get keys(): readonly Key[] {
    return [...this.counts.keys()];
  }

  add(key: Key): void {
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  /** Takes back what was added before. */
  remove(key: Key): void {
    const left = this.counts.get(key)! - 1;
    if (left > 0) this.counts.set(key, left);
    else this.counts.delete(key);
  }
}
