import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../../client/base/errors';
import { statusLabel } from '../../../client/values/labels';
import type { ParameterReader } from '../../shared/parameters';

export const READ_AGAIN = 'Run this step again in a moment.';

/**
 * Returns the error of a wait that ended otherwise: `Order 5 is open, not Filled, after 60 seconds.`
 * @param status of the service, without its prefix
 * @param expected the choice as the panel names it
 * @param deadlineMs after which it ended; undefined if the order or the basket ended before
 */
export function waitNotReachedError(
  subject: string,
  status: string,
  expected: string | undefined,
  deadlineMs?: number,
): InputError {
  const after = deadlineMs === undefined ? '' : `, after ${deadlineMs / 1_000} seconds`;
  return new InputError(
    `${subject} is ${statusLabel(status).toLowerCase()}, not ${expected ?? 'what was waited for'}${after}.`,
    {
      parameter: 'waitFor',
      hint: 'Set Deadline (Seconds) higher, or If the Status Is Not Reached to Return It As Is.',
    },
  );
}

const MAX_DEADLINE_SECONDS = 86_400;

/** Maximum time that an operation waits for a status. */
export const deadlineField: INodeProperties = {
  displayName: 'Deadline (Seconds)',
  name: 'deadlineSeconds',
  type: 'number',
  typeOptions: { minValue: 0, maxValue: MAX_DEADLINE_SECONDS },
  default: 60,
  description: 'How long to wait at most',
};

/** Returns the milliseconds that an item waits at most. @throws InputError for a number of seconds out of range */
export const deadlineOf = (item: ParameterReader): number =>
  item.whole('deadlineSeconds', { min: 0, max: MAX_DEADLINE_SECONDS }) * 1_000;

/** Action of an operation if the status does not come. */
export const whenMissedField: INodeProperties = {
  displayName: 'If the Status Is Not Reached',
  name: 'whenMissed',
  type: 'options',
  options: [
    { name: 'Return It As Is', value: 'item', description: 'With reached: false' },
    { name: 'Stop With an Error', value: 'error' },
  ],
  default: 'item',
  description: 'What to do after the deadline, or if it ends another way',
};

/** Returns true if an item wants an error where the status is not reached. @throws InputError for a word that the field does not have */
export const isErrorWhenMissed = (item: ParameterReader): boolean =>
  item.group('options').optionalChoice('whenMissed', ['error', 'item'] as const) === 'error';
