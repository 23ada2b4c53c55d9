import { InputError } from '../../../../client/base/errors';
import { getChainMoments, type ChainMoment } from '../../../../client/market/chain-moments';
import { ivChart } from '../../../../client/options/chain-charts';
import { skewStrikeOf, type ChainOption } from '../../../../client/options/chain-figures';
import type { OptionStrike } from '../../../../client/market/option-chain';
import { plainDecimal, showValue } from '../../../../client/values/input';
import { paiseTo } from '../../../../client/values/money';
import { showDate, toIst } from '../../../../client/values/time';
import { binaryField, collection, priceUnitField, priceUnitOf } from '../../../shared/fields';
import type { ItemContext } from '../../common/itemContext';
import type { ItemOperation } from '../../common/operation';
import { chainFields, chainOf, pictureField, strikesAroundField, withPicture } from './chainFields';

const MINUTE_MS = 60_000;
const MAX_MINUTES = 60 * 24 * 30;
const MAX_MOMENTS = 30;

export const getIvSkewOverTime: ItemOperation = {
  name: 'Get IV Skew Over Time',
  action: 'Get the IV skew of an option chain over time',
  description:
    'Get the implied volatility of calls and puts by strike at several moments, with IV at the money and skew, one item each, and a picture of the curves',
  properties: [
    ...chainFields,
    {
      displayName: 'Minutes Ago',
      name: 'minutesAgo',
      type: 'string',
      default: '0, 30, 60',
      required: true,
      placeholder: 'e.g. 0, 15, 60, 1440',
      description: 'The moments: how many minutes before now each is, separated by commas, or a list. 0 is now.',
    },
    collection('Options', 'options', [strikesAroundField, pictureField, binaryField, priceUnitField]),
  ],
  concurrent: true,
  async execute(item) {
    const unit = priceUnitOf(item);
    const minutes = minutesOf(item);
    const service = await item.service();
    const { transport } = service;
    const { signal } = item.run;
    const { exchange, chain, strikes } = await chainOf(item, service);
    const { asset, expiry } = chain;
    const now = Math.floor(transport.marketClock.now() / MINUTE_MS) * MINUTE_MS;
    const strikePrices = strikes.map(({ strike_price }) => strike_price);
    const moments = minutes.map((before) => ({ at: now - before * MINUTE_MS, strikes: strikePrices }));
    const chainMoments = await getChainMoments(transport, {
      exchange,
      asset,
      expiry,
      field: 'iv_mid',
      moments,
      signal,
    });
    // Deltas are told of now only: the strikes that have them now are compared at each moment.
    const wings = { put: skewStrikeOf(sideOf(strikes, 'pe')), call: skewStrikeOf(sideOf(strikes, 'ce')) };
    const items = chainMoments.map((moment, index) => ({
      asset,
      exchange,
      expiry,
      time_ist: toIst(moment.at),
      minutes_ago: minutes[index]!,
      spot: paiseTo(unit, chain.spot),
      at_the_money: paiseTo(unit, chain.at_the_money),
      iv_at_the_money: percent(chain.at_the_money === null ? null : meanIv(moment, chain.at_the_money)),
      skew: skewOf(moment, wings),
      skew_put_strike: paiseTo(unit, wings.put),
      skew_call_strike: paiseTo(unit, wings.call),
      strikes: strikePrices.map((strike) => ({
        strike_price: paiseTo(unit, strike),
        iv_ce: percent(ivAt(moment, strike, 'ce')),
        iv_pe: percent(ivAt(moment, strike, 'pe')),
      })),
      environment: service.connection.environment,
    }));
    const [first, ...others] = items;
    const draw = () =>
      ivChart(
        chainMoments.map((moment, index) => ({
          name: minutes[index] === 0 ? 'Now' : `${minutes[index]} min ago`,
          points: strikePrices.flatMap((strike) => {
            // Out of the money: puts below, calls above.
            const side = strike < (chain.at_the_money ?? chain.spot ?? 0) ? 'pe' : 'ce';
            const iv = ivAt(moment, strike, side);
            return iv === null ? [] : [{ strike, iv: iv * 100 }];
          }),
        })),
        { title: `${asset} ${showDate(expiry)}: implied volatility`, spot: chain.spot },
      );
    const fileName = `iv-${asset.replaceAll(/[^A-Za-z0-9-]/g, '-')}-${expiry}.png`;
    return [await withPicture(item, first!, fileName, draw), ...others.map((json) => item.output(json))];
  },
};

/** The moments, in minutes before now, each once. @throws InputError */
function minutesOf(item: ItemContext): number[] {
  const value = item.raw('minutesAgo');
  const list: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value];
  if (list.length === 0)
    throw new InputError('Minutes Ago is empty.', {
      parameter: 'minutesAgo',
      hint: 'Enter moments such as 0, 15, 60.',
    });
  const minutes = list.map((entry) => {
    const digits = plainDecimal(typeof entry === 'string' ? entry.trim() : entry);
    const number =
      digits === undefined || digits.negative || /[1-9]/.test(digits.fraction) ? NaN : Number(digits.whole);
    if (!(number <= MAX_MINUTES))
      throw new InputError(
        `Minutes Ago must be whole numbers from 0 to ${MAX_MINUTES} such as 0, 15, 60, but has ${showValue(entry)}.`,
        { parameter: 'minutesAgo' },
      );
    return number;
  });
  const each = [...new Set(minutes)];
  if (each.length > MAX_MOMENTS)
    throw new InputError(`Minutes Ago has ${each.length} moments; one item takes at most ${MAX_MOMENTS}.`, {
      parameter: 'minutesAgo',
      hint: 'Remove some, or spread them over several items.',
    });
  return each;
}

/** Returns a fraction; null for 0, which means a missing value. */
function ivAt({ strikes }: ChainMoment, strike: number, side: 'ce' | 'pe'): number | null {
  const iv = strikes.get(strike)?.[side] ?? null;
  return iv === null || iv <= 0 ? null : iv;
}

function meanIv(moment: ChainMoment, strike: number): number | null {
  const [call, put] = [ivAt(moment, strike, 'ce'), ivAt(moment, strike, 'pe')];
  return call === null || put === null ? (call ?? put) : (call + put) / 2;
}

function skewOf(moment: ChainMoment, { put, call }: { put: number | null; call: number | null }): number | null {
  const [low, high] = [put && ivAt(moment, put, 'pe'), call && ivAt(moment, call, 'ce')];
  return low === null || high === null ? null : percent(low - high);
}

/** Percent with two decimals. */
const percent = (fraction: number | null): number | null =>
  fraction === null ? null : Math.round(fraction * 10_000) / 100;

/** Options of one side, as far as skew needs them. */
const sideOf = (strikes: readonly OptionStrike[], key: 'ce' | 'pe'): ChainOption[] =>
  strikes.flatMap((row) => {
    const leg = row[key];
    return leg === null
      ? []
      : [
          {
            strike: row.strike_price,
            lastPrice: leg.last_price,
            iv: leg.iv,
            delta: leg.delta,
            openInterest: leg.open_interest,
            previousOpenInterest: null,
          },
        ];
  });
