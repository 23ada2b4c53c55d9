/** A market-data socket whose connections are made by hand: what it sends over each of them, and what it tells. */
import type { StreamSocket } from '../../../../client/base/ports';
import type { StreamAccess } from '../../../../client/stream/connection/socket';
import { demandOf, type SubscriptionDemand } from '../../../../client/stream/market-data/subscription-demand';
import type { MarketSubscription } from '../../../../client/stream/market-data/market-data';
import { MarketSocket } from '../../../../client/stream/market-data/market-socket';
import { VirtualClock } from '../../../support/clock';

/** The service's side of one connection. */
export class HandSocket implements StreamSocket {
  readonly readyState = 1;
  binaryType = 'blob';
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  isClosed = false;
  /** Texts that were sent, without the token. */
  readonly sent: string[] = [];

  constructor(
    readonly url: string,
    private readonly token: string,
  ) {}

  send(text: string): void {
    this.sent.push(text.replace(`${this.token} `, ''));
  }

  close(): void {
    this.isClosed = true;
  }

  /** The service says or brings something. */
  says(data: string | Uint8Array): void {
    this.onmessage?.({ data });
  }

  /** The service ends it. */
  end(): void {
    this.onclose?.({ code: 1006, reason: '' });
  }
}

export class SocketBench {
  readonly clock = new VirtualClock(0);
  readonly connections: HandSocket[] = [];
  /** Instant when the service was asked where to connect, milliseconds. */
  readonly asked: number[] = [];
  /** Texts and errors that the socket has told, in order. */
  readonly reports: (string | Error)[] = [];
  /** Address of the service, and the token for it. */
  access: () => Promise<StreamAccess> = async () =>
    await Promise.resolve({ url: 'ws://127.0.0.1/', token: this.token });
  token = 'token';
  /** True if a connection opens at once, or is closed at once. */
  opens = true;
  readonly socket = new MarketSocket(
    {
      clock: this.clock,
      random: () => 1,
      access: async () => {
        this.asked.push(this.clock.now());
        return await this.access();
      },
      makeSocket: (url) => {
        const made = new HandSocket(url, this.token);
        this.connections.push(made);
        queueMicrotask(() => (this.opens ? made.onopen?.() : made.end()));
        return made;
      },
    },
    {
      reached: ({ token }) => this.reports.push(`reached ${token}`),
      opened: () => this.reports.push(`opened after ${this.last.sent.length}`),
      lost: (why) => this.reports.push(why),
      frame: ({ kind }) => this.reports.push(kind),
      refused: (said) => this.reports.push(`refused: ${said}`),
      badFrame: (cause) => this.reports.push(`bad frame: ${cause}`),
      fatal: (error) => this.reports.push('fatal', error),
    },
  );

  /** The newest connection. */
  get last(): HandSocket {
    return this.connections.at(-1)!;
  }

  subscribe(...subscriptions: MarketSubscription[]): SubscriptionDemand {
    const demand = demandOf(subscriptions);
    this.socket.subscribe(demand);
    return demand;
  }

  async open(): Promise<void> {
    this.socket.start();
    await this.clock.sleep(10);
    this.reports.length = 0;
  }

  /** Returns what was sent over the newest connection since the last call. */
  sent(): string[] {
    return this.last.sent.splice(0);
  }
}
