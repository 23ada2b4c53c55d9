/** The commands that subscribe to what happens to an account (docs/service/streams.md#connecting). */

/** Subscriptions of a trigger (docs/service/streams.md#connecting). */
const SUBSCRIPTIONS = {
  orders: 'direct_intent notification',
  portfolio: 'direct_portfolio NOTIFICATION_DIRECT_PORTFOLIO_UPDATE',
} as const;
export type AccountSubscription = keyof typeof SUBSCRIPTIONS;

/** The texts that subscribe to updates of an account. */
export function subscribeCommands(token: string, subscriptions: readonly AccountSubscription[]): string[] {
  return subscriptions.map((subscription) => `subscribe ${token} ${SUBSCRIPTIONS[subscription]}`);
}
