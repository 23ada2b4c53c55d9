import { nameOf } from '../market/recordings/types';
import type { Instrument } from '../market/reference/types';
import type { Sandbox } from './sandbox';

/** `recorded`: read from the files. `worked out`: made of what was recorded, by a model. `made up`: the sandbox's own market. */
export type PriceOrigin = 'recorded' | 'worked out' | 'made up';

export interface InstrumentOrigin {
  symbol: string;
  exchange: string;
  prices: PriceOrigin;
  how: string;
}

/** Returns the origin of an instrument's prices in a replay. */
export function originOf(
  sandbox: Sandbox,
  { symbol, exchange, displayName, underlyingRefId, derivativeType }: Instrument,
): InstrumentOrigin {
  const { recordings, world } = sandbox;
  const isOn = (name: string) => recordings?.instruments.get(name);
  const own = isOn(nameOf({ exchange, symbol }));
  const base = { symbol: displayName || symbol, exchange };
  if (own !== undefined) {
    const length =
      own.interval >= 86_400
        ? 'days'
        : own.interval >= 60
          ? `${own.interval / 60}-minute bars`
          : `${own.interval}-second bars`;
    const where = own.seenOn === exchange ? '' : ` of ${own.seenOn}`;
    return { ...base, prices: 'recorded', how: `${length}${where}; prices within a bar are drawn` };
  }
  const seen = recordings?.ticks.get(nameOf({ exchange, symbol }))?.values().next().value;
  if (seen !== undefined)
    return {
      ...base,
      prices: 'recorded',
      how: seen.isOfBars
        ? 'bars, of each its open, low, high and close; made up where there is none'
        : 'ticks with their books',
    };
  const underlying = underlyingRefId === null ? undefined : world.instrument(underlyingRefId);
  const isFollowed = underlying !== undefined && isOn(nameOf(underlying)) !== undefined;
  if (!isFollowed || underlying === undefined) return { ...base, prices: 'made up', how: 'nothing of it was recorded' };
  const straddles = recordings?.straddles.has(nameOf(underlying)) === true;
  const how =
    derivativeType === 'OPT'
      ? `from ${underlying.symbol} as recorded, with a volatility that is ${straddles ? 'measured from recorded closes of options' : 'estimated from how it moved'}`
      : `from ${underlying.symbol} as recorded, with the cost of carrying it`;
  return { ...base, prices: 'worked out', how };
}
