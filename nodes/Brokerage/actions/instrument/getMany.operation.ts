import type { INodeExecutionData } from 'n8n-workflow';
import { EXCHANGES, INSTRUMENT_KINDS } from '../../../../client/instruments/instrument';
import { optionTypeField, underlyingOf } from '../../../shared/contractFields';
import {
  collection,
  exchangeField,
  kindsField,
  limitOf,
  priceUnitField,
  priceUnitOf,
  returnAllFields,
  simplifyField,
} from '../../../shared/fields';
import type { ItemContext } from '../../common/itemContext';
import { listOf } from '../../../shared/lists';
import { marketDate } from '../../../shared/lookup';
import type { ItemOperation } from '../../common/operation';
import { instrumentOutput } from './output';
import { type InstrumentFilters, filterInstruments } from '../../../../client/instruments/filter';

/** The filters that are set. @throws InputError that names the one that cannot be read. */
export function filtersOf(item: ItemContext): InstrumentFilters {
  const filters = item.group('filters');
  const unit = priceUnitOf(item);
  const date = (name: string) => (filters.has(name) ? filters.date(name) : undefined);
  return {
    underlying: filters.has('underlying') ? underlyingOf(filters) : undefined,
    kinds: filters.choices('kinds', INSTRUMENT_KINDS),
    optionType: filters.optionalChoice('optionType', ['CE', 'PE'] as const),
    expiryFrom: date('expiryFrom'),
    expiryTo: date('expiryTo'),
    strikeFrom: filters.optionalPrice('strikeFrom', unit),
    // 0 is what the field holds before anything is entered; no strike is 0.
    strikeTo: filters.optionalPrice('strikeTo', unit) || undefined,
    series: filters.optionalText('series'),
    isin: filters.optionalText('isin'),
  };
}

export const filtersField = collection('Filters', 'filters', [
  {
    displayName: 'Expiry From',
    name: 'expiryFrom',
    type: 'dateTime',
    default: '',
    description: 'Only derivatives that expire on this day (IST) or later',
  },
  {
    displayName: 'Expiry To',
    name: 'expiryTo',
    type: 'dateTime',
    default: '',
    description: 'Only derivatives that expire on this day (IST) or earlier',
  },
  {
    displayName: 'ISIN',
    name: 'isin',
    type: 'string',
    default: '',
    placeholder: 'e.g. INE009A01021',
    description: 'Only instruments with exactly this ISIN',
  },
  { ...optionTypeField, description: 'Only options of this type' },
  {
    displayName: 'Series',
    name: 'series',
    type: 'string',
    default: '',
    placeholder: 'e.g. EQ',
    description: 'Only instruments of exactly this series',
  },
  {
    displayName: 'Strike From',
    name: 'strikeFrom',
    type: 'number',
    default: 0,
    description: 'Only options with this strike or a higher one, in the unit of Prices In',
  },
  {
    displayName: 'Strike To',
    name: 'strikeTo',
    type: 'number',
    default: 0,
    description: 'Only options with this strike or a lower one, in the unit of Prices In',
  },
  kindsField,
  {
    displayName: 'Underlying',
    name: 'underlying',
    type: 'string',
    default: '',
    placeholder: 'e.g. NIFTY',
    description: 'Only the instrument with exactly this symbol, and its futures and options',
  },
]);

export const getMany: ItemOperation = {
  name: 'Get Many',
  action: 'Get many instruments',
  description:
    'Get the instruments of an exchange that match every filter: underlying, type, expiry, strike, series, ISIN. Expired contracts are left out.',
  nothing: 'No instrument of this exchange matches all of your filters. Expired contracts are left out.',
  properties: [
    exchangeField,
    ...returnAllFields,
    simplifyField,
    filtersField,
    collection('Options', 'options', [priceUnitField]),
  ],
  async execute(item) {
    const unit = priceUnitOf(item);
    const limit = limitOf(item);
    const simplify = item.flag('simplify');
    const exchange = item.choice('exchange', EXCHANGES);
    const filters = filtersOf(item);
    const service = await item.service();
    const store = await listOf(service, exchange, item.run.signal);
    const output: INodeExecutionData[] = [];
    for (const instrument of filterInstruments(store, filters, marketDate(service.transport))) {
      if (output.length >= limit) break;
      output.push(
        item.output(instrumentOutput(instrument, { unit, simplify, environment: service.connection.environment })),
      );
    }
    return output;
  },
};
