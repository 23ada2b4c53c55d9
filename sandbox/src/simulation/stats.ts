/** Counters with which a restart goes on. */
export type Counters = Omit<Stats, 'streamsOpen' | 'clear' | 'counters' | 'restore' | 'shown'>;

/** Counters since the start. */
export class Stats {
  logins = 0;
  loginsRefused = 0;
  requests = 0;
  ordersReceived = 0;
  ordersAccepted = 0;
  ordersRejected = 0;
  trades = 0;
  streamsOpen = 0;
  framesSent = 0;

  clear(): void {
    const { streamsOpen } = this;
    Object.assign(this, new Stats(), { streamsOpen });
  }

  counters(): Counters {
    const { streamsOpen: _open, ...counters } = this;
    return counters;
  }

  restore(counters: Counters): void {
    Object.assign(this, counters);
  }

  /** As the control plane shows them. */
  shown(): Record<string, number> {
    return {
      logins: this.logins,
      logins_refused: this.loginsRefused,
      requests: this.requests,
      orders_received: this.ordersReceived,
      orders_accepted: this.ordersAccepted,
      orders_rejected: this.ordersRejected,
      trades: this.trades,
      streams_open: this.streamsOpen,
      frames_sent: this.framesSent,
    };
  }
}
