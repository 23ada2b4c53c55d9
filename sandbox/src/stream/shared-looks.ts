/** How one subscription stands. */
export interface Look {
  isIndex: boolean;
  /** What it says but for the time, as text to compare with. */
  mark: string;
  /** With the time. */
  message: object;
}

/** What is worked out for one connection serves all that are told in the same turn: nothing changes within it. */
export class SharedLooks {
  private readonly looks = new Map<string, Look | undefined>();
  private readonly frames = new Map<string, Uint8Array>();

  /** @param id what is looked at, with all that it depends on. */
  look(id: string, make: () => Look | undefined): Look | undefined {
    if (!this.looks.has(id)) this.looks.set(id, make());
    return this.looks.get(id);
  }

  /** @param ids what is in the frame. */
  frame(ids: string, make: () => Uint8Array): Uint8Array {
    const known = this.frames.get(ids) ?? make();
    this.frames.set(ids, known);
    return known;
  }
}
