/** The fields of a trigger on market data. */
import type { INodeProperties } from 'n8n-workflow';
import { STREAM_INTERVALS } from '../../../client/stream/market-data/market-data';
import { expiryFields, underlyingField } from '../../shared/contractFields';
import { exchangeField } from '../../shared/fields';
import { instrumentField, moreInstrumentsField } from '../../shared/instrumentField';
import { intervalOptions } from '../../shared/intervals';
import { collection, priceUnitOption, shownFor } from './fields';

const shownForData = (...data: string[]): Pick<INodeProperties, 'displayOptions'> => ({
  displayOptions: { show: { watch: ['market'], marketData: data } },
});

/** A field of the option chain, also where it is shown for one choice of another field only. */
const ofChain = (field: INodeProperties): INodeProperties => ({
  ...field,
  displayOptions: { show: { watch: ['market'], marketData: ['chain'], ...field.displayOptions?.show } },
});

export const marketDataFields: INodeProperties[] = [
  {
    displayName: 'Data',
    name: 'marketData',
    type: 'options',
    default: 'tick',
    ...shownFor('market'),
    description: 'What starts the workflow',
    options: [
      { name: 'Candles', value: 'candle', description: 'Each candle once, when it closes, also after a gap' },
      {
        name: 'Greeks',
        value: 'greeks',
        description: "An option's price, implied volatility, Greeks and open interest",
      },
      { name: 'Market Depth', value: 'depth', description: 'Bids and offers level by level' },
      { name: 'Option Chain', value: 'chain', description: 'All calls and puts of an underlying for one expiry' },
      { name: 'Prices', value: 'tick', description: 'Each change of the price, at most as often as you set' },
    ],
  },
  { ...instrumentField, ...shownForData('candle', 'depth', 'greeks', 'tick') },
  ofChain(underlyingField),
  ofChain(exchangeField),
  ...expiryFields.map(ofChain),
  {
    displayName: 'Interval',
    name: 'interval',
    type: 'options',
    default: '5m',
    ...shownForData('candle'),
    description: 'The length of one candle',
    options: intervalOptions(STREAM_INTERVALS),
  },
  {
    displayName: 'Levels',
    name: 'levels',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 20 },
    default: 5,
    ...shownForData('depth'),
    description: 'How many price levels to get on each side',
  },
  {
    displayName: 'At Most Every (Seconds)',
    name: 'marketEvery',
    type: 'number',
    typeOptions: { minValue: 0.1, maxValue: 3600 },
    default: 10,
    ...shownForData('chain', 'depth', 'greeks', 'tick'),
    description: 'The shortest time between two runs for an instrument. The newest update starts the run.',
  },
];

const limit = (displayName: string, name: string, description: string): INodeProperties => ({
  displayName,
  name,
  type: 'number',
  default: 0,
  description,
});

const filters: INodeProperties[] = [
  limit(
    'Change at Least (%)',
    'minChange',
    'Percent from the previous close, or of a candle from its open. May be negative.',
  ),
  limit(
    'Change at Most (%)',
    'maxChange',
    'Percent from the previous close, or of a candle from its open. May be negative.',
  ),
  limit('Delta at Least', 'minDelta', 'Delta of the option, from -1 to 1. For Greeks and Option Chain.'),
  limit('Delta at Most', 'maxDelta', 'Delta of the option, from -1 to 1. For Greeks and Option Chain.'),
  limit('IV at Least (%)', 'minIv', 'Implied volatility of the option. For Greeks and Option Chain.'),
  limit('IV at Most (%)', 'maxIv', 'Implied volatility of the option. For Greeks and Option Chain.'),
  limit('Open Interest at Least', 'minOpenInterest', 'Open interest of the future or option'),
  limit('Open Interest at Most', 'maxOpenInterest', 'Open interest of the future or option'),
  limit('Price at Least (Rupees)', 'minPrice', 'Last price, or of a candle its close'),
  limit('Price at Most (Rupees)', 'maxPrice', 'Last price, or of a candle its close'),
  limit('Volume at Least', 'minVolume', 'Traded on the day so far, or within the candle'),
  limit('Volume at Most', 'maxVolume', 'Traded on the day so far, or within the candle'),
];

export const marketDataCollections: INodeProperties[] = [
  collection('Filters', 'filters', 'Add filter', filters, 'market'),
  collection(
    'Options',
    'options',
    'Add option',
    [
      { ...moreInstrumentsField, description: 'Further symbols or contracts, separated by commas, or a list' },
      priceUnitOption,
    ],
    'market',
  ),
];
