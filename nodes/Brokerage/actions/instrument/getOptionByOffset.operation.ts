import { attempt } from '../../../../client/attempt';
import { InputError, ServiceError } from '../../../../client/base/errors';
import { chosenExpiry } from '../../../../client/instruments/expiries';
import { optionByOffset } from '../../../../client/instruments/option-by-offset';
import { EXCHANGES, type Instrument } from '../../../../client/instruments/instrument';
import { getCurrentPrice } from '../../../../client/market/quotes';
import {
  givenPrice,
  isKnownPrice,
  priceOrNull,
  type MarketPrice,
  type NoPrice,
} from '../../../../client/values/market-price';
import type { Transport } from '../../../../client/transport';
import { exactHundredths, exactPaise, paiseTo, type MoneyUnit } from '../../../../client/values/money';
import { expiryFields, expiryOf, optionTypeField, underlyingField, underlyingOf } from '../../../shared/contractFields';
import { collection, exchangeField, priceUnitField, priceUnitOf, simplifyField } from '../../../shared/fields';
import { findInList } from '../../../shared/lists';
import type { ParameterReader } from '../../../shared/parameters';

import type { ItemOperation } from '../../common/operation';
import { underlyingPrice } from '../../common/underlyingPrice';
import { instrumentOutput } from './output';

const MAX_STRIKES = 200;

/** The last price of an option; where it has not traded, or the service knows no price of it, why there is none. */
async function premiumOf(
  option: Instrument,
  transport: Transport,
  signal?: AbortSignal,
): Promise<MarketPrice | NoPrice> {
  const requested = await attempt(getCurrentPrice(transport, option, signal));
  if (requested.ok) return requested.value.price;
  if (requested.error instanceof ServiceError && requested.error.status === NOT_FOUND)
    return { none: 'the service does not know it' };
  throw requested.error;
}

const NOT_FOUND = 404;

const isLeftOut = (given: number | undefined): boolean => given === undefined || given === 0;

/** A price of the underlying, paise: it chooses a strike and is sent nowhere, so that a computed one may have any number of decimals. */
function spotOf(options: ParameterReader, unit: MoneyUnit): number | undefined {
  if (!options.has('spot')) return undefined;
  return Math.round(exactPaise(options.raw('spot'), unit, 'spot', { label: options.label('spot') }));
}

const MAX_PERCENT_HUNDREDTHS = 9_900;

/** The distance from the money, hundredths of a percent. @throws InputError if it is 0, or nothing would be left of the price */
function percentOf(item: ParameterReader): number {
  const hundredths = Math.round(
    exactHundredths(item.raw('percentAway'), 'percentAway', { label: item.label('percentAway') }),
  );
  if (hundredths > 0 && hundredths <= MAX_PERCENT_HUNDREDTHS) return hundredths;
  throw new InputError('Percent Away must be above 0 and at most 99.', {
    parameter: 'percentAway',
    hint: 'For the strike at the price, choose At the Money.',
  });
}

export const getOptionByOffset: ItemOperation = {
  name: 'Get Option by Offset',
  action: 'Get an option by its offset from the money',
  description:
    'Get the call or put that is at the money (ATM), or a number of strikes or a percentage ITM or OTM, for the nearest, next, monthly, next monthly or a given expiry, with its premium',
  properties: [
    underlyingField,
    exchangeField,
    ...expiryFields,
    optionTypeField,
    {
      displayName: 'Moneyness',
      name: 'moneyness',
      type: 'options',
      options: [
        { name: 'At the Money', value: 'ATM', description: 'The strike nearest to the price of the underlying' },
        { name: 'In the Money', value: 'ITM', description: 'Below the price for a call, above it for a put' },
        { name: 'Out of the Money', value: 'OTM', description: 'Above the price for a call, below it for a put' },
      ],
      default: 'ATM',
      description: 'At the money (ATM), in the money (ITM) or out of the money (OTM)',
    },
    {
      displayName: 'Distance In',
      name: 'distanceIn',
      type: 'options',
      options: [
        { name: 'Percent of the Price', value: 'percent', description: 'The strike nearest to the price so far away' },
        { name: 'Strikes', value: 'strikes' },
      ],
      default: 'strikes',
      displayOptions: { show: { moneyness: ['ITM', 'OTM'] } },
      description: 'How the distance from the money is given',
    },
    {
      displayName: 'Percent Away',
      name: 'percentAway',
      type: 'number',
      typeOptions: { minValue: 0, maxValue: 99, numberPrecision: 2 },
      default: 5,
      displayOptions: { show: { moneyness: ['ITM', 'OTM'], distanceIn: ['percent'] } },
      description:
        'How far the strike is from the price of the underlying, in percent of it (OTM 5 for a call = 5% above)',
    },
    {
      displayName: 'Strikes Away',
      name: 'strikes',
      type: 'number',
      typeOptions: { minValue: 1, maxValue: MAX_STRIKES },
      default: 1,
      displayOptions: { show: { moneyness: ['ITM', 'OTM'], distanceIn: ['strikes'] } },
      description: 'How many strikes above or below ATM (OTM 2 = 2)',
    },
    simplifyField,
    collection('Options', 'options', [
      priceUnitField,
      {
        displayName: 'Underlying Price',
        name: 'spot',
        type: 'number',
        default: 0,
        description:
          "The price from which the strike at the money is found, in the unit of Prices In. If left out, the underlying's current price.",
      },
    ]),
  ],
  async execute(item) {
    const unit = priceUnitOf(item);
    const underlying = underlyingOf(item);
    const exchange = item.choice('exchange', EXCHANGES);
    const expiry = expiryOf(item);
    const optionType = item.choice('optionType', ['CE', 'PE'] as const);
    const moneyness = item.choice('moneyness', ['ATM', 'ITM', 'OTM'] as const);
    const inPercent =
      moneyness !== 'ATM' && item.optionalChoice('distanceIn', ['percent', 'strikes'] as const) === 'percent';
    const strikes = moneyness === 'ATM' || inPercent ? 0 : item.whole('strikes', { min: 1, max: MAX_STRIKES });
    const percent = inPercent ? percentOf(item) : 0;
    const given = spotOf(item.group('options'), unit);
    const service = await item.service();
    const { signal } = item.run;
    const now = service.transport.marketClock.now();
    await findInList(service, exchange, (list) => chosenExpiry(list, underlying, expiry, now), signal);
    const spot = isLeftOut(given) ? await underlyingPrice(item, underlying, exchange) : givenPrice(given);
    if (spot === undefined)
      throw new InputError('Underlying Price must be a price above 0. Nothing was sent.', {
        parameter: 'spot',
        hint: 'Leave it at 0 to take the current price of the underlying.',
      });
    const sign = moneyness === 'ITM' ? -1 : 1;
    const distance = { offset: sign * strikes, percentAway: sign * percent };
    const requested = { underlying, expiry, optionType, ...distance, spot, isOwnSpot: !isLeftOut(given) };
    const option = await findInList(service, exchange, (list) => optionByOffset(list, requested, now), signal);
    const record = instrumentOutput(option, {
      unit,
      simplify: item.flag('simplify'),
      environment: service.connection.environment,
    });
    const premium = await premiumOf(option, service.transport, signal);
    return [
      item.output({
        ...record,
        underlying_price: paiseTo(unit, Number(spot)),
        premium: paiseTo(unit, priceOrNull(premium)),
        ...(isKnownPrice(premium) ? {} : { no_price_reason: premium.none }),
      }),
    ];
  },
};
