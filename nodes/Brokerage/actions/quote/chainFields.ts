/** Shared parts of the operations on a chain at several moments. */
import type { INodeProperties } from 'n8n-workflow';
import { chosenExpiry } from '../../../../client/instruments/expiries';
import { underlyingSymbol } from '../../../../client/instruments/underlying';
import { EXCHANGES, type Exchange } from '../../../../client/instruments/instrument';
import type { InstrumentStore } from '../../../../client/instruments/store';
import { getOptionChain, type OptionChain, type OptionStrike } from '../../../../client/market/option-chain';
import type { Canvas } from '../../../../client/charts/canvas';
import { encodePng } from '../../../../client/charts/png';
import { InputError } from '../../../../client/base/errors';
import { expiryFields, expiryOf, underlyingField, underlyingOf } from '../../../shared/contractFields';
import { binaryPropertyOf, exchangeField } from '../../../shared/fields';
import { findInList } from '../../../shared/lists';
import type { ExecutionService } from '../../../shared/service';
import type { ItemContext } from '../../common/itemContext';

export const chainFields: INodeProperties[] = [underlyingField, exchangeField, ...expiryFields];

export const strikesAroundField: INodeProperties = {
  displayName: 'Strikes Around the Money',
  name: 'strikesAround',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: 10,
  description: 'How many strikes to get on each side of ATM',
};

export const pictureField: INodeProperties = {
  displayName: 'Picture',
  name: 'picture',
  type: 'boolean',
  default: true,
  description: 'Whether to draw a picture (PNG)',
};

const MAX_STRIKES_AROUND = 100;

/** The chain of now; prices are paise. */
export type ChainNow = OptionChain & { expiry: string };

/**
 * Reads which chain an item names.
 * @returns finds its underlying and expiry in the list of the exchange; throws as `findInList`
 * @throws InputError for a field that names none
 */
export function readRequestedChain(
  item: ItemContext,
): (service: ExecutionService) => Promise<{ exchange: Exchange; asset: string; expiry: string }> {
  const underlying = underlyingOf(item);
  const exchange = item.choice('exchange', EXCHANGES);
  const choice = expiryOf(item);
  return async (service) => {
    const find = (list: InstrumentStore) => {
      const asset = underlyingSymbol(list, underlying);
      return { asset, expiry: chosenExpiry(list, asset, choice, service.transport.marketClock.now()) };
    };
    return { exchange, ...(await findInList(service, exchange, find, item.run.signal)) };
  };
}

/** Returns the current chain of an item, and the requested strikes around the money. @throws InputError, as `getOptionChain` */
export async function chainOf(
  item: ItemContext,
  service: ExecutionService,
): Promise<{ exchange: Exchange; chain: ChainNow; strikes: readonly OptionStrike[] }> {
  const findChain = readRequestedChain(item);
  const around =
    item.group('options').optionalWhole('strikesAround', { min: 1, max: MAX_STRIKES_AROUND }) ??
    Number(strikesAroundField.default);
  const { signal } = item.run;
  const { exchange, asset, expiry } = await findChain(service);
  const chain = await getOptionChain(service.transport, { underlying: asset, exchange, expiry, unit: 'paise', signal });
  const middle = chain.strikes.findIndex(({ at_the_money }) => at_the_money);
  const strikes = middle < 0 ? chain.strikes : chain.strikes.slice(Math.max(0, middle - around), middle + around + 1);
  if (strikes.length === 0)
    throw new InputError(`The service gives no options of ${asset} that expire on ${expiry}.`, {
      parameter: 'underlying',
      hint: 'Choose another expiry.',
    });
  return { exchange, chain: { ...chain, expiry }, strikes };
}

/** The item with its picture, where one is wanted and there is something to draw. */
export async function withPicture(
  item: ItemContext,
  json: object,
  fileName: string,
  draw: () => Canvas | undefined,
): Promise<ReturnType<ItemContext['output']>> {
  const options = item.group('options');
  const withChart = !options.has('picture') || options.flag('picture');
  const canvas = withChart ? draw() : undefined;
  if (canvas === undefined) return item.output(json);
  const file = { bytes: await encodePng(canvas), fileName, mimeType: 'image/png' };
  return await item.file(json, file, binaryPropertyOf(item));
}
