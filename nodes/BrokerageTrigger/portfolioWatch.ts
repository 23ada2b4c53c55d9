/** Starts the workflow when positions or holdings change. */
import { portfolioOutput, PortfolioWatch } from '../../client/stream/delivery/portfolio-updates';
import { clock } from '../shared/clock';
import type { TriggerService } from './service';
import { readPortfolioSettings } from './settings';
import { hub } from '../shared/feeds';
import type { Running, Stage } from './triggerContext';

/** Order updates are listened to as well: comparing them with the day's orders shows whether the stream is deaf. */
const FEED = { subscriptions: ['orders', 'portfolio'], checkEveryMs: 30_000 } as const;

/** @throws BrokerageError when it cannot be started. */
export async function watchPortfolio(stage: Stage, open: () => Promise<TriggerService>): Promise<Running> {
  const { parts, instruments, everyMs, unit } = readPortfolioSettings(stage.context);
  const { connection, account, deps } = await open();
  const watch = new PortfolioWatch({
    clock,
    parts,
    instruments,
    everyMs,
    deliver: (update) =>
      stage.emit([portfolioOutput(update, { environment: connection.environment, unit, at: clock.now() })]),
  });
  const listener = stage.listener({ onPortfolio: (portfolio) => watch.take(portfolio) });
  const membership = await hub.join(
    `${account}:portfolio`,
    deps,
    { ...FEED, environment: connection.environment },
    listener,
    stage.signal,
  );
  return {
    stop: async () => {
      watch.close();
      await membership.leave();
    },
  };
}
