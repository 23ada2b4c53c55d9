/** The fields of an alert on a whole option chain. */
import type { INodeProperties } from 'n8n-workflow';
import { expiryFields, underlyingField } from '../../shared/contractFields';
import { exchangeField } from '../../shared/fields';
import { alertNumber, collection, directionField, priceUnitOption, rearmField, repeatField, shownFor } from './fields';

const ofKind = (field: INodeProperties): INodeProperties => ({
  ...field,
  displayOptions: { show: { watch: ['optionChain'], ...field.displayOptions?.show } },
});

const shownForCondition = (...conditions: string[]): Pick<INodeProperties, 'displayOptions'> => ({
  displayOptions: { show: { watch: ['optionChain'], chainCondition: conditions } },
});

const number = (displayName: string, name: string, description: string, conditions: string[]): INodeProperties =>
  alertNumber(displayName, name, description, { numberPrecision: 4 }, shownForCondition(...conditions));

export const optionChainFields: INodeProperties[] = [
  ofKind(underlyingField),
  ofKind(exchangeField),
  ...expiryFields.map(ofKind),
  {
    displayName: 'Chain Figure',
    name: 'chainFigure',
    type: 'options',
    default: 'putCallRatio',
    ...shownFor('optionChain'),
    description: 'What is watched',
    options: [
      {
        name: 'Change in the Largest Call OI',
        value: 'callInterestChange',
        description: 'Open interest of the strike with the largest call OI, minus that of the day before, in units',
      },
      {
        name: 'Change in the Largest Put OI',
        value: 'putInterestChange',
        description: 'Open interest of the strike with the largest put OI, minus that of the day before, in units',
      },
      {
        name: 'IV at the Money',
        value: 'atmIv',
        description: 'Implied volatility of call and put at the money, percent',
      },
      {
        name: 'IV Rank',
        value: 'ivRank',
        description: 'Where IV at the money is between its lowest and highest of the last days, percent',
      },
      { name: 'Max Pain', value: 'maxPain', description: 'The strike at which all options would pay least, rupees' },
      { name: 'Put-Call Ratio', value: 'putCallRatio', description: 'Open interest of puts for one of calls' },
      {
        name: 'Skew',
        value: 'skew',
        description: 'IV of the put with a delta of -0.25 less that of the call with 0.25, percentage points',
      },
      { name: 'Straddle Price', value: 'straddlePrice', description: 'Call and put at the money together, rupees' },
      { name: 'Strike With the Most Call OI', value: 'callStrike', description: 'In rupees' },
      { name: 'Strike With the Most Put OI', value: 'putStrike', description: 'In rupees' },
    ],
  },
  {
    displayName: 'Condition',
    name: 'chainCondition',
    type: 'options',
    default: 'crossesAbove',
    ...shownFor('optionChain'),
    description:
      'When to alert. If the figure is already there when you publish the workflow, no alert is sent until it gets there again.',
    options: [
      { name: 'Changes', value: 'changes', description: 'The strike or max pain changes to another one' },
      { name: 'Enters Band', value: 'entersBand', description: 'The figure moves into the band between two values' },
      { name: 'Falls to Level', value: 'crossesBelow', description: 'The figure reaches the level from above' },
      { name: 'Leaves Band', value: 'leavesBand', description: 'The figure moves out of the band between two values' },
      { name: 'Moves by Percent', value: 'moves', description: 'The figure has moved by this percentage' },
      { name: 'Rises to Level', value: 'crossesAbove', description: 'The figure reaches the level from below' },
    ],
  },
  number('Level of the Figure', 'chainLevel', 'The value that starts the workflow, in the unit of the figure', [
    'crossesAbove',
    'crossesBelow',
  ]),
  number('Lower Value', 'chainLow', 'The lower end of the band, in the unit of the figure', [
    'entersBand',
    'leavesBand',
  ]),
  number('Higher Value', 'chainHigh', 'The upper end of the band, in the unit of the figure', [
    'entersBand',
    'leavesBand',
  ]),
  {
    displayName: 'Percent of the Figure',
    name: 'chainPercent',
    type: 'number',
    typeOptions: { minValue: 0.01, numberPrecision: 2 },
    required: true,
    default: 5,
    ...shownForCondition('moves'),
    description: 'How far the figure must move, with up to two decimals',
  },
  {
    displayName: 'Measured From',
    name: 'chainFrom',
    type: 'options',
    default: 'lastAlert',
    ...shownForCondition('moves'),
    description: 'The value that the move is measured from',
    options: [
      {
        name: 'First of the Day',
        value: 'open',
        description: 'The first value of the day that the trigger sees',
      },
      {
        name: 'Last Alert',
        value: 'lastAlert',
        description: 'The value when the workflow was published, then that of the last alert',
      },
    ],
  },
  directionField('chainDirection', shownForCondition('moves')),
  repeatField('chainRepeat', 'figure', shownFor('optionChain')),
];

export const optionChainCollections: INodeProperties[] = [
  collection(
    'Options',
    'options',
    'Add option',
    [
      {
        displayName: 'Days of IV Rank',
        name: 'ivDays',
        type: 'number',
        typeOptions: { minValue: 2, maxValue: 60 },
        default: 30,
        description: 'How many days of trading before today IV is compared with. For IV Rank.',
      },
      priceUnitOption,
      rearmField('Re-Arm Distance of the Figure', 'chainRearm', 'figure', 4),
    ],
    'optionChain',
  ),
];
