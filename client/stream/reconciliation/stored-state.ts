/** The delivered state of an order as short text, for the checkpoint that n8n stores. */
import { MARKS, type DeliveredLeg, type DeliveredState } from './delivered-state';
import type { OrderEnd } from './types';

/** The text holds the place in this list: add at its end, and move nothing. */
export const ENDS: readonly OrderEnd[] = ['', 'executed', 'cancelled', 'expired', 'rejected'];

export function packState(state: DeliveredState): string {
  const flags = (state.accepted ? 1 : 0) + (state.triggered ? 2 : 0) + ENDS.indexOf(state.end) * 4;
  const legs = state.legs
    .map(
      ({ refId, filled, value, unstreamed }) =>
        `${refId}:${filled}:${value}${unstreamed ? `:${unstreamed.quantity}:${unstreamed.until}` : ''}`,
    )
    .join(',');
  const marks = [...state.marks].map((mark) => MARKS.indexOf(mark)).join('');
  return [
    flags,
    state.modified,
    state.streamTerms,
    state.ordersTerms,
    legs,
    state.recent.join(','),
    ...(marks === '' ? [] : [marks]),
  ].join('|');
}

/** @returns undefined when the text is not one of {@link packState}. */
export function unpackState(text: unknown): DeliveredState | undefined {
  if (typeof text !== 'string') return undefined;
  const [flags, modified, streamTerms, ordersTerms, legs, recent, marks] = text.split('|');
  const bits = Number(flags);
  const end = ENDS[bits >> 2];
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
    marks: new Set([...(marks ?? '')].flatMap((index) => MARKS[Number(index)] ?? [])),
  };
}

function unpackLeg(text: string): DeliveredLeg {
  const [refId, filled, value, quantity, until] = text.split(':');
  const leg = { refId: Number(refId ?? 0), filled: Number(filled ?? 0), value: Number(value ?? 0) };
  return until === undefined ? leg : { ...leg, unstreamed: { quantity: Number(quantity), until } };
}

function split(text: string): string[] {
  return text === '' ? [] : text.split(',');
}
