/** A socket of a stream that stays open while it is needed: it is opened again whenever it is lost. */
import { pauseUnlessAborted } from '../../abortable';
import { InputError, SessionError } from '../../base/errors';
import type { Clock, Random, SocketMaker } from '../../base/ports';
import { pauseBeforeAttempt } from './backoff';
import { connectStream, type StreamAccess, type StreamConnection } from './socket';

/** Milliseconds; a connection that lasted this long was a good one: attempts are counted from zero. */
export const STABLE_MS = 60_000;

/** Dependencies of a socket. */
export interface ConnectionDeps {
  clock: Clock;
  random: Random;
  makeSocket: SocketMaker;
  /**
   * Returns address and token of the connection. Asks the service, so that an expired session is renewed and distinguished from a broken
   * network: also if the stream calls the token invalid, since the service says so of an expired session.
   * @throws SessionError if there can be no session; NetworkError and ServiceError if the request failed.
   */
  access(signal: AbortSignal): Promise<StreamAccess>;
}

/** Uses the connections of a socket, one after the other. */
export interface ConnectionUser {
  /** The service has told where to connect. @returns the commands to begin with. */
  reached(access: StreamAccess): readonly string[];
  /** Hears frames, and texts, of the connection that is open. It must not throw. */
  frame(bytes: Uint8Array): void;
  text?(text: string): void;
  /**
   * A connection is open. It is closed when this returns.
   * @param signal fires when it has ended, or the socket is stopped.
   * @throws what makes this connection a failed attempt.
   */
  opened(connection: StreamConnection, access: StreamAccess, signal: AbortSignal): Promise<void>;
  /** The connection has ended by itself, or was closed. @param why in words. @throws what makes it a failed attempt. */
  closed(why: string): void;
  /** An attempt failed. @param attempt counted from 1. @returns whether another one is to be made. */
  failed(error: unknown, attempt: number): boolean;
  /** No connection is possible without the person: the socket has stopped. */
  fatal(error: SessionError | InputError): void;
  /** The last connection was a good one. */
  lasted?(): void;
  /** The pause before the next attempt is over. */
  paused?(): void;
}

/** Keeps one socket at a time. */
export class ReconnectingSocket {
  constructor(
    private readonly deps: ConnectionDeps,
    private readonly user: ConnectionUser,
  ) {}

  /**
   * Connects, and again whenever the connection is lost, until it is stopped or has no hope. Never rejects: its user
   * does not throw but where it is said.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { deps, user } = this;
    for (let attempt = 1; !signal.aborted; attempt++) {
      const since = deps.clock.moment();
      try {
        await this.connectOnce(signal);
      } catch (error) {
        if (signal.aborted || !this.goesOn(error, attempt)) return;
      }
      if (deps.clock.since(since) >= STABLE_MS) {
        attempt = 1;
        user.lasted?.();
      }
      await pauseUnlessAborted(deps.clock, pauseBeforeAttempt(attempt, deps.random), signal);
      user.paused?.();
    }
  }

  private goesOn(error: unknown, attempt: number): boolean {
    if (!(error instanceof SessionError || error instanceof InputError)) return this.user.failed(error, attempt);
    this.user.fatal(error);
    return false;
  }

  /** One connection from its opening to its end. */
  private async connectOnce(signal: AbortSignal): Promise<void> {
    const { deps, user } = this;
    const access = await deps.access(signal);
    const commands = user.reached(access);
    const onText = (text: string): void => user.text?.(text);
    const connection = await connectStream(deps, access, commands, (bytes) => user.frame(bytes), signal, onText);
    const over = new AbortController();
    void connection.ended.then(() => over.abort());
    try {
      await user.opened(connection, access, AbortSignal.any([signal, over.signal]));
    } finally {
      connection.stop();
    }
    const ending = await connection.ended;
    if (signal.aborted) return;
    user.closed(ending === 'invalidToken' ? 'The stream refused the session token' : 'The stream was closed');
  }
}
