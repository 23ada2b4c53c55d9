/** Market data whose socket is open at once and brings what it is handed; REST answers, and knows nothing. */
import type { Clock, StreamSocket } from '../../client/base/ports';
import { MarketFeed, type MarketDeps } from '../../client/stream/market-data/market-feed';

export class FedSocket implements StreamSocket {
  readonly readyState = 1;
  binaryType = 'arraybuffer';
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  /** Texts that were sent to it. */
  readonly sent: string[] = [];

  constructor() {
    setImmediate(() => this.onopen?.());
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {}
}

/** @param deps in place of what REST answers usually. */
export function fedMarket(
  clock: Clock,
  environment: 'live' | 'sandbox',
  deps: Partial<MarketDeps> = {},
): { feed: MarketFeed; socket: FedSocket } {
  const socket = new FedSocket();
  const feed = new MarketFeed(
    {
      clock,
      random: () => 0,
      makeSocket: () => socket,
      access: async () => await Promise.resolve({ url: 'ws://127.0.0.1/', token: 'token', aheadMs: 0 }),
      candles: async () => await Promise.resolve({ rows: [] }),
      price: async () => await Promise.resolve({ none: 'nothing has traded' }),
      ...deps,
    },
    environment,
    () => undefined,
  );
  return { feed, socket };
}
