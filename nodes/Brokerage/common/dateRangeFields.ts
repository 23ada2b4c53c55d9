import { type DatePreset, DATE_PRESETS, presetRange } from '../../../client/values/date-presets';
import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../../client/base/errors';
import { sortByName } from '../../shared/fields';
import type { ItemContext } from './itemContext';

export const PRESET_NAMES: Record<DatePreset, string> = {
  today: 'Today',
  yesterday: 'Yesterday',
  last7Days: 'Last 7 Days',
  last30Days: 'Last 30 Days',
  thisMonth: 'This Month',
  lastMonth: 'Last Month',
  thisFinancialYear: 'This Financial Year',
  lastFinancialYear: 'Last Financial Year',
};

export const CUSTOM_RANGE = 'custom';

/** A choice of days: a preset, or the first and the last. @param show what else must be chosen for it to be shown */
export function rangeFields(preset: DatePreset, show: Record<string, string[]> = {}): INodeProperties[] {
  return [
    {
      displayName: 'Dates',
      name: 'dates',
      type: 'options',
      options: sortByName([
        ...DATE_PRESETS.map((value) => ({ name: PRESET_NAMES[value], value: value as string })),
        { name: 'Custom', value: CUSTOM_RANGE },
      ]),
      default: preset,
      ...(Object.keys(show).length > 0 ? { displayOptions: { show } } : {}),
      description: 'The days that it covers (IST). Financial years begin on 1 April.',
    },
    {
      displayName: 'From',
      name: 'from',
      type: 'dateTime',
      default: '',
      required: true,
      displayOptions: { show: { ...show, dates: [CUSTOM_RANGE] } },
      description: 'The first day (IST)',
    },
    {
      displayName: 'To',
      name: 'to',
      type: 'dateTime',
      default: '',
      required: true,
      displayOptions: { show: { ...show, dates: [CUSTOM_RANGE] } },
      description: 'The last day (IST)',
    },
  ];
}

/** The days of `rangeFields`, YYYY-MM-DD, by the market's clock. @throws InputError for what is no date, or days that are the wrong way round. */
export async function rangeOf(item: ItemContext): Promise<{ from: string; to: string }> {
  const preset = item.choice('dates', [CUSTOM_RANGE, ...DATE_PRESETS]);
  if (preset !== CUSTOM_RANGE)
    return presetRange(preset as DatePreset, (await item.service()).transport.marketClock.now());
  const range = { from: item.date('from'), to: item.date('to') };
  if (range.from > range.to) {
    throw new InputError(`The first day ${range.from} is after the last day ${range.to}.`, {
      parameter: 'from',
      hint: 'Swap the two dates.',
    });
  }
  return range;
}
