/** Market data of a real sandbox over real HTTP and WebSocket, and a listener that keeps what it hears. */
import { getCandles } from '../../../../client/market/candles';
import { getCurrentPrice } from '../../../../client/market/quotes';
import { requestStreamAddress } from '../../../../client/stream/connection/stream-address';
import type { StreamSocket } from '../../../../client/base/ports';
import type { MarketEvent, MarketInstrument } from '../../../../client/stream/market-data/market-data';
import type { MarketDeps } from '../../../../client/stream/market-data/market-feed';
import { createTransport } from '../../../../client/transport';
import type { RunningSandbox } from '../../../../sandbox/src';
import { DEVICE } from '../../../sandbox/support';
import { http } from '../../../support/fetch-http';
import { realClock } from '../../../support/real-clock';

/** Needs of a client, met by a sandbox; every request is counted. */
export function marketDeps(
  baseUrl: string,
  headers: Record<string, string>,
): { deps: MarketDeps; requests: string[]; sockets: string[] } {
  const requests: string[] = [];
  const sockets: string[] = [];
  const transport = createTransport({
    http: async (request, signal) => {
      requests.push(new URL(request.url).pathname);
      return await http(request, signal);
    },
    clock: realClock,
    random: () => Math.random() / 10,
    baseUrl,
    deviceId: DEVICE,
    authenticate: () => headers,
  });
  return {
    requests,
    sockets,
    deps: {
      clock: realClock,
      random: () => Math.random() / 10,
      makeSocket: (url) => {
        sockets.push(url);
        return new WebSocket(url) as unknown as StreamSocket;
      },
      access: async (signal) => ({
        ...(await requestStreamAddress(transport, 'market', '', signal)),
        token: String(headers['authorization']).slice('Bearer '.length),
      }),
      candles: async (request) => await getCandles(transport, request),
      price: async (instrument, signal) => (await getCurrentPrice(transport, instrument, signal)).price,
    },
  };
}

/** An instrument of the sandbox. */
export function instrumentOf(running: RunningSandbox, symbol: string): MarketInstrument {
  const found = running.sandbox.world.universe().bySymbol('NSE', symbol);
  if (found === undefined) throw new Error(`${symbol} is not there`);
  const { refId, exchange, derivativeType } = found;
  const kind =
    derivativeType === 'INDEX' || derivativeType === 'FUT' || derivativeType === 'OPT' ? derivativeType : 'STOCK';
  return { refId, exchange, symbol, kind };
}

/** Keeps all events, and lets a test wait for one. */
export class Heard {
  readonly events: MarketEvent[] = [];
  private waiting: (() => void)[] = [];

  readonly listener = (event: MarketEvent): void => {
    this.events.push(event);
    for (const wake of this.waiting.splice(0)) wake();
  };

  of<K extends MarketEvent['kind']>(kind: K): Extract<MarketEvent, { kind: K }>[] {
    return this.events.filter((event): event is Extract<MarketEvent, { kind: K }> => event.kind === kind);
  }

  /**
   * The first event of a kind that meets a condition, among those that have come or will come.
   * @throws where nothing more will come: a test that waited on would only show that its time was up.
   */
  async first<K extends MarketEvent['kind']>(
    kind: K,
    condition: (event: Extract<MarketEvent, { kind: K }>) => boolean = () => true,
  ): Promise<Extract<MarketEvent, { kind: K }>> {
    for (;;) {
      const found = this.of(kind).find(condition);
      if (found !== undefined) return found;
      const [end] = this.of('fatal');
      if (end !== undefined) throw end.error;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }
}
