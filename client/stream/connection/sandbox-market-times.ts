/** Times of the exchange as a sandbox tells them: its clock may run at any speed, and waits for what a time has started. */
import { attempt } from '../../attempt';
import { BrokerageError, InputError, SessionError } from '../../base/errors';
import type { Clock, Random, SocketMaker } from '../../base/ports';
import { pauseUnlessAborted } from '../../abortable';
import { pauseBeforeAttempt } from './backoff';
import { connectStream, type StreamAccess, type StreamConnection } from './socket';

export interface SandboxTimesDeps {
  clock: Clock;
  random: Random;
  makeSocket: SocketMaker;
  /** As that of a feed. */
  access(signal: AbortSignal): Promise<StreamAccess>;
}

/** Hears of times and of the connection; must not throw. */
export interface SandboxTimesListener {
  /** Handles one of the times; the sandbox's clock waits until this resolves. @param at milliseconds since the epoch, on that clock */
  reached(at: number): Promise<void>;
  /** Comes once for each connection that is lost. */
  lost(reason: string): void;
  /** Nothing is possible without the person. */
  fatal(error: BrokerageError): void;
}

const MARKET_TIME = /^market_time (\S+)$/;

/**
 * Follows times of the day on trading days, and connects again whenever the connection is lost, until the signal fires.
 * @param times such as `09:20:00`
 * @throws BrokerageError if the first connection cannot be made
 */
export async function followSandboxTimes(
  deps: SandboxTimesDeps,
  times: readonly string[],
  listener: SandboxTimesListener,
  signal: AbortSignal,
): Promise<void> {
  const once = async (): Promise<StreamConnection> => {
    const access = await deps.access(signal);
    const { runsDone: confirmed, ...plain } = access;
    const take = async (text: string): Promise<void> => {
      const at = Date.parse(MARKET_TIME.exec(text)?.[1] ?? '');
      if (!Number.isNaN(at)) await listener.reached(at);
      if (confirmed !== undefined) connection.send(`acknowledge ${await confirmed()}`);
    };
    // A clock that has waited for this connection goes on once it acknowledges: by then the times must be known.
    const commands = [times.join(','), ...(confirmed === undefined ? [] : ['acknowledge'])];
    const connection = await connectStream(
      deps,
      plain,
      commands.map((what) => `subscribe ${access.token} sandbox_clock ${what}`),
      () => undefined,
      signal,
      (text) => void take(text),
    );
    return connection;
  };
  /** @returns undefined if nothing more is to be tried. */
  const again = async (): Promise<StreamConnection | undefined> => {
    for (let tries = 1; await pauseUnlessAborted(deps.clock, pauseBeforeAttempt(tries, deps.random), signal); tries++) {
      const outcome = await attempt(once());
      if (outcome.ok) return outcome.value;
      if (outcome.error instanceof SessionError || outcome.error instanceof InputError) {
        listener.fatal(outcome.error);
        break;
      }
    }
    return undefined;
  };
  const keep = async (first: StreamConnection): Promise<void> => {
    let connection: StreamConnection | undefined = first;
    while (connection !== undefined) {
      await connection.ended;
      if (signal.aborted) return;
      listener.lost('The stream was closed');
      connection = await again();
    }
  };
  void keep(await once());
}
