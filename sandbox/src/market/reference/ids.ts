import { hashInteger, subKey } from '../../shared/random';

const { floor, imul, round } = Math;

/**
 * The identity of an instrument as a number of 31 bits, and the ref_id that a seed makes of it: a reversible scramble,
 * so that an instrument keeps its ref_id from day to day, no two share one, and it can be looked up without an index.
 */

export type InstrumentIdentity =
  | { kind: 'NSE' | 'BSE' | 'INDEX'; row: number }
  | { kind: 'FUT'; underlying: number; expiry: number }
  | { kind: 'OPT'; underlying: number; expiry: number; strike: number; put: boolean };

/** An expiry is told from others of its underlying by its week, a strike by its number of steps, both modulo 1024. */
export const weekOf = (day: number): number => floor((day + 3) / 7) & 1023;
export const strikeNumber = (strike: number, step: number): number => round(strike / step) & 1023;

const CASH = ['NSE', 'BSE', 'INDEX'] as const;
const BITS = 0x7fffffff;

export function encodeId(identity: InstrumentIdentity): number {
  if (identity.kind === 'OPT') {
    const { underlying, expiry, strike, put } = identity;
    return 0x40000000 | (underlying << 21) | (weekOf(expiry) << 11) | (strike << 1) | (put ? 1 : 0);
  }
  if (identity.kind === 'FUT') return (3 << 20) | (identity.underlying << 11) | (weekOf(identity.expiry) << 1);
  return (CASH.indexOf(identity.kind) << 20) | identity.row;
}

/** Facts of an identity without the universe: weeks and strike numbers instead of dates and prices. */
export type DecodedId =
  | { kind: 'NSE' | 'BSE' | 'INDEX'; row: number }
  | { kind: 'FUT'; underlying: number; week: number }
  | { kind: 'OPT'; underlying: number; week: number; strike: number; put: boolean };

export function decodeId(code: number): DecodedId {
  if (code & 0x40000000) {
    return {
      kind: 'OPT',
      underlying: (code >>> 21) & 511,
      week: (code >>> 11) & 1023,
      strike: (code >>> 1) & 1023,
      put: (code & 1) === 1,
    };
  }
  const kind = CASH[code >>> 20];
  if (kind) return { kind, row: code & 0xfffff };
  return { kind: 'FUT', underlying: (code >>> 11) & 511, week: (code >>> 1) & 1023 };
}

function inverse(odd: number): number {
  let x = odd;
  for (let i = 0; i < 5; i++) x = imul(x, 2 - imul(odd, x));
  return x;
}

/** A reversible scramble of 31 bits. */
export class IdPermutation {
  private readonly first: number;
  private readonly second: number;
  private readonly mask: number;
  private readonly back: { first: number; second: number };

  constructor(seed: number) {
    this.first = subKey(hashInteger(seed), 1) | 1;
    this.second = subKey(hashInteger(seed), 2) | 1;
    this.mask = subKey(hashInteger(seed), 3) & BITS;
    this.back = { first: inverse(this.first), second: inverse(this.second) };
  }

  scramble(code: number): number {
    let x = imul(code ^ this.mask, this.first) & BITS;
    x ^= x >>> 16;
    x = imul(x, this.second) & BITS;
    return x ^ (x >>> 16);
  }

  restore(refId: number): number {
    let x = refId ^ (refId >>> 16);
    x = imul(x, this.back.second) & BITS;
    x ^= x >>> 16;
    return (imul(x, this.back.first) & BITS) ^ this.mask;
  }
}
