/** JSON of the wire: integers beyond 2^53 keep every digit, both ways. */

/** A value that JSON can hold. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json | undefined };

const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): object };

/** An integer of up to 64 bits as `JSON.stringify` writes it, with every digit. */
export function int64(value: bigint): object {
  return rawJSON(value.toString());
}

/** Reads JSON; an integer that a double cannot hold becomes its decimal text. @throws SyntaxError */
export function parseLossless(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text) as unknown;
  const lossless = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
      ? context?.source
      : value;
  return JSON.parse(text, lossless) as unknown;
}

/** Reads JSON for `JSON.stringify` to write again: an integer that a double cannot hold keeps every digit. @throws SyntaxError */
export function parseExact(text: string): unknown {
  const exact = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && !Number.isSafeInteger(value) ? rawJSON(context?.source ?? String(value)) : value;
  return JSON.parse(text, exact) as unknown;
}
