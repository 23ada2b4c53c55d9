import { InputError } from '../../../../client/base/errors';
import { tradingDayOf } from '../../../../client/instruments/catalogue';
import type { Exchange } from '../../../../client/instruments/instrument';
import { getChainMoments, type MomentPair } from '../../../../client/market/chain-moments';
import { figuresOfChain, type ChainOption } from '../../../../client/options/chain-figures';
import { interestChart } from '../../../../client/options/chain-charts';
import { paiseTo } from '../../../../client/values/money';
import { istInstant, showDate, toIst } from '../../../../client/values/time';
import { binaryField, collection, priceUnitField, priceUnitOf } from '../../../shared/fields';
import { marketDate } from '../../../shared/lookup';
import type { ExecutionService } from '../../../shared/service';
import type { ItemContext } from '../../common/itemContext';
import type { ItemOperation } from '../../common/operation';
import { chainFields, chainOf, pictureField, strikesAroundField, withPicture } from './chainFields';

const MINUTE_MS = 60_000;
const MAX_MINUTES = 60 * 24 * 30;
/** The last minute of a day's trading, IST. */
const LAST_MINUTE: Record<Exchange, string> = { NSE: '15:29', BSE: '15:29', MCX: '23:29' };

export const getOpenInterestChange: ItemOperation = {
  name: 'Get Open Interest Change',
  action: 'Get the change of open interest of an option chain',
  description:
    'Get open interest of calls and puts by strike, now and at an earlier moment, with put-call ratio, max pain, the strikes with the most open interest and a picture',
  properties: [
    ...chainFields,
    {
      displayName: 'Since',
      name: 'since',
      type: 'options',
      options: [
        { name: 'Given Time', value: 'time' },
        { name: 'Minutes Ago', value: 'minutes', description: 'A number of minutes before now' },
        { name: 'Previous Close', value: 'previousClose', description: 'The last minute of the trading day before' },
      ],
      default: 'previousClose',
      description: 'The earlier moment that is compared with now',
    },
    {
      displayName: 'Minutes',
      name: 'sinceMinutes',
      type: 'number',
      typeOptions: { minValue: 1 },
      default: 15,
      displayOptions: { show: { since: ['minutes'] } },
      description: 'How many minutes before now',
    },
    {
      displayName: 'Time',
      name: 'sinceTime',
      type: 'dateTime',
      default: '',
      required: true,
      displayOptions: { show: { since: ['time'] } },
      description: 'The earlier moment (IST)',
    },
    collection('Options', 'options', [strikesAroundField, pictureField, binaryField, priceUnitField]),
  ],
  concurrent: true,
  async execute(item) {
    const unit = priceUnitOf(item);
    const service = await item.service();
    const { transport } = service;
    const { signal } = item.run;
    const now = Math.floor(transport.marketClock.now() / MINUTE_MS) * MINUTE_MS;
    const { exchange, chain, strikes } = await chainOf(item, service);
    const before = await readEarlierTime(item, service, exchange, now);
    const strikePrices = strikes.map(({ strike_price }) => strike_price);
    const moments = [now, before].map((at) => ({ at, strikes: strikePrices }));
    const { asset, expiry } = chain;
    const request = { exchange, asset, expiry, field: 'cumulative_oi' as const, moments, signal };
    const [current, earlierMoment] = await getChainMoments(transport, request);
    const rows = strikePrices.map((strike) => ({
      strike,
      now: current!.strikes.get(strike) ?? NONE,
      before: earlierMoment!.strikes.get(strike) ?? NONE,
    }));
    const side = (key: keyof MomentPair): ChainOption[] =>
      rows.map(({ strike, now: held, before: previous }) => ({
        strike,
        lastPrice: null,
        iv: null,
        delta: null,
        openInterest: held[key],
        previousOpenInterest: previous[key],
      }));
    const figures = figuresOfChain({ atTheMoney: chain.at_the_money, calls: side('ce'), puts: side('pe') });
    const sum = (key: keyof MomentPair): number | null => sumOf(rows.map(({ before: previous }) => previous[key]));
    const [callsBefore, putsBefore] = [sum('ce'), sum('pe')];
    const change = (key: keyof MomentPair): number | null =>
      sumOf(rows.map(({ now: held, before: previous }) => difference(held[key], previous[key])));
    const largest = (largestInterest: typeof figures.largestCall) =>
      largestInterest && {
        strike_price: paiseTo(unit, largestInterest.strike),
        open_interest: largestInterest.openInterest,
        open_interest_change: largestInterest.change,
      };
    const json = {
      asset,
      exchange,
      expiry,
      spot: paiseTo(unit, chain.spot),
      at_the_money: paiseTo(unit, chain.at_the_money),
      time_ist: toIst(current!.at),
      since_ist: toIst(earlierMoment!.at),
      call_open_interest: sumOf(rows.map(({ now: held }) => held.ce)),
      call_open_interest_change: change('ce'),
      put_open_interest: sumOf(rows.map(({ now: held }) => held.pe)),
      put_open_interest_change: change('pe'),
      put_call_ratio: rounded(figures.putCallRatio),
      put_call_ratio_before:
        callsBefore === null || putsBefore === null || callsBefore === 0 ? null : rounded(putsBefore / callsBefore),
      max_pain: paiseTo(unit, figures.maxPain),
      most_calls: largest(figures.largestCall),
      most_puts: largest(figures.largestPut),
      strikes: rows.map(({ strike, now: held, before: previous }) => ({
        strike_price: paiseTo(unit, strike),
        ce: changeOf(held.ce, previous.ce),
        pe: changeOf(held.pe, previous.pe),
      })),
      environment: service.connection.environment,
    };
    return [
      await withPicture(item, json, `open-interest-${asset.replaceAll(/[^A-Za-z0-9-]/g, '-')}-${expiry}.png`, () =>
        interestChart(
          rows.map(({ strike, now: held, before: previous }) => ({
            strike,
            ce: { now: held.ce, before: previous.ce },
            pe: { now: held.pe, before: previous.pe },
          })),
          {
            title: `${asset} ${showDate(expiry)}: open interest`,
            summary: `Put-call ratio ${json.put_call_ratio ?? 'not known'}   Since ${json.since_ist.slice(0, 16).replace('T', ' ')}`,
            spot: chain.spot,
          },
        ),
      ),
    ];
  },
};

const NONE: MomentPair = { ce: null, pe: null };

/** Four decimals of a ratio. */
const rounded = (ratio: number | null): number | null => (ratio === null ? null : Math.round(ratio * 10_000) / 10_000);

const difference = (now: number | null, before: number | null): number | null =>
  now === null || before === null ? null : now - before;

/** Returns the sum of what is known; null if nothing is: a moment that the service lacks has no open interest of 0. */
function sumOf(values: readonly (number | null)[]): number | null {
  const knownValues = values.filter((value) => value !== null);
  return knownValues.length === 0 ? null : knownValues.reduce((sum, value) => sum + value, 0);
}

const changeOf = (now: number | null, before: number | null) => ({
  open_interest: now,
  open_interest_before: before,
  open_interest_change: difference(now, before),
});

/** The moment that is compared with now. @throws InputError for one that is not before now */
async function readEarlierTime(
  item: ItemContext,
  { transport }: ExecutionService,
  exchange: Exchange,
  now: number,
): Promise<number> {
  const since = item.choice('since', ['time', 'minutes', 'previousClose'] as const);
  if (since === 'minutes') return now - item.whole('sinceMinutes', { min: 1, max: MAX_MINUTES }) * MINUTE_MS;
  if (since === 'time') {
    const at = item.dayOrInstant('sinceTime');
    if (at >= now) throw new InputError('Time must be before now.', { parameter: 'sinceTime' });
    return at;
  }
  const { previous } = await tradingDayOf(transport, exchange, marketDate(transport), item.run.signal);
  return istInstant(previous, LAST_MINUTE[exchange]);
}
