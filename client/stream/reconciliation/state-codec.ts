/** The delivered state of an order as short text, for the checkpoint that n8n stores. */
import {
  BASKET_FLAGS,
  UNKNOWN_VALUE,
  type ExitAsDelivered,
  type LegAsDelivered,
  type OrderAsDelivered,
} from './order-as-delivered';
import type { ExitKind, ExitStatus, OrderEnd } from '../../orders/model/order-snapshot';

/** The text holds the place in this list: add at its end, and move nothing. */
export const ORDER_ENDS: readonly OrderEnd[] = ['', 'executed', 'cancelled', 'expired', 'rejected'];

/** The text holds the places in these lists too. */
const EXIT_KINDS: readonly ExitKind[] = ['stop', 'target', 'time'];
const EXIT_STATUSES: readonly ExitStatus[] = ['OPEN', 'TRIGGERED', 'FILLED', 'CANCELLED'];

export function packState(state: OrderAsDelivered): string {
  const flags = (state.accepted ? 1 : 0) + (state.triggered ? 2 : 0) + ORDER_ENDS.indexOf(state.end) * 4;
  const legs = state.legs
    .map(
      ({ refId, filled, value, unstreamed }) =>
        `${refId}:${filled}:${value}${unstreamed ? `:${unstreamed.quantity}:${unstreamed.until}` : ''}`,
    )
    .join(',');
  const exits = state.exits
    .map(({ kind, status, trigger, filled, unstreamed, round, value }) => {
      const storedValue = value === defaultValue(filled) ? [] : [value];
      return [
        EXIT_KINDS.indexOf(kind),
        EXIT_STATUSES.indexOf(status),
        trigger,
        filled,
        unstreamed,
        round,
        ...storedValue,
      ].join(':');
    })
    .join(',');
  const marks = [...state.marks].map((mark) => BASKET_FLAGS.indexOf(mark)).join('');
  return [
    flags,
    state.modified,
    state.streamTerms,
    state.ordersTerms,
    legs,
    state.recent.join(','),
    ...(marks === '' && exits === '' ? [] : [marks]),
    ...(exits === '' ? [] : [exits]),
  ].join('|');
}

/** @returns undefined if the text is not one of {@link packState}. */
export function unpackState(text: unknown): OrderAsDelivered | undefined {
  if (typeof text !== 'string') return undefined;
  const [flags, modified, streamTerms, ordersTerms, legs, recent, marks, exits] = text.split('|');
  const bits = Number(flags);
  const end = ORDER_ENDS[bits >> 2];
  if (recent === undefined || !Number.isInteger(bits) || end === undefined) return undefined;
  return {
    accepted: (bits & 1) !== 0,
    triggered: (bits & 2) !== 0,
    end,
    modified: modified as string,
    streamTerms: streamTerms as string,
    ordersTerms: ordersTerms as string,
    legs: split(legs as string).map(unpackLeg),
    recent: split(recent),
    marks: new Set([...(marks ?? '')].flatMap((index) => BASKET_FLAGS[Number(index)] ?? [])),
    exits: split(exits ?? '').flatMap(unpackExit),
  };
}

function unpackLeg(text: string): LegAsDelivered {
  const [refId, filled, value, quantity, until] = text.split(':');
  const leg = { refId: Number(refId ?? 0), filled: Number(filled ?? 0), value: Number(value ?? 0) };
  return until === undefined ? leg : { ...leg, unstreamed: { quantity: Number(quantity), until } };
}

/** The value of what an exit has filled where the text holds none, as that of an earlier version. */
const defaultValue = (filled: number): number => (filled === 0 ? 0 : UNKNOWN_VALUE);

function unpackExit(text: string): ExitAsDelivered[] {
  const [kind, status, trigger = 0, filled = 0, unstreamed = 0, round = 0, storedValue] = text.split(':').map(Number);
  const known = { kind: EXIT_KINDS[kind ?? -1], status: EXIT_STATUSES[status ?? -1] };
  if (known.kind === undefined || known.status === undefined) return [];
  const value = storedValue ?? defaultValue(filled);
  return [{ kind: known.kind, status: known.status, trigger, filled, unstreamed, value, round }];
}

function split(text: string): string[] {
  return text === '' ? [] : text.split(',');
}
