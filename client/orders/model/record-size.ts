/** The most that one order or basket holds: a record with more is none of the service, and a step for each part would take minutes. */
import { UnreadableReplyError } from '../../base/errors';
import type { OrderSnapshot } from './order-snapshot';

/** Legs of a strategy: each instrument once, of one underlying. */
const MAX_LEGS = 500;
/** Exits of an order: one of each kind. */
const MAX_EXITS = 50;
const MAX_TAGS = 100;

/** Returns the list of an order that is too long, in words: "90000 legs"; undefined if none is. */
export function whyOversized(legs: number, exits: number, tags: number): string | undefined {
  if (legs > MAX_LEGS) return `${legs} legs`;
  if (exits > MAX_EXITS) return `${exits} exits`;
  return tags > MAX_TAGS ? `${tags} tags` : undefined;
}

/** Checks the size of a record of the day's list. @param name "Basket 5". @throws UnreadableReplyError */
export function requireSize(name: string, legs: number, exits: number): void {
  const size = whyOversized(legs, exits, 0);
  if (size === undefined) return;
  throw new UnreadableReplyError(
    `${name} in the service's list of the day has ${size}, more than any has. The list was not used.`,
    { hint: "Try again. If it stays, look in your broker's app for what is open." },
  );
}

/** Checks in how many instruments the baskets of a list have orders. @throws UnreadableReplyError */
export function requireBasketSizes(orders: readonly OrderSnapshot[]): void {
  const instruments = new Map<string, Set<number>>();
  for (const { kind, basketId, instrument } of orders)
    if (kind === 'leg') instruments.set(basketId, (instruments.get(basketId) ?? new Set()).add(instrument.refId));
  for (const [basketId, { size }] of instruments) requireSize(`Basket ${basketId}`, size, 0);
}
