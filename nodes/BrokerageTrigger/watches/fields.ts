/** Shared fields of the kinds of watching. */
import type { INodeProperties } from 'n8n-workflow';
import { priceUnitFieldWith } from '../../shared/priceUnitField';
import type { WatchName } from './watch';

/** Shows a field for some kinds of watching only. */
export const shownFor = (...watches: WatchName[]): Pick<INodeProperties, 'displayOptions'> => ({
  displayOptions: { show: { watch: watches } },
});

/** A collection of optional fields of one kind of watching. */
export const collection = (
  displayName: string,
  name: string,
  placeholder: string,
  inner: INodeProperties[],
  watch: WatchName,
): INodeProperties => ({
  displayName,
  name,
  type: 'collection',
  placeholder,
  default: {},
  ...shownFor(watch),
  options: inner,
});

export const instrumentsFilter: INodeProperties = {
  displayName: 'Instruments',
  name: 'instruments',
  type: 'string',
  default: '',
  placeholder: 'e.g. INFY, TCS, 70115',
  description: 'Only these symbols, underlyings or ref_ids, separated by commas',
};

export const priceUnitOption = priceUnitFieldWith('How prices and amounts are given in the output');

type DisplayCondition = Pick<INodeProperties, 'displayOptions'>;

/** A required number of an alert. */
export const alertNumber = (
  displayName: string,
  name: string,
  description: string,
  typeOptions: { minValue?: number; numberPrecision: number },
  shown: DisplayCondition,
  byDefault = 0,
): INodeProperties => ({
  displayName,
  name,
  type: 'number',
  typeOptions,
  required: true,
  default: byDefault,
  ...shown,
  description,
});

/** The direction of moves that an alert counts. */
export const directionField = (name: string, shown: DisplayCondition): INodeProperties => ({
  displayName: 'Direction',
  name,
  type: 'options',
  default: 'both',
  ...shown,
  description: 'Which moves count',
  options: [
    { name: 'Both', value: 'both' },
    { name: 'Down', value: 'down' },
    { name: 'Up', value: 'up' },
  ],
});

/** The field for the number of alerts. @param of what the alert watches, such as `price`. */
export const repeatField = (
  name: string,
  of: string,
  shown: DisplayCondition,
  { byDefault = 'onceADay', description = 'How often to alert', day = 'day' } = {},
): INodeProperties => ({
  displayName: 'Alert',
  name,
  type: 'options',
  default: byDefault,
  ...shown,
  description,
  options: [
    {
      name: 'Every Time',
      value: 'always',
      description: `Each time that the ${of} gets there again. One that swings around the level can start many runs: Re-Arm Distance under Options makes it go back further first, and behind the trigger a Filter with alert_number limits how often in all.`,
    },
    {
      name: 'Once',
      value: 'once',
      description: 'Until you unpublish and publish the workflow again or change the condition',
    },
    { name: 'Once a Day', value: 'onceADay', description: `The first time on each ${day}` },
  ],
});

/** The distance that an alert's value must go back before the next alert. @param of what the alert watches, such as `price`. */
export const rearmField = (displayName: string, name: string, of: string, numberPrecision = 2): INodeProperties => ({
  displayName,
  name,
  type: 'number',
  typeOptions: { minValue: 0, numberPrecision },
  default: 0,
  description: `How far the ${of} must first go back before the next alert, so that one hovering at the level alerts only once`,
});
