import { isKnownContract, type KnownContract, whyUnvalued } from '../../../../client/values/contract-value';
import { underlyingSymbol } from '../../../../client/instruments/underlying';
import { getOptionChain, refIdsOf } from '../../../../client/market/option-chain';
import { payoffOf, type Payoff } from '../../../../client/options/payoff';
import { payoffChart } from '../../../../client/options/payoff-chart';
import { unitOf } from '../../../../client/orders/model/basket-terms';
import { InputError } from '../../../../client/base/errors';
import {
  PRODUCTS,
  type OrderTerms,
  type Product,
  type TradedInstrument,
} from '../../../../client/orders/model/order-terms';
import { OPTION_STRATEGIES } from '../../../../client/orders/model/option-strategies';
import { encodePng } from '../../../../client/charts/png';
import { paiseTo, type MoneyUnit } from '../../../../client/values/money';
import { numberIn } from '../../../../client/values/record';
import { showDate } from '../../../../client/values/time';
import { binaryField, binaryPropertyOf, collection, priceUnitField, priceUnitOf } from '../../../shared/fields';
import { listContaining } from '../../../shared/lists';
import type { ItemContext } from '../../common/itemContext';
import type { ItemOperation } from '../../common/operation';
import { isSince12 } from '../../common/version';
import {
  readOptionStrategyContract,
  readOptionStrategyName,
  readOptionStrategyMarket,
} from '../../trading/optionStrategyFields';
import { productField } from '../../trading/orderFields';
import { orderContext } from '../../trading/placement';
import { strategySummary } from './strategySummary';
import { pricedLegs, strategyFields, strikesOf, type PricedLeg } from './strategyFields';
import { optionalWordOf } from '../../trading/orderForm';

/** Returns the margin that the service would block for all legs together, paise. */
async function marginOf(item: ItemContext, legs: readonly PricedLeg[], product: Product) {
  const { orders, signal } = await orderContext(item.run);
  const terms = legs.map(({ instrument, side, quantity, price }): OrderTerms => ({
    instrument,
    side,
    quantity,
    product,
    price,
    kind: 'REGULAR',
    priceType: 'LIMIT',
    validity: 'DAY',
  }));
  return await orders.preview(terms, { withPortfolio: false, signal });
}

/** @throws InputError if nothing tells what the option is worth: premium, profit and loss are no money then. */
function requireContract(instrument: TradedInstrument): KnownContract {
  if (isKnownContract(instrument)) return instrument;
  throw new InputError(`No payoff: ${whyUnvalued(instrument)}`, {
    parameter: 'underlying',
    hint: '"Quote: Get Option Chain" has the prices of the options.',
  });
}

/** A leg, as "Basket: Place" takes it, with what is known of its option. */
function legOutput({ instrument, side, quantity, option, price }: PricedLeg, unit: MoneyUnit) {
  return {
    instrument: `${instrument.exchange}:${instrument.symbol}`,
    side,
    quantity,
    symbol: instrument.symbol,
    exchange: instrument.exchange,
    ref_id: instrument.refId,
    option_type: option.option_type,
    strike_price: paiseTo(unit, option.strike_price),
    lot_size: instrument.lotSize,
    lot_multiplier: instrument.lotMultiplier,
    last_price: paiseTo(unit, price),
    iv: option.iv,
    delta: option.delta,
  };
}

function payoffOutput(payoff: Payoff, legs: readonly PricedLeg[], unit: MoneyUnit) {
  const { premium, maxProfit, maxLoss, breakevens, points } = payoff;
  return {
    net_premium: paiseTo(unit, premium / unitOf(legs)),
    premium: paiseTo(unit, premium),
    max_profit: paiseTo(unit, maxProfit),
    max_profit_unlimited: maxProfit === null,
    max_loss: paiseTo(unit, maxLoss),
    max_loss_unlimited: maxLoss === null,
    breakevens: breakevens.map((price) => paiseTo(unit, price)),
    payoff: points.map(({ price, profit }) => ({ price: paiseTo(unit, price), profit: paiseTo(unit, profit) })),
  };
}

export const buildOptionStrategy: ItemOperation = {
  name: 'Build Option Strategy',
  action: 'Build an option strategy',
  description:
    'Find the options of a straddle, strangle, spread, condor or butterfly by strikes or by delta, with premium, breakevens, greatest profit and loss, margin and a picture of the payoff. Nothing is placed: "Basket: Place" takes the result.',
  properties: [
    ...strategyFields,
    collection('Options', 'options', [
      {
        displayName: 'Margin',
        name: 'margin',
        type: 'boolean',
        default: true,
        description: 'Whether to ask the service for the margin of all legs together. It is one more request.',
      },
      {
        displayName: 'Payoff Picture',
        name: 'picture',
        type: 'boolean',
        default: true,
        description: 'Whether to draw the profit at expiry as a picture (PNG)',
      },
      priceUnitField,
      { ...productField, default: 'IDAY', description: 'For which product the margin is asked' },
      binaryField,
    ]),
  ],
  concurrent: true,
  async execute(item) {
    const unit = priceUnitOf(item);
    const shape = item.choice('strategy', OPTION_STRATEGIES);
    const contract = readOptionStrategyContract(item);
    const kind = readOptionStrategyName(item, shape);
    const strikes = strikesOf(item, shape);
    item.whole('quantity', { min: 1 });
    const options = item.group('options');
    const product = optionalWordOf(options, 'product', PRODUCTS) ?? 'IDAY';
    const [withMargin, withPicture] = ['margin', 'picture'].map((name) => !options.has(name) || options.flag(name));
    const property = binaryPropertyOf(item);
    const service = await item.service();
    const { signal } = item.run;
    const market = await readOptionStrategyMarket(item, contract);
    const { exchange } = contract;
    const underlying = underlyingSymbol(market.store, contract.underlying);
    const { expiry, spot } = market;
    const chain = await getOptionChain(service.transport, { underlying, exchange, expiry, unit: 'paise', signal });
    const store = await listContaining(service, exchange, market.store, refIdsOf(chain), signal);
    const legs = await pricedLegs(item, kind, strikes, { contract, market: { ...market, store }, chain });
    const priced = legs.map(({ instrument, option, side, quantity, price }) => ({
      optionType: option.option_type,
      strike: option.strike_price,
      units: side === 'BUY' ? quantity : -quantity,
      premium: price,
      contract: requireContract(instrument),
    }));
    const payoff = payoffOf(priced, spot);
    const margin = withMargin ? await marginOf(item, legs, product) : undefined;
    const total = margin === undefined ? null : numberIn(margin, 'total_margin');
    const charges = margin === undefined ? null : numberIn(margin, 'total_charges');
    const json = {
      strategy: shape,
      side: kind.side,
      underlying: chain.asset,
      exchange,
      expiry,
      underlying_price: paiseTo(unit, spot),
      ...payoffOutput(payoff, legs, unit),
      ...(margin === undefined ? {} : { margin: paiseTo(unit, total) }),
      legs: legs.map((leg) => legOutput(leg, unit)),
      ...(isSince12(item)
        ? {
            ...(margin === undefined ? {} : { charges: paiseTo(unit, charges) }),
            summary: strategySummary({ shape, underlying: chain.asset, expiry, legs, payoff, margin: total, charges }),
          }
        : {}),
      environment: service.connection.environment,
    };
    if (!withPicture) return [item.output(json)];
    const title = `${chain.asset} ${showDate(expiry)} ${kind.side} ${shape}`;
    const bytes = await encodePng(payoffChart(payoff, { title, spot }));
    const fileName = `${shape}-${underlying.replaceAll(/[^A-Za-z0-9-]/g, '-')}-${expiry}.png`;
    return [await item.file({ ...json, file_name: fileName }, { bytes, fileName, mimeType: 'image/png' }, property)];
  },
};
