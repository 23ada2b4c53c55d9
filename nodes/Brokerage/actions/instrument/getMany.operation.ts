import type { INodeExecutionData } from 'n8n-workflow';
import { InputError } from '../../../../client/base/errors';
import { EXCHANGES, INSTRUMENT_KINDS } from '../../../../client/instruments/instrument';
import { showValue } from '../../../../client/values/input';
import type { MoneyUnit } from '../../../../client/values/money';
import { withoutInvisible } from '../../../../client/values/trim-end';
import { optionTypeField, underlyingOf } from '../../../shared/contractFields';
import {
  collection,
  exchangeField,
  instrumentKindsField,
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
import type { ParameterReader } from '../../../shared/parameters';
import { instrumentOutput } from './output';
import { type InstrumentFilters, filterInstruments, requireKnown } from '../../../../client/instruments/filter';

const ISIN = /^[A-Z]{2}[A-Z0-9]{9}\d$/;

/** The ISIN of the filter, with or without blanks in it, in any case. @throws InputError if it is none */
function isinOf(filters: ParameterReader): string | undefined {
  const written = filters.optionalText('isin');
  if (written === undefined) return undefined;
  const isin = withoutInvisible(written).replace(/[\s-]/g, '').toUpperCase();
  if (ISIN.test(isin)) return isin;
  throw new InputError(
    `${filters.label('isin')} must be twelve letters and digits such as INE009A01021, but is ${showValue(written)}.`,
    { parameter: 'isin', hint: 'For a name or a symbol use "Instrument: Search", or the filter Underlying.' },
  );
}

/** @throws InputError for a range that ends before it begins: nothing is in it. */
function requireInOrder(filters: ParameterReader, first: string, last: string, isInOrder: boolean): void {
  if (isInOrder) return;
  const [low, high] = [first, last].map((name) => `${filters.label(name)} ${showValue(filters.raw(name))}`);
  throw new InputError(`${low} is above ${high}: no instrument is between them.`, {
    parameter: first,
    hint: 'Swap the two.',
  });
}

/** The filters that are set. @throws InputError that names the one that cannot be read. */
export function filtersOf(item: ItemContext): InstrumentFilters {
  const filters = item.group('filters');
  const read = readFilters(filters, priceUnitOf(item));
  const { expiryFrom, expiryTo, strikeFrom = 0, strikeTo = Infinity } = read;
  const areDates = expiryFrom !== undefined && expiryTo !== undefined;
  requireInOrder(filters, 'expiryFrom', 'expiryTo', !areDates || expiryFrom <= expiryTo);
  requireInOrder(filters, 'strikeFrom', 'strikeTo', strikeFrom <= strikeTo);
  return read;
}

function readFilters(filters: ParameterReader, unit: MoneyUnit): InstrumentFilters {
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
    series: filters.optionalText('series')?.toUpperCase(),
    isin: isinOf(filters),
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
  instrumentKindsField,
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
    requireKnown(store, filters);
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
