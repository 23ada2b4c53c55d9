import { contractValue } from '../market/reference/contract-value';
import { millisOf } from '../shared/time';
import type { Sandbox } from './sandbox';

/** Length of a step, milliseconds. From the next one on, the price shows the push of a trade. */
const STEP_MS = 1_000;

/**
 * Cost to an account of its orders pushing the prices at which it traded: at each trade the price beside that of the market without users.
 * What it sold where it had pushed the price up before is taken off.
 */
export class OwnImpact {
  /** Paise; below 0 where it gained by it. */
  paid = 0;

  constructor(sandbox: Sandbox, account: string) {
    const step = sandbox.recordings?.stepMs ?? STEP_MS;
    sandbox.onOrderEvent((event) => {
      if (event.type !== 'trade' || event.order.account !== account) return;
      const { world } = sandbox;
      const instrument = world.instrument(event.order.refId);
      if (instrument === undefined) return;
      const shown = (Math.floor(millisOf(event.at) / step) + 1) * step;
      const pushed = world.market.price(instrument, shown) - world.marketAlone.price(instrument, shown);
      const way = event.order.side === 'BUY' ? 1 : -1;
      this.paid += contractValue(instrument, way * pushed, event.trade.quantity);
    });
  }
}
