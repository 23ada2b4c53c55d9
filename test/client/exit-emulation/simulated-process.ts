/** One process of n8n in a simulation: once it has died, none of its requests goes out, and no reply comes back to it. */
import type { Http } from '../../../client/base/ports';
import { ClosingOrderRegistry } from '../../../client/closing/closing-order-registry';
import type { Position } from '../../../client/portfolio/portfolio';
import { ShownPositions } from '../../../client/closing/shown-positions';
import { KnownOrderApis, openAccountApi } from '../../../client/orders/account/account-api';
import { PlacementRegistry } from '../../../client/orders/account/placement-registry';
import { createTransport } from '../../../client/transport';
import type { OrderModel } from '../../support/order-service';
import type { VirtualTime } from '../../support/virtual-time';

export class SimulatedProcess {
  isAlive = true;
  private readonly stop = new AbortController();

  constructor(
    private readonly world: {
      model: OrderModel;
      time: VirtualTime;
      random: () => number;
      baseUrl: string;
      scope: string;
    },
  ) {}

  /** Returns what an order is placed in. */
  placementContext() {
    const { model, time, random, baseUrl, scope } = this.world;
    const http: Http = async (request, signal) => {
      if (!this.isAlive) return await new Promise(() => undefined);
      const reply = await model.http(request, signal);
      return this.isAlive ? reply : await new Promise(() => undefined);
    };
    const transport = createTransport({ http, clock: time.clock, random, baseUrl, deviceId: 'n8n' });
    return {
      ...openAccountApi(transport, { choice: 'v2', known: new KnownOrderApis(), scope }),
      environment: 'sandbox' as const,
      placements: new PlacementRegistry(time.clock),
      scope,
      signal: this.stop.signal,
    };
  }

  /** Returns what a position is closed in. @param positions reads those of the account */
  closingContext(positions: () => Promise<readonly Position[]>) {
    const { clock } = this.world.time;
    return {
      ...this.placementContext(),
      sentExits: new ClosingOrderRegistry(clock),
      shown: new ShownPositions(clock),
      positionLock: undefined,
      positions,
    };
  }

  /** Dies as a killed process does. */
  die(): void {
    this.isAlive = false;
    this.stop.abort(new Error('gone'));
  }

  /** Ends in order. @param running what it runs */
  async end(running: Promise<void>): Promise<void> {
    this.stop.abort(new Error('over'));
    await running;
  }
}
