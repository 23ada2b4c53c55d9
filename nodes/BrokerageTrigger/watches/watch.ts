/** The kinds of watching of a trigger. */
import type { ITriggerFunctions } from 'n8n-workflow';
import { oneOf } from '../../../client/values/input';
import { parameterOf } from './parameters';
import type { TriggerService } from '../context/triggerService';
import type { TriggerContext } from '../context/triggerContext';

/** As the parameter *Trigger On* has them. */
const WATCH_NAMES = [
  'orders',
  'portfolio',
  'price',
  'market',
  'marketTime',
  'optionChain',
  'orderExits',
  'portfolioAlert',
] as const;
export type WatchName = (typeof WATCH_NAMES)[number];

/** One kind of watching; a file for each. */
export interface Watch {
  /**
   * Starts watching; resolves when events flow.
   * @param open checks the credential and opens the service; is called when the settings are read.
   * @throws BrokerageError if it cannot be started, or the settings are wrong.
   */
  start(context: TriggerContext, open: () => Promise<TriggerService>): Promise<RunningWatch>;
  /** Returns the awaited event in words, for a user who listens in the editor. */
  waitsFor(n8n: ITriggerFunctions): string;
}

export interface RunningWatch {
  /** Leaves nothing behind; never rejects. */
  stop(): Promise<void>;
}

/** @throws InputError that names the parameter. */
export function readWatchName(n8n: ITriggerFunctions): WatchName {
  return oneOf(parameterOf(n8n, 'watch', 'orders'), WATCH_NAMES, 'watch', 'Trigger On');
}
