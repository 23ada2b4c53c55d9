/** The fields of a price alert. */
import type { INodeProperties } from 'n8n-workflow';
import { instrumentField, moreInstrumentsField } from '../../shared/instrumentField';
import { alertNumber, collection, directionField, priceUnitOption, rearmField, repeatField, shownFor } from './fields';

const shownForCondition = (...conditions: string[]): Pick<INodeProperties, 'displayOptions'> => ({
  displayOptions: { show: { watch: ['price'], condition: conditions } },
});

/** Longest moving average, in days, and longest opening range, in minutes. */
export const MAX_AVERAGE_DAYS = 500;
export const MAX_RANGE_MINUTES = 240;

const LEVEL = 'The price that starts the workflow';

const shownForLevel = (...from: string[]): Pick<INodeProperties, 'displayOptions'> => ({
  displayOptions: {
    show: {
      ...{ watch: ['price'], condition: ['crossesAbove', 'crossesBelow'], levelFrom: from },
      '@version': [{ _cnd: { gte: 1.2 } }],
    },
  },
});

/** Steps of an amount in rupees. */
const RUPEES = { minValue: 0, numberPrecision: 2 };

export const priceAlertFields: INodeProperties[] = [
  { ...instrumentField, ...shownFor('price') },
  {
    displayName: 'Condition',
    name: 'condition',
    type: 'options',
    default: 'crossesAbove',
    ...shownFor('price'),
    description:
      'When to alert. If the price is already there when you publish the workflow, no alert is sent until it gets there again.',
    options: [
      { name: 'Enters Band', value: 'entersBand', description: 'The price moves into the band between two levels' },
      {
        name: 'Falls By',
        value: 'fallsBy',
        description: 'The price is this far below its highest since a moment, or below another price',
      },
      { name: 'Falls to Level', value: 'crossesBelow', description: 'The price reaches the level from above' },
      { name: 'Leaves Band', value: 'leavesBand', description: 'The price moves out of the band between two levels' },
      {
        name: 'Moves by Percent',
        value: 'moves',
        description: 'The price has moved by this percentage from the price that you choose below',
      },
      {
        name: 'Rises By',
        value: 'risesBy',
        description: 'The price is this far above its lowest since a moment, or above another price',
      },
      { name: 'Rises to Level', value: 'crossesAbove', description: 'The price reaches the level from below' },
    ],
  },
  {
    displayName: 'Level From',
    name: 'levelFrom',
    type: 'options',
    default: 'price',
    displayOptions: {
      show: { watch: ['price'], condition: ['crossesAbove', 'crossesBelow'], '@version': [{ _cnd: { gte: 1.2 } }] },
    },
    description:
      'Where the level comes from. Each but A Price is worked out again for each trading day, and must be passed, not only reached.',
    options: [
      { name: '52-Week High', value: 'yearHigh', description: 'The highest price of the 52 weeks before today' },
      { name: '52-Week Low', value: 'yearLow', description: 'The lowest price of the 52 weeks before today' },
      { name: 'A Price', value: 'price', description: 'A price that you enter' },
      { name: "Day's Open", value: 'open', description: "The first price of the exchange's day" },
      {
        name: 'Moving Average',
        value: 'movingAverage',
        description: 'The simple average of the closes of the days before today',
      },
      {
        name: 'Opening Range High',
        value: 'openingRangeHigh',
        description: 'The highest price of the first minutes of the day; prices count from their end on',
      },
      {
        name: 'Opening Range Low',
        value: 'openingRangeLow',
        description: 'The lowest price of the first minutes of the day; prices count from their end on',
      },
      { name: 'Previous Close', value: 'previousClose', description: 'The close of the last trading day' },
      { name: "Previous Day's High", value: 'previousHigh', description: 'The highest price of the last trading day' },
      { name: "Previous Day's Low", value: 'previousLow', description: 'The lowest price of the last trading day' },
    ],
  },
  {
    displayName: 'Days of the Average',
    name: 'averageDays',
    type: 'number',
    typeOptions: { minValue: 2, maxValue: MAX_AVERAGE_DAYS },
    default: 20,
    ...shownForLevel('movingAverage'),
    description: 'How many trading days before today the average is of, such as 20, 50 or 200',
  },
  {
    displayName: 'Minutes of the Range',
    name: 'rangeMinutes',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: MAX_RANGE_MINUTES },
    default: 15,
    ...shownForLevel('openingRangeHigh', 'openingRangeLow'),
    description: 'How many minutes from the opening of the exchange the range is of, such as 15 or 30',
  },
  alertNumber('Level (Rupees)', 'level', LEVEL, RUPEES, {
    displayOptions: {
      show: { watch: ['price'], condition: ['crossesAbove', 'crossesBelow'], '@version': [{ _cnd: { lt: 1.2 } }] },
    },
  }),
  alertNumber('Level (Rupees)', 'level', LEVEL, RUPEES, shownForLevel('price')),
  alertNumber(
    'Low (Rupees)',
    'low',
    'The lower end of the band',
    RUPEES,
    shownForCondition('entersBand', 'leavesBand'),
  ),
  alertNumber(
    'High (Rupees)',
    'high',
    'The upper end of the band',
    RUPEES,
    shownForCondition('entersBand', 'leavesBand'),
  ),
  alertNumber(
    'Percent',
    'percent',
    'How far the price must move, with up to two decimals',
    { minValue: 0.01, numberPrecision: 2 },
    shownForCondition('moves'),
    1,
  ),
  {
    displayName: 'Measured From',
    name: 'measuredFrom',
    type: 'options',
    default: 'lastAlert',
    ...shownForCondition('moves'),
    description: 'The price that the move is measured from',
    options: [
      {
        name: 'A Price',
        value: 'price',
        description: 'A price that you enter',
      },
      {
        name: "Day's Open",
        value: 'open',
        description: "The first price of the exchange's day",
      },
      {
        name: 'Last Alert',
        value: 'lastAlert',
        description: 'The price when the workflow was published, then that of the last alert',
      },
      { name: 'Previous Close', value: 'previousClose', description: 'The close of the last trading day' },
    ],
  },
  alertNumber('From Price (Rupees)', 'fromPrice', 'The price that the move is measured from', RUPEES, {
    displayOptions: { show: { watch: ['price'], condition: ['moves'], measuredFrom: ['price'] } },
  }),
  directionField('direction', shownForCondition('moves')),
  {
    displayName: 'Distance In',
    name: 'distanceIn',
    type: 'options',
    default: 'percent',
    ...shownForCondition('fallsBy', 'risesBy'),
    description: 'How to read the distance below',
    options: [
      { name: 'Percent', value: 'percent' },
      { name: 'Rupees', value: 'rupees' },
    ],
  },
  alertNumber(
    'Distance',
    'distance',
    'How far the price must move, such as 2 for 2 percent or 2 rupees, with up to two decimals',
    { minValue: 0.01, numberPrecision: 2 },
    shownForCondition('fallsBy', 'risesBy'),
    1,
  ),
  {
    displayName: 'Measured From',
    name: 'turnsFrom',
    type: 'options',
    default: 'extreme',
    ...shownForCondition('fallsBy', 'risesBy'),
    description: 'The price that the distance is measured from',
    options: [
      { name: 'A Price', value: 'price', description: 'A price that you enter' },
      { name: "Day's Open", value: 'open', description: "The first price of the exchange's day" },
      {
        name: 'Highest or Lowest Since',
        value: 'extreme',
        description:
          'For Falls By the highest price since the moment below, for Rises By the lowest. New prices move it.',
      },
      {
        name: 'Last Alert',
        value: 'lastAlert',
        description: 'The price when the workflow was published, then that of the last alert',
      },
      { name: 'Previous Close', value: 'previousClose', description: 'The close of the last trading day' },
    ],
  },
  {
    displayName: 'Since',
    name: 'since',
    type: 'options',
    default: 'publication',
    displayOptions: { show: { watch: ['price'], condition: ['fallsBy', 'risesBy'], turnsFrom: ['extreme'] } },
    description: 'The moment from which prices count towards the highest or lowest',
    options: [
      { name: 'A Time', value: 'time', description: 'A day or time in the past that you enter' },
      {
        name: 'Beginning of the Day',
        value: 'day',
        description: "Today's high or low: it begins again with each trading day",
      },
      {
        name: 'Entry',
        value: 'entry',
        description:
          'Your average price and the prices since your first order of today in it. What you hold from an earlier day: since today.',
      },
      { name: 'Publication', value: 'publication', description: 'When the workflow was published' },
    ],
  },
  {
    displayName: 'Since Time',
    name: 'sinceTime',
    type: 'dateTime',
    required: true,
    default: '',
    displayOptions: {
      show: { watch: ['price'], condition: ['fallsBy', 'risesBy'], turnsFrom: ['extreme'], since: ['time'] },
    },
    description: 'A date without a time means its beginning (IST)',
  },
  alertNumber('From Price (Rupees)', 'fromPrice', 'The price that the distance is measured from', RUPEES, {
    displayOptions: { show: { watch: ['price'], condition: ['fallsBy', 'risesBy'], turnsFrom: ['price'] } },
  }),
  {
    displayName: 'Only Once',
    name: 'once',
    type: 'boolean',
    default: false,
    displayOptions: { show: { watch: ['price'], '@version': [1] } },
    description:
      'Whether to alert only once, until you unpublish and publish the workflow again or change the condition',
  },
  repeatField(
    'repeat',
    'price',
    { displayOptions: { show: { watch: ['price'] }, hide: { '@version': [1] } } },
    { byDefault: 'always', description: 'How often to alert, for each instrument', day: 'trading day' },
  ),
];

const options: INodeProperties[] = [
  {
    displayName: 'Ask Every (Seconds)',
    name: 'askEvery',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 3600 },
    default: 5,
    description: 'How often the price is read over REST while the stream brings none',
  },
  {
    ...moreInstrumentsField,
    description: 'Further symbols or contracts with the same condition, separated by commas, or a list',
  },
  priceUnitOption,
  rearmField('Re-Arm Distance (Rupees)', 'rearm', 'price'),
];

export const priceAlertCollections: INodeProperties[] = [
  collection('Options', 'options', 'Add option', options, 'price'),
];
