import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import {
  REPORT_NAMES,
  reportKinds,
  reportsWith,
  type ReportAction,
  type ReportKind,
  type ReportName,
} from '../../../../client/reports/kinds';
import { isWithoutData, type ReportDates } from '../../../../client/reports/reports';
import { presetRange, type DatePreset } from '../../../../client/values/date-presets';
import type { ItemContext } from '../../common/itemContext';
import { sortByName } from '../../../shared/fields';
import { CUSTOM_RANGE, rangeFields, rangeOf } from '../../common/dateRangeFields';

const kindOf = (name: ReportName): ReportKind => reportKinds[name];

/** The fields of an operation on reports: only the reports that have it, and for each only its own kind of dates. */
export function reportFields(action: ReportAction): INodeProperties[] {
  const names = reportsWith(action);
  const of = (dates: ReportKind['dates']) => names.filter((name) => kindOf(name).dates === dates);
  return [
    {
      displayName: 'Report',
      name: 'report',
      type: 'options',
      options: sortByName(names.map((value) => ({ name: kindOf(value).title, value }))),
      default: 'contractNote',
      description: 'Which report to get. Reports contain private data.',
    },
    ...rangeFields('lastMonth', { report: of('range') }),
    {
      displayName: 'Day',
      name: 'day',
      type: 'options',
      options: [
        { name: 'Custom', value: CUSTOM_RANGE },
        { name: 'Today', value: 'today' },
        { name: 'Yesterday', value: 'yesterday' },
      ],
      default: 'yesterday',
      displayOptions: { show: { report: of('single') } },
      description: 'The day that the report covers (IST)',
    },
    {
      displayName: 'Date',
      name: 'date',
      type: 'dateTime',
      default: '',
      required: true,
      displayOptions: { show: { report: of('single'), day: [CUSTOM_RANGE] } },
      description: 'The day (IST)',
    },
  ];
}

/** The choice between PDF and Excel, for the reports that have it. */
export function formatField(action: ReportAction): INodeProperties {
  return {
    displayName: 'Format',
    name: 'format',
    type: 'options',
    options: [
      { name: 'Excel (XLSX)', value: 'EXCEL' },
      { name: 'PDF', value: 'PDF' },
    ],
    default: 'PDF',
    displayOptions: { show: { report: reportsWith(action).filter((name) => kindOf(name).formats.length > 0) } },
    description:
      'The file format. A PDF may need a password, usually the PAN in capital letters. "Get Available" shows which.',
  };
}

export const withoutDataField: INodeProperties = {
  displayName: 'When There Is No Data',
  name: 'whenEmpty',
  type: 'options',
  options: [
    { name: 'Return One Item', value: 'item', description: 'One item with has_data: false' },
    { name: 'Return No Items', value: 'nothing', description: 'No item, so the steps after it do not run' },
    { name: 'Stop With an Error', value: 'error' },
  ],
  default: 'error',
  description: 'What to do when the service has no data for these dates',
};

/** The chosen report. */
export function reportOf(item: ItemContext): ReportName {
  return item.choice('report', REPORT_NAMES);
}

/** The days that were asked for, YYYY-MM-DD. @throws InputError for what is no date. */
export async function datesOf(item: ItemContext, report: ReportName): Promise<ReportDates> {
  const kind = kindOf(report);
  if (kind.dates === 'none') return {};
  if (kind.dates === 'single') {
    const day = item.choice('day', [CUSTOM_RANGE, 'today', 'yesterday']);
    if (day === CUSTOM_RANGE) return { date: item.date('date') };
    const { marketClock } = (await item.service()).transport;
    return { date: presetRange(day as DatePreset, marketClock.now()).from };
  }
  return await rangeOf(item);
}

const WHEN_EMPTY = ['error', 'item', 'nothing'] as const;
type WhenEmpty = (typeof WHEN_EMPTY)[number];

/** The choice for dates without data, read before anything is asked for. @throws InputError for a word that the field does not have */
export const whenEmptyOf = (item: ItemContext): WhenEmpty =>
  item.group('options').optionalChoice('whenEmpty', WHEN_EMPTY) ?? 'error';

/** Returns the output for dates without data: the user's choice. @throws the error itself. */
export function whenWithoutData(
  item: ItemContext,
  { report, dates, choice }: { report: ReportName; dates: ReportDates; choice: WhenEmpty },
  error: unknown,
): INodeExecutionData[] {
  if (!isWithoutData(error) || choice === 'error') throw error;
  return choice === 'nothing' ? [] : [item.outputWithFiles({ report, ...dates, has_data: false })];
}
