/** The fields of a daily time of the exchange. */
import type { INodeProperties } from 'n8n-workflow';
import { shownFor } from './fields';

const shownForDays = (...days: string[]): Pick<INodeProperties, 'displayOptions'> => ({
  displayOptions: { show: { watch: ['marketTime'], days } },
});

export const marketTimeFields: INodeProperties[] = [
  {
    displayName: 'Times',
    name: 'marketTimes',
    type: 'string',
    required: true,
    default: '09:20',
    placeholder: 'e.g. 09:20, 15:10',
    ...shownFor('marketTime'),
    description:
      'Times in IST, separated by commas, such as 09:20 or 15:10:30. The workflow starts on trading days of NSE and BSE only.',
  },
  {
    displayName: 'Repeat Every (Minutes)',
    name: 'repeatEvery',
    type: 'number',
    typeOptions: { minValue: 0, maxValue: 360 },
    default: 0,
    displayOptions: { show: { watch: ['marketTime'], '@version': [{ _cnd: { gte: 1.2 } }] } },
    description:
      'Starts the workflow again every so many minutes after each of the times, until Repeat Until. 0 for no repetition.',
  },
  {
    displayName: 'Repeat Until',
    name: 'repeatUntil',
    type: 'string',
    default: '15:15',
    placeholder: 'e.g. 15:15',
    displayOptions: {
      show: { watch: ['marketTime'], '@version': [{ _cnd: { gte: 1.2 } }] },
      hide: { repeatEvery: [0] },
    },
    description: 'The last time (IST) at which the repetition may start the workflow',
  },
  {
    displayName: 'Days',
    name: 'days',
    type: 'options',
    default: 'every',
    ...shownFor('marketTime'),
    description: 'On which trading days the workflow starts',
    options: [
      { name: 'Day Before Expiry', value: 'beforeExpiry', description: 'The last trading day before contracts expire' },
      {
        name: 'Day of the Month',
        value: 'dayOfMonth',
        description: 'Such as the 5th; on a weekend or a holiday, the next trading day',
      },
      {
        name: 'Days of the Week',
        value: 'weekdays',
        description: 'Such as Monday; on a holiday, the next trading day',
      },
      { name: 'Every Trading Day', value: 'every' },
      { name: 'Expiry Day', value: 'expiry', description: 'A day on which contracts of an underlying expire' },
      { name: 'First Trading Day of the Month', value: 'firstOfMonth' },
      { name: 'First Trading Day of the Week', value: 'firstOfWeek' },
      { name: 'Last Trading Day of the Month', value: 'lastOfMonth' },
      { name: 'Last Trading Day of the Week', value: 'lastOfWeek' },
    ],
  },
  {
    displayName: 'Weekdays',
    name: 'weekdays',
    type: 'multiOptions',
    default: ['1'],
    required: true,
    ...shownForDays('weekdays'),
    description:
      'If one is a holiday, the workflow starts on the next trading day. Two that come together start it once.',
    options: [
      { name: 'Friday', value: '5' },
      { name: 'Monday', value: '1' },
      { name: 'Thursday', value: '4' },
      { name: 'Tuesday', value: '2' },
      { name: 'Wednesday', value: '3' },
    ],
  },
  {
    displayName: 'Day of Month',
    name: 'dayOfMonth',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 31 },
    default: 1,
    required: true,
    ...shownForDays('dayOfMonth'),
    description:
      'If it is no trading day, the workflow starts on the next one. In a shorter month the last day counts.',
  },
  {
    displayName: 'Expiry Of',
    name: 'expiryOf',
    type: 'string',
    default: 'NIFTY',
    required: true,
    placeholder: 'e.g. NIFTY',
    ...shownForDays('expiry', 'beforeExpiry'),
    description: 'The symbol of the share, index or commodity behind the contracts',
  },
  {
    displayName: 'Expiries',
    name: 'expiryKind',
    type: 'options',
    default: 'any',
    ...shownForDays('expiry', 'beforeExpiry'),
    description: 'Which expiries count',
    options: [
      { name: 'All', value: 'any', description: 'Weekly and monthly ones' },
      { name: 'Monthly', value: 'monthly' },
    ],
  },
];
