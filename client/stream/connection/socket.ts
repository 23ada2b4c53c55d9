/** One socket of a stream: open, subscribe, hand over frames, and tell once why it ended. */
import { NetworkError } from '../../base/errors';
import type { Clock, SocketMaker, StreamSocket } from '../../base/ports';
import { withTimeout } from '../../abortable';
import { MAX_STREAM_TEXT_LENGTH } from '../../values/length';

export interface StreamAccess {
  /** Checked address of the stream, without a token. */
  url: string;
  token: string;
  /** Milliseconds that the service's clock is ahead of ours, at least, where its reply told the time. */
  aheadMs?: number;
  /**
   * Of a sandbox alone: resolves when all that a message has started is done, with how many runs it started. Until then the
   * sandbox's clock waits.
   */
  runsDone?: () => Promise<number>;
}

export type ConnectionEnding = 'closed' | 'invalidToken' | 'stopped';

export interface StreamConnection {
  /** Resolves once, when the socket is of no more use. */
  readonly ended: Promise<ConnectionEnding>;
  /** Sends a command. */
  send(text: string): void;
  /** Ends it; frames that come later are not handed over. */
  stop(): void;
}

/** The stream itself failed, though the service answered: worth another attempt, even at the start. */
export class StreamError extends NetworkError {
  constructor(message: string, hint = 'Try again in a moment.') {
    super(message, { maySent: false, hint });
  }
}

/** The socket is made by Node.js, which does not know n8n's settings; why it did not open, it does not tell. */
const BEHIND_A_PROXY =
  'Try again in a moment. Where n8n uses a proxy, set NODE_USE_ENV_PROXY=1 for n8n, or the stream goes round the proxy (docs/networks.md).';

const OPEN_WITHIN_MS = 15_000;
const INVALID_TOKEN = /invalid token/i;

/**
 * Opens the socket and sends the first commands.
 * @param onText hears texts: refusals, and what only a sandbox sends.
 * @throws StreamError if it does not open within its time; the signal's reason when it is aborted.
 */
export async function connectStream(
  deps: { clock: Clock; makeSocket: SocketMaker },
  access: StreamAccess,
  commands: readonly string[],
  onFrame: (bytes: Uint8Array) => void,
  signal: AbortSignal,
  onText?: (text: string) => void,
): Promise<StreamConnection> {
  signal.throwIfAborted();
  const address = new URL(access.url);
  address.searchParams.set('token', access.token);
  const socket = deps.makeSocket(address.toString());
  socket.binaryType = 'arraybuffer';
  const { promise: ended, resolve: end } = Promise.withResolvers<ConnectionEnding>();
  const { promise: opened, resolve: open } = Promise.withResolvers<boolean>();
  let isOver = false;
  const finish = (ending: ConnectionEnding): void => {
    isOver = true;
    release(socket);
    end(ending);
    open(false);
  };
  /** Tells a sandbox that what a message has started is done. */
  const acknowledge = async (confirmed: () => Promise<number>): Promise<void> => {
    const runs = await confirmed();
    if (!isOver) socket.send(`acknowledge ${runs}`);
  };
  socket.onopen = () => open(true);
  socket.onclose = () => finish('closed');
  socket.onerror = () => finish('closed');
  socket.onmessage = ({ data }) => {
    if (data instanceof ArrayBuffer) onFrame(new Uint8Array(data));
    else if (data instanceof Uint8Array) onFrame(data);
    else {
      const text = String(data).slice(0, MAX_STREAM_TEXT_LENGTH);
      if (INVALID_TOKEN.test(text)) return finish('invalidToken');
      onText?.(text);
    }
    if (access.runsDone !== undefined) void acknowledge(access.runsDone);
  };
  const stop = (): void => finish('stopped');
  signal.addEventListener('abort', stop);
  void ended.then(() => signal.removeEventListener('abort', stop));

  const isOpen = await withTimeout(deps.clock, OPEN_WITHIN_MS, signal, async () => await opened);
  signal.throwIfAborted();
  if (!isOpen) {
    stop();
    throw new StreamError('The stream could not be opened', BEHIND_A_PROXY);
  }
  const acknowledges = access.runsDone === undefined ? [] : [`subscribe ${access.token} sandbox_clock acknowledge`];
  for (const command of [...acknowledges, ...commands]) socket.send(command);
  return { ended, send: (text) => socket.send(text), stop };
}

function release(socket: StreamSocket): void {
  socket.onopen = null;
  socket.onmessage = null;
  socket.onclose = null;
  // A socket whose error nobody hears may report it elsewhere.
  socket.onerror = () => undefined;
  socket.close();
}
