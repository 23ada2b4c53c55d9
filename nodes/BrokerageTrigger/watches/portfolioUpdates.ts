/** Starts the workflow when positions or holdings change. */
import type { ITriggerFunctions } from 'n8n-workflow';
import { InputError } from '../../../client/base/errors';
import type { FeedEvent } from '../../../client/stream/account-feed/types';
import {
  portfolioOutput,
  PortfolioUpdates,
  type PortfolioPart,
} from '../../../client/stream/delivery/portfolio-updates';
import { oneOf } from '../../../client/values/input';
import type { MoneyUnit } from '../../../client/values/money';
import { clock } from '../../host/clock';
import { sharedFeeds } from '../../shared/feeds';
import { chosenNames, readGroup, instrumentNames, parameterOf, readSeconds, unitOf, splitWords } from './parameters';
import { portfolioUpdatesFields } from './portfolioUpdates.fields';
import type { Watch } from './watch';

export interface PortfolioSettings {
  parts: PortfolioPart[];
  instruments: string[];
  everyMs: number;
  unit: MoneyUnit;
}

/** Order updates are listened to as well: comparing them with the day's orders shows whether the stream is deaf. */
const FEED = { subscriptions: ['orders', 'portfolio'], checkEveryMs: 30_000 } as const;

export const portfolioUpdates: Watch = {
  start: async (context, open) => {
    const { parts, instruments, everyMs, unit } = readPortfolioSettings(context.n8n);
    const { connection, account, deps, transport } = await open();
    const { environment } = connection;
    const updates = new PortfolioUpdates({
      clock,
      parts,
      instruments,
      everyMs,
      account: transport.account,
      onOther: (error) => context.warn('a portfolio update was left out', error),
      deliver: (update) =>
        void context.emit([portfolioOutput(update, { environment, unit, at: transport.marketClock.now() })]),
    });
    const listener = (event: FeedEvent): void => {
      if (event.type === 'portfolio') updates.take(event.portfolio);
      context.report(event);
    };
    const { leave } = await sharedFeeds.join(
      `${account}:portfolio`,
      deps,
      { ...FEED, environment },
      listener,
      context.signal,
    );
    return {
      stop: async () => {
        updates.close();
        await leave();
      },
    };
  },
  waitsFor: (n8n) => chosenNames(n8n, portfolioUpdatesFields, 'parts'),
};

/** @throws InputError that names the parameter. */
function readPortfolioSettings(n8n: ITriggerFunctions): PortfolioSettings {
  const parts = splitWords(parameterOf(n8n, 'parts', [])).map((part) =>
    oneOf(part, ['positions', 'holdings'] as const, 'parts', 'Parts'),
  );
  if (parts.length === 0)
    throw new InputError('No part of the portfolio is chosen.', {
      parameter: 'parts',
      hint: 'Choose positions, holdings or both.',
    });
  return {
    parts,
    instruments: instrumentNames(readGroup(n8n, 'filters')),
    everyMs: readSeconds(parameterOf(n8n, 'portfolioEvery', 10), 'portfolioEvery', 'At Most Every', 1),
    unit: unitOf(readGroup(n8n, 'options')),
  };
}
