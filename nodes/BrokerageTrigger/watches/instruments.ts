/** The instruments that a trigger watches: that of the picker, and those of the option *More Instruments*. */
import { InputError } from '../../../client/base/errors';
import type { Instrument } from '../../../client/instruments/instrument';
import { findInstrument } from '../../shared/lookup';
import type { TriggerContext } from '../context/triggerContext';
import type { TriggerService } from '../context/triggerService';
import { readGroup, parameterOf } from './parameters';

const MAX_INSTRUMENTS = 500;

/** Each once, in their order. @throws InputError that names the parameter; otherwise as `findInstrument` */
export async function watchedInstruments(context: TriggerContext, service: TriggerService): Promise<Instrument[]> {
  const { n8n, signal } = context;
  const find = async (value: unknown, parameter: string, label: string): Promise<Instrument> =>
    await findInstrument(service, value, parameter, label, signal);
  const instruments = [await find(parameterOf(n8n, 'instrument'), 'instrument', 'Instrument')];
  for (const furtherInstrument of furtherInstruments(readGroup(n8n, 'options').moreInstruments))
    instruments.push(await find(furtherInstrument, 'moreInstruments', 'More Instruments'));
  return [...new Map(instruments.map((instrument) => [instrument.refId, instrument])).values()];
}

/**
 * Returns the instruments of a list, or of text separated by commas; an expression may give either. @throws InputError if there are too
 * many.
 */
function furtherInstruments(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  const list: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value];
  const named = list.filter((item) => typeof item !== 'string' || item.trim() !== '');
  if (named.length >= MAX_INSTRUMENTS)
    throw new InputError(
      `More Instruments has ${named.length} instruments; one trigger watches at most ${MAX_INSTRUMENTS} in all.`,
      {
        parameter: 'moreInstruments',
        hint: 'Use several triggers: they share one connection.',
      },
    );
  return named;
}
