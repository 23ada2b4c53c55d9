import { getOptionChain as readOptionChain, refIdsOf, type OptionStrike } from '../../../../client/market/option-chain';
import { collection, priceUnitField, priceUnitOf } from '../../../shared/fields';
import { listOf, listContaining } from '../../../shared/lists';
import type { ItemOperation } from '../../common/operation';
import { chainFields, readRequestedChain } from './chainFields';

/** The strikes within so many of the one at the money, on both sides. */
function around(strikes: readonly OptionStrike[], distance: number | undefined): readonly OptionStrike[] {
  const middle = strikes.findIndex(({ at_the_money }) => at_the_money);
  return distance === undefined || middle < 0
    ? strikes
    : strikes.slice(Math.max(0, middle - distance), middle + distance + 1);
}

export const getOptionChain: ItemOperation = {
  name: 'Get Option Chain',
  action: 'Get an option chain',
  description:
    'Get the option chain of an underlying for one expiry: price, implied volatility, greeks and open interest of the call and put at each strike',
  properties: [
    ...chainFields,
    {
      displayName: 'Output',
      name: 'output',
      type: 'options',
      options: [
        { name: 'One Item', value: 'one', description: 'The whole chain in one item' },
        { name: 'One Item per Option', value: 'option', description: 'Calls and puts as separate items' },
        { name: 'One Item per Strike', value: 'strike', description: 'Call and put of a strike side by side' },
      ],
      default: 'strike',
      description: 'How many items you get',
    },
    collection('Options', 'options', [
      priceUnitField,
      {
        displayName: 'Strikes Around the Money',
        name: 'strikesAround',
        type: 'number',
        typeOptions: { minValue: 0 },
        default: 10,
        description: 'How many strikes to get on each side of ATM',
      },
    ]),
  ],
  concurrent: true,
  async execute(item) {
    const unit = priceUnitOf(item);
    const findChain = readRequestedChain(item);
    const shape = item.choice('output', ['one', 'option', 'strike'] as const);
    const distance = item.group('options').optionalWhole('strikesAround', { min: 0 });
    const service = await item.service();
    const { signal } = item.run;
    const { exchange, asset, expiry } = await findChain(service);
    const chain = await readOptionChain(service.transport, { underlying: asset, exchange, expiry, unit, signal });
    await listContaining(service, exchange, await listOf(service, exchange, signal), refIdsOf(chain), signal);
    const strikes = around(chain.strikes, distance);
    const { environment } = service.connection;
    const head = { asset: chain.asset, exchange: chain.exchange, expiry: chain.expiry, spot: chain.spot };
    if (shape === 'one') return [item.output({ ...chain, strikes, environment })];
    if (shape === 'strike') return strikes.map((strike) => item.output({ ...head, ...strike, environment }));
    return strikes.flatMap(({ at_the_money, ce, pe }) =>
      [ce, pe].filter((leg) => leg !== null).map((leg) => item.output({ ...head, at_the_money, ...leg, environment })),
    );
  },
};
