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
        `the market-data stream brings nothing of ${event.instrument.exchange}:${event.instrument.symbol} though it trades; its price is asked for over REST`,
      );
    case 'refused':
      return context.warn(
        `the broker refuses a part of the market data ("${event.said}"): all that listens with your account, other programs too, asks for too much; prices and candles that the stream does not bring are read over REST, while depth, Greeks and option chains may stay away. Watch fewer instruments, or end another program`,
      );
    case 'expired':
      return context.warn(
        `${event.instrument.exchange}:${event.instrument.symbol} has expired: no more prices of it come, and the broker is asked for none. Put the next contract in its place, or take it out`,
      );
    case 'gap':
      return context.saveFailure(
        `What ${event.instrument.exchange}:${event.instrument.symbol} did from ${toIst(event.from)} to ${toIst(event.to)} could not be read: ${event.reason}`,
        'An alert in this time may be missing. The trigger goes on with the prices after it.',
      );
    case 'source':
      return event.now === 'rest'
        ? context.warn(`prices are asked for over REST until the market-data stream is back (${event.reason})`)
        : context.info('has its prices from the market-data stream');
    case 'tick':
    case 'candle':
    case 'depth':
    case 'greeks':
    case 'chain':
      return;
  }
}
