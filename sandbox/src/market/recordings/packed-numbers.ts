/** Whole numbers one after another in as few bytes as they need: seven bits of a number in each, the lowest first. */

const { floor } = Math;

const FIRST_BYTES = 64;

/** Takes numbers one after another. */
export class NumberWriter {
  private buffer = new Uint8Array(FIRST_BYTES);
  private length = 0;

  /** @param value a whole number from 0 on */
  add(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.put((rest % 128) + 128);
      rest = floor(rest / 128);
    }
    this.put(rest);
  }

  /** @param value a whole number that may be below 0 */
  addSigned(value: number): void {
    this.add(value < 0 ? -2 * value - 1 : 2 * value);
  }

  private put(byte: number): void {
    if (this.length === this.buffer.length) {
      const larger = new Uint8Array(2 * this.length);
      larger.set(this.buffer);
      this.buffer = larger;
    }
    this.buffer[this.length++] = byte;
  }

  /** A copy of all that was taken. */
  bytes(): Uint8Array {
    return this.buffer.slice(0, this.length);
  }
}

/** Gives the numbers of a `NumberWriter` in their order. */
export class NumberReader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  next(): number {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = this.bytes[this.at++] as number;
      if (byte < 128) return value + byte * unit;
      value += (byte - 128) * unit;
    }
  }

  nextSigned(): number {
    const value = this.next();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
