import type { SubscriptionState } from './subscription-state';

/** State of one subscription. */
export interface SharedMessage {
  isIndex: boolean;
  /** Text of the message without the time, for comparison. */
  fingerprint: string;
  /** With the time. */
  message: object;
}

/** Messages that all connections told in the same turn share: nothing changes within it. */
export class SharedMessages {
  private readonly messagesByVariant = new Map<number, Map<string, SharedMessage | undefined>>();
  private readonly frames = new Map<string, Uint8Array>();

  /** The looks at subscriptions of connections that want them alike, by subscription: the name of it is not made longer for each. */
  alike({
    levels,
    postMarket,
  }: Pick<SubscriptionState, 'levels' | 'postMarket'>): Map<string, SharedMessage | undefined> {
    const how = 2 * levels + Number(postMarket);
    let known = this.messagesByVariant.get(how);
    if (known === undefined) this.messagesByVariant.set(how, (known = new Map<string, SharedMessage | undefined>()));
    return known;
  }

  /** @param ids what is in the frame. */
  frame(ids: string, make: () => Uint8Array): Uint8Array {
    const frame = this.frames.get(ids) ?? make();
    this.frames.set(ids, frame);
    return frame;
  }
}
