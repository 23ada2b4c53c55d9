/** Fields of an event that its maker gives: for each kind, without what is added to every one. */
export type EventBody<Event, Added extends PropertyKey> = Event extends unknown ? Omit<Event, Added | 'seq'> : never;

/** Numbers events, in order, and tells them to all who listen. */
export class EventSource<Event extends { seq: number }> {
  private readonly listeners: ((event: Event) => void)[] = [];
  private seq = 0;

  /** The number of the last event; 0 before the first. */
  get last(): number {
    return this.seq;
  }

  /** Goes on after an event of an earlier run. */
  goOnAfter(seq: number): void {
    this.seq = seq;
  }

  onEvent(listener: (event: Event) => void): void {
    this.listeners.push(listener);
  }

  /** @param made the event under the number that it is given. */
  publish(made: (seq: number) => Event): void {
    this.seq += 1;
    const event = made(this.seq);
    for (const listener of this.listeners) listener(event);
  }
}
