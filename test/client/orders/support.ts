import type { OrderTerms, TradedInstrument } from '../../../client/orders/model/order-terms';
import { v2Api } from '../../../client/orders/api/v2/v2';
import type { BasketTerms } from '../../../client/orders/model/basket-terms';
import type { BasketRequest, OrderRequest, PlacementContext } from '../../../client/orders/account/placement-context';
import { PlacementRegistry } from '../../../client/orders/account/placement-registry';
import { createTransport } from '../../../client/transport';
import { OrderModel, type OrderModelOptions } from '../../support/order-service';
import type { Fault } from '../../support/order-service-faults';
import { VirtualTime, seededRandom } from '../../support/virtual-time';

export const INFY: TradedInstrument = {
  refId: 7,
  exchange: 'NSE',
  symbol: 'INFY',
  asset: 'INFY',
  tickSize: 5,
  lotSize: 1,
  lotMultiplier: 1,
  derivative: false,
};
export const NIFTY_FUT: TradedInstrument = {
  refId: 8,
  exchange: 'NSE',
  symbol: 'NIFTY26NOVFUT',
  asset: 'NIFTY',
  tickSize: 10,
  lotSize: 65,
  lotMultiplier: 65,
  derivative: true,
};

export const LIMIT_BUY: OrderTerms = {
  instrument: INFY,
  kind: 'REGULAR',
  side: 'BUY',
  quantity: 10,
  product: 'CNC',
  validity: 'DAY',
  priceType: 'LIMIT',
  price: 150_005,
};

/** A spread of two calls of NIFTY. */
const CALL: TradedInstrument = { ...NIFTY_FUT, refId: 9, symbol: 'NIFTY26NOV24500CE', tickSize: 5 };
export const SPREAD: BasketTerms = {
  name: 'spread',
  legs: [
    { instrument: CALL, side: 'BUY', quantity: 65 },
    { instrument: { ...CALL, refId: 10, symbol: 'NIFTY26NOV24600CE' }, side: 'SELL', quantity: 65 },
  ],
  side: 'BUY',
  product: 'IDAY',
  priceType: 'LIMIT',
  price: 1_000,
  multiplier: 1,
};

/** An order that is to be placed under a tag, without guards. */
export const orderRequest = (tag: string, changes: Partial<OrderRequest> = {}): OrderRequest => ({
  terms: LIMIT_BUY,
  tag,
  keyed: false,
  isRepeat: false,
  guards: [],
  unit: 'rupees',
  ...changes,
});

/** A basket that is to be placed under a tag, without guards. */
export const basketRequest = (tag: string, changes: Partial<BasketRequest> = {}): BasketRequest => ({
  ...orderRequest(tag),
  terms: SPREAD,
  ...changes,
});

/** True if the service says clearly that it took a request, or that it did not. */
export const isClear = (fault: Fault | undefined): boolean =>
  fault === undefined || fault === 'refused' || fault === 429 || (typeof fault === 'object' && fault.status === 202);

/** The number of requests that could have placed something. */
export const posts = ({ requests }: OrderModel): number => requests.filter(({ method }) => method === 'POST').length;

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
  return {
    time,
    model,
    context: {
      ...v2Api(transport),
      transport,
      placements: new PlacementRegistry(time.clock),
      scope: 'sandbox/me',
      environment: 'sandbox',
    },
  };
}
