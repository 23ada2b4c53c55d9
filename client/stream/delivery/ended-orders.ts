/**
 * Delivered states of ended orders, as one short text: an account may have 50,000 a day, and n8n stores the text with each event. No events
 * follow, so that the final state and the filled quantity are enough.
 */
import { LONG_AGO, UNKNOWN_VALUE, nothingDelivered, type OrderAsDelivered } from '../reconciliation/order-as-delivered';
import { ORDER_ENDS } from '../reconciliation/state-codec';

const BASE = 36;
const ID = /^[1-9]\d*$/;

/** Returns true if the state of an order may be stored in the short form: no later comparison needs the omitted fields. */
function isShort(orderId: string, { end, legs, marks, exits }: OrderAsDelivered): boolean {
  const [leg] = legs;
  return (
    end !== '' &&
    ID.test(orderId) &&
    marks.size === 0 &&
    exits.length === 0 &&
    legs.length <= 1 &&
    leg?.unstreamed === undefined &&
    // Of one that was cancelled, a fill may still come to light; its price needs the value so far.
    (end === 'executed' || leg === undefined || leg.filled === 0)
  );
}

/** Orders by their id, from the oldest on; an entry tells how far its id and its instrument are from those before it. */
export class EndedOrders {
  /** Stored form. */
  text = '';
  private readonly endedOrders = new Map<string, string>();
  private lastId = 0n;
  private lastRefId = 0;

  /** Reads a stored text. @param text as stored; '' for none. */
  constructor(text: string) {
    if (text === '') return;
    this.text = text;
    for (const entry of text.split(';')) {
      const [delta, flags, refId, filled] = entry.split('.') as [string, string, string?, string?];
      this.lastId += fromBase(delta);
      if (refId !== undefined && refId !== '') this.lastRefId = parseInt(refId, BASE);
      const leg = filled === undefined ? '' : `.${this.lastRefId}.${parseInt(filled, BASE)}`;
      this.endedOrders.set(this.lastId.toString(), `${flags}${leg}`);
    }
  }

  get ids(): IterableIterator<string> {
    return this.endedOrders.keys();
  }

  /** @returns false when the order has not ended, or its state cannot be kept short. */
  add(orderId: string, state: OrderAsDelivered): boolean {
    if (!isShort(orderId, state)) return false;
    const [leg] = state.legs;
    const flags = ((state.accepted ? 1 : 0) + (state.triggered ? 2 : 0) + ORDER_ENDS.indexOf(state.end) * 4).toString(
      BASE,
    );
    const short = leg ? `${flags}.${leg.refId}.${leg.filled}` : flags;
    if (this.endedOrders.get(orderId) === short) return true;
    this.endedOrders.set(orderId, short);
    this.write(orderId, short);
    return true;
  }

  /** Forgets orders. */
  drop(orderIds: Iterable<string>): void {
    const dropped = [...orderIds].filter((orderId) => this.endedOrders.delete(orderId));
    if (dropped.length === 0) return;
    this.text = '';
    this.lastId = 0n;
    this.lastRefId = 0;
    for (const [orderId, short] of this.endedOrders) this.write(orderId, short);
  }

  *states(): Generator<[orderId: string, state: OrderAsDelivered]> {
    for (const [orderId, short] of this.endedOrders) {
      const [flags, refId, filled] = short.split('.') as [string, string?, string?];
      const bits = parseInt(flags, BASE);
      const legs = refId === undefined ? [] : [{ refId: Number(refId), filled: Number(filled), value: UNKNOWN_VALUE }];
      const end = ORDER_ENDS[bits >> 2];
      if (end === undefined) continue;
      const known = { accepted: (bits & 1) !== 0, triggered: (bits & 2) !== 0, end, modified: LONG_AGO, legs };
      yield [orderId, { ...nothingDelivered(), ...known }];
    }
  }

  private write(orderId: string, short: string): void {
    const id = BigInt(orderId);
    const [flags, refId, filled] = short.split('.') as [string, string?, string?];
    const parts = [(id - this.lastId).toString(BASE), flags];
    if (refId !== undefined) {
      const same = Number(refId) === this.lastRefId;
      parts.push(same ? '' : Number(refId).toString(BASE), Number(filled).toString(BASE));
      this.lastRefId = Number(refId);
    }
    this.lastId = id;
    this.text += `${this.text === '' ? '' : ';'}${parts.join('.')}`;
  }
}

/** A signed whole number of any size. */
function fromBase(text: string): bigint {
  const digits = text.startsWith('-') ? text.slice(1) : text;
  let value = 0n;
  for (const digit of digits) value = value * BigInt(BASE) + BigInt(parseInt(digit, BASE));
  return text.startsWith('-') ? -value : value;
}
