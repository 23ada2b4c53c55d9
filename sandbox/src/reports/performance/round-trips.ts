/** Entries matched with the exits that closed them, first in first out. */
import { contractValue } from '../../market/reference/contract-value';
import type { PositionChange, EntryPart, RoundTrip } from './types';

/** A movement with a part that is not used up yet. */
interface Rest {
  movement: PositionChange;
  /** Remaining units, unsigned. */
  left: number;
}

/** An entry, and the new shares that a split or a bonus has brought for it. */
type Lot = readonly Rest[];

/** Charges of so many more units: parts of one movement add up to its charges, to the paisa. */
function take(rest: Rest, quantity: number): number {
  const { charges, quantity: all } = rest.movement;
  const size = Math.abs(all);
  const usedBefore = size - rest.left;
  rest.left -= quantity;
  const upTo = (used: number): number => Number((BigInt(charges) * BigInt(used)) / BigInt(size));
  return upTo(usedBefore + quantity) - upTo(usedBefore);
}

/** Movements, oldest first, as pieces: every unit of an entry is in one, with its exit or without. */
export function matchRoundTrips(movements: readonly PositionChange[]): EntryPart[] {
  const open = new Map<string, Lot[]>();
  /** Entries that a corporate action has closed, to carry them on at another price. */
  const carried = new Map<string, Lot>();
  const pieces: EntryPart[] = [];
  for (const movement of movements) {
    const lots = open.get(movement.key) ?? [];
    open.set(movement.key, movement.kind === 'given' ? withGiven(lots, movement) : lots);
    if (movement.kind === 'given') continue;
    if (movement.kind === 'adjusted' && carried.has(movement.key)) {
      lots.push(...reopened(carried.get(movement.key)!, movement));
      carried.delete(movement.key);
      continue;
    }
    if (movement.kind === 'adjusted')
      carried.set(
        movement.key,
        lots.map((lot) => ({ movement: lot[0]!.movement, left: unitsOf(lot) })),
      );
    const rest: Rest = { movement, left: Math.abs(movement.quantity) };
    const side = Math.sign(movement.quantity);
    while (rest.left > 0 && lots[0] !== undefined && Math.sign(lots[0][0]!.movement.quantity) !== side) {
      const size = unitsOf(lots[0]);
      for (const [entry, quantity] of partsOf(lots[0], Math.min(rest.left, size))) {
        pieces.push({
          entry: entry.movement,
          exit: movement,
          quantity: -side * quantity,
          entryCharges: take(entry, quantity),
          exitCharges: take(rest, quantity),
        });
      }
      if (unitsOf(lots[0]) === 0) lots.shift();
    }
    if (rest.left > 0) lots.push([rest]);
  }
  for (const rest of [...open.values()].flat(2)) {
    const quantity = rest.left * Math.sign(rest.movement.quantity);
    if (quantity === 0) continue;
    const entryCharges = take(rest, rest.left);
    pieces.push({ entry: rest.movement, exit: undefined, quantity, entryCharges, exitCharges: 0 });
  }
  return pieces;
}

const unitsOf = (lot: Lot): number => lot.reduce((sum, { left }) => sum + left, 0);

/** Splits a quantity by sizes: whole parts that add up to it. */
function split(quantity: number, sizes: readonly number[]): number[] {
  const all = sizes.reduce((sum, size) => sum + BigInt(size), 0n);
  let [upTo, before] = [0n, 0];
  return sizes.map((size) => {
    upTo += BigInt(size);
    const part = Number((BigInt(quantity) * upTo) / all) - before;
    before += part;
    return part;
  });
}

/** Returns what a quantity out of a lot takes of the entry and of the new shares: of each as its part of the lot is. */
function partsOf(lot: Lot, quantity: number): [Rest, number][] {
  const parts = split(
    quantity,
    lot.map(({ left }) => left),
  );
  return lot.map((rest, index): [Rest, number] => [rest, parts[index]!]).filter(([, part]) => part > 0);
}

/**
 * Adds new shares to the entries that they came for. So they are what was held before the period, or the trade's, which would else be a
 * great loss beside a great gain.
 */
function withGiven(lots: readonly Lot[], { at, quantity }: PositionChange): Lot[] {
  const parts = split(Math.abs(quantity), lots.map(unitsOf));
  return lots.map((lot, index) => {
    const left = parts[index]!;
    const { decisionPrices: _none, ...parent } = lot[0]!.movement;
    const movement: PositionChange = { ...parent, at, quantity: Math.sign(quantity) * left, price: 0, charges: 0 };
    return left === 0 ? lot : [...lot, { movement, left }];
  });
}

/** Returns the entries that a corporate action has closed, each open again at the price at which it is carried on. */
function reopened(closed: Lot, { at, price }: PositionChange): Lot[] {
  return closed.map(({ movement: { decisionPrices: _none, ...parent }, left }) => {
    const movement: PositionChange = { ...parent, at, quantity: Math.sign(parent.quantity) * left, price, charges: 0 };
    return [{ movement, left }];
  });
}

/** Profit of a piece before costs: to its exit, or at `mark` while it is open. */
export function grossOf({ entry, exit, quantity }: EntryPart, mark: number): number {
  return contractValue(entry.unit, (exit?.price ?? mark) - entry.price, quantity);
}

/** Pieces of the same two orders as one, in the order of their entries. @param mark the last price of what is open */
export function roundTrips(pieces: readonly EntryPart[], mark: (movement: PositionChange) => number): RoundTrip[] {
  const groups = new Map<string, EntryPart[]>();
  for (const piece of pieces) {
    const { entry, exit, quantity } = piece;
    const closedBy = exit === undefined ? 'open' : `${exit.orderId} ${exit.kind} ${exit.orderId === '' ? exit.at : ''}`;
    const id = [entry.key, Math.sign(quantity), entry.orderId, entry.kind, closedBy].join('|');
    const group = groups.get(id);
    if (group) group.push(piece);
    else groups.set(id, [piece]);
  }
  return [...groups.values()].map((group) => roundTrip(group, mark)).sort((a, b) => a.entryAt - b.entryAt);
}

function roundTrip(pieces: readonly EntryPart[], mark: (movement: PositionChange) => number): RoundTrip {
  const { entry } = pieces[0]!;
  const last = pieces.at(-1)!;
  const total = (of: (piece: EntryPart) => number): number => pieces.reduce((sum, piece) => sum + of(piece), 0);
  const gross = total((piece) => grossOf(piece, mark(piece.entry)));
  const costs = total(({ entryCharges, exitCharges }) => entryCharges + exitCharges);
  const slips = pieces.flatMap(({ entry: into, exit: out, quantity }) => [
    slippageOf(into, quantity),
    ...(out === undefined ? [] : [slippageOf(out, -quantity)]),
  ]);
  const knownSlips = slips.filter((slip) => slip !== undefined);
  return {
    key: entry.key,
    refId: entry.refId,
    product: entry.product,
    side: entry.quantity > 0 ? 'LONG' : 'SHORT',
    quantity: total(({ quantity }) => Math.abs(quantity)),
    entryAt: entry.at,
    entryValue: total(({ entry: into, quantity }) => contractValue(into.unit, into.price, Math.abs(quantity))),
    exitAt: last.exit?.at,
    exitValue: total((piece) =>
      contractValue(entry.unit, piece.exit?.price ?? mark(piece.entry), Math.abs(piece.quantity)),
    ),
    gross,
    costs,
    net: gross - costs,
    slippage: knownSlips.length === 0 ? undefined : Math.round(knownSlips.reduce((sum, slip) => sum + slip, 0) / 2),
    entry,
    exit: last.exit,
  };
}

/** Twice what a part of a trade cost against the middle of the book at the decision, paise; undefined where it is not known. */
function slippageOf({ price, unit, decisionPrices }: PositionChange, quantity: number): number | undefined {
  return decisionPrices === undefined ? undefined : contractValue(unit, 2 * price - decisionPrices, quantity);
}
