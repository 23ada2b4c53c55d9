/** The commands that subscribe to what happens to an account (specification: Events, Connecting). */

/** What a trigger can subscribe to (specification: Events, Connecting, rule 3). */
const SUBSCRIPTIONS = {
  orders: 'direct_intent notification',
  portfolio: 'direct_portfolio NOTIFICATION_DIRECT_PORTFOLIO_UPDATE',
} as const;
export type Subscription = keyof typeof SUBSCRIPTIONS;

/** The texts that subscribe to updates of an account. */
export function subscribeCommands(token: string, subscriptions: readonly Subscription[]): string[] {
  return subscriptions.map((subscription) => `subscribe ${token} ${SUBSCRIPTIONS[subscription]}`);
}
