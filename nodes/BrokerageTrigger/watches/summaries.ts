/** The sentence of an event, for a message to the user: in rupees, with the words of the panel. */
import type { INodeProperties, ITriggerFunctions } from 'n8n-workflow';
import { enumWord } from '../../../client/values/enums';
import { LABELS_VERSION } from '../../shared/itemLabels';
import { optionName } from './parameters';

/** Returns true if items have sentences, and plain words beside those of the service. */
export const hasLabels = (n8n: ITriggerFunctions): boolean => n8n.getNode().typeVersion >= LABELS_VERSION;

/** Subject of an alert. */
interface AlertSubject {
  /** Name of the figure, or the symbol: `INFY`. */
  subject: string;
  /** Its value, as text. */
  value: string;
  /** Size of a move and its start, as text. */
  moved?: string | undefined;
  /** The level, or the ends of the band, as text. */
  levels?: readonly string[];
}

/**
 * Returns the sentence of an alert: `INFY is at ₹1,480.00 (Falls to Level ₹1,500.00).`
 * @param condition the field of the condition, and what the person chose there
 */
export function alertSummary(
  { subject, value, moved, levels = [] }: AlertSubject,
  condition: { fields: readonly INodeProperties[]; name: string; value: string },
): string {
  const chosen = optionName(condition.fields, condition.name, condition.value);
  const why = moved ?? [chosen, levels.join(' to ')].filter((text) => text !== '').join(' ');
  return `${subject} is at ${value} (${why}).`;
}

/** Sentences of the events of kept exits. */
const EXIT_EVENTS: Readonly<Record<string, string>> = {
  closedByHand: 'Closed elsewhere, so its exits are over',
  dayOver: 'The day is over, and its exits with it',
  exitFailed: 'Exits could not be kept',
  exitsKept: 'Exits are kept',
  exitTimeReached: 'Exit time reached',
  positionClosed: 'Closed',
  stopPlaced: 'Stop loss placed at the exchange',
  stopReached: 'Stop loss reached',
  targetReached: 'Target reached',
  trailingStopReached: 'Trailing stop reached',
};

/** Returns the sentence of an event of kept exits: `Stop loss reached: INFY (Delivery).` @param more further sentences */
export function exitSummary(event: string, subject: string, more = ''): string {
  return `${enumWord(EXIT_EVENTS, event) ?? event}: ${subject}.${more === '' ? '' : ` ${more}`}`;
}
