/** Tells the person what market data says of itself. */
import type { MarketEvent } from '../../../client/stream/market-data/market-data';
import { toIst } from '../../../client/values/time';
import type { TriggerContext } from './triggerContext';

/** Prices, candles and the like pass by. */
export function reportMarket(context: TriggerContext, event: MarketEvent): void {
  switch (event.kind) {
    case 'outage':
      return context.outage(event.reason, event.downMs);
    case 'fatal':
      return context.fatal(event.error);
    case 'badFrame':
      return context.warn(`a message of the broker's market data could not be read (${event.cause})`);
    case 'silent':
      return context.warn(
        `the market-data stream sends nothing for ${event.instrument.exchange}:${event.instrument.symbol} although it trades; its price is read over REST`,
      );
    case 'refused':
      return context.warn(
        `the broker refuses a part of the market data ("${event.said}"): your account, with all programs that use it, asks for too much; prices and candles that the stream does not send are read over REST, but depth, Greeks and option chains may be missing. Watch fewer instruments, or stop another program`,
      );
    case 'expired':
      return context.warn(
        `${event.instrument.exchange}:${event.instrument.symbol} has expired, so it has no more prices. Replace it with the next contract, or remove it`,
      );
    case 'gap':
      return context.saveFailure(
        `What ${event.instrument.exchange}:${event.instrument.symbol} did from ${toIst(event.from)} to ${toIst(event.to)} could not be read: ${event.reason}`,
        'An alert in this time may be missing. The trigger goes on with the prices after it.',
      );
    case 'source':
      return event.now === 'rest'
        ? context.warn(`prices are read over REST until the market-data stream is back (${event.reason})`)
        : context.info('has its prices from the market-data stream');
    case 'tick':
    case 'candle':
    case 'depth':
    case 'greeks':
    case 'chain':
      return;
  }
}
