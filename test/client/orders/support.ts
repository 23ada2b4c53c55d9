import type { OrderTerms, TradedInstrument } from '../../../client/orders/order';
import type { PlacementContext } from '../../../client/orders/place';
import { Placements } from '../../../client/orders/placements';
import { createTransport } from '../../../client/transport';
import { OrderModel, type OrderModelOptions } from '../../support/order-service';
import { VirtualTime, seededRandom } from '../../support/virtual-time';

export const INFY: TradedInstrument = {
  refId: 7,
  exchange: 'NSE',
  symbol: 'INFY',
  asset: 'INFY',
  tickSize: 5,
  lotSize: 1,
  derivative: false,
};
export const NIFTY_FUT: TradedInstrument = {
  refId: 8,
  exchange: 'NSE',
  symbol: 'NIFTY26NOVFUT',
  asset: 'NIFTY',
  tickSize: 10,
  lotSize: 65,
  derivative: true,
};

export const LIMIT_BUY: OrderTerms = {
  refId: 7,
  kind: 'REGULAR',
  side: 'BUY',
  quantity: 10,
  product: 'CNC',
  validity: 'DAY',
  priceType: 'LIMIT',
  price: 150_005,
};

let made = 0;

/** A service, its time, and a context to trade from. */
export function market(options: OrderModelOptions = {}): {
  time: VirtualTime;
  model: OrderModel;
  context: PlacementContext;
} {
  const time = new VirtualTime();
  const model = new OrderModel(time, options);
  const transport = createTransport({
    http: model.http,
    clock: time.clock,
    random: seededRandom(1),
    baseUrl: `https://m${made++}.broker.example`,
    deviceId: 'n8n',
  });
  return { time, model, context: { transport, placements: new Placements(time.clock), scope: 'sandbox/me' } };
}
