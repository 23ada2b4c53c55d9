/** JSON of the wire: integers beyond 2^53 keep every digit, both ways. */

/** A value that JSON can hold. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json | undefined };

const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): object };

/** An integer of up to 64 bits as `JSON.stringify` writes it, with every digit. */
export function int64(value: bigint): object {
  return rawJSON(value.toString());
}

/** Times that have not happened are null on the wire. */
export function int64OrNull(value: bigint): object | null {
  return value === 0n ? null : int64(value);
}

/** Reads JSON; an integer that a double cannot hold becomes its decimal text. @throws SyntaxError */
export function parse(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text) as unknown;
  const lossless = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
      ? context?.source
      : value;
  return JSON.parse(text, lossless) as unknown;
}
