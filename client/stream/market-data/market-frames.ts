/** A binary frame of the market-data stream (docs/service/streams.md#market-data-messages). */
import {
  decodeBatchWebSocketGreeksMessage,
  decodeBatchWebSocketIndexBucketMessage,
  decodeBatchWebSocketIndexMessage,
  decodeBatchWebSocketOrderbookMessage,
  decodeWebSocketMsgOptionChainUpdate,
  refillBatchWebSocketIndexMessage,
  type BatchWebSocketGreeksMessage,
  type BatchWebSocketIndexBucketMessage,
  type BatchWebSocketIndexMessage,
  type BatchWebSocketOrderbookMessage,
  type WebSocketMsgOptionChainUpdate,
} from '../../../proto/generated/messages';
import { DecodeError } from '../../../proto/reader';
import { openEnvelope } from '../connection/envelope';

export type MarketFrame =
  | { kind: 'ticks'; batch: BatchWebSocketIndexMessage }
  | { kind: 'candles'; batch: BatchWebSocketIndexBucketMessage }
  | { kind: 'depth'; batch: BatchWebSocketOrderbookMessage }
  | { kind: 'greeks'; batch: BatchWebSocketGreeksMessage }
  | { kind: 'chain'; chain: WebSocketMsgOptionChainUpdate }
  /** A message that this client does not know; it passes by. */
  | { kind: 'unknown' };

type TickBatch = BatchWebSocketIndexMessage;

const READERS: readonly [suffix: string, read: (value: Uint8Array, used: TickBatch | undefined) => MarketFrame][] = [
  ['BatchWebSocketIndexMessage', (value, used) => ({ kind: 'ticks', batch: readTicks(value, used) })],
  [
    'BatchWebSocketIndexBucketMessage',
    (value) => ({ kind: 'candles', batch: decodeBatchWebSocketIndexBucketMessage(value) }),
  ],
  [
    'BatchWebSocketOrderbookMessage',
    (value) => ({ kind: 'depth', batch: decodeBatchWebSocketOrderbookMessage(value) }),
  ],
  ['BatchWebSocketGreeksMessage', (value) => ({ kind: 'greeks', batch: decodeBatchWebSocketGreeksMessage(value) })],
  ['WebSocketMsgOptionChainUpdate', (value) => ({ kind: 'chain', chain: decodeWebSocketMsgOptionChainUpdate(value) })],
];

/** Pattern of the full name of a type. */
const TYPE_NAME = /^[\w./-]*\.[A-Z]\w+$/;

function readTicks(value: Uint8Array, used: TickBatch | undefined): TickBatch {
  if (used === undefined) return decodeBatchWebSocketIndexMessage(value);
  refillBatchWebSocketIndexMessage(value, used);
  return used;
}

/**
 * Reads a frame. Checks only the end of the type's name: its first two words, the vendor's, may differ.
 * @param used prices that nobody needs any more: the result is this object, filled again.
 * @throws DecodeError if the bytes are not a valid message.
 */
export function readMarketFrame(bytes: Uint8Array, used?: TickBatch): MarketFrame {
  const { typeUrl, value } = openEnvelope(bytes, isKnown);
  const reader = READERS.find(([suffix]) => typeUrl.endsWith(suffix));
  if (reader !== undefined) return reader[1](value, used);
  // What names no type is no message that is unknown, but one that was broken on its way.
  if (!TYPE_NAME.test(typeUrl)) throw new DecodeError('wrong wire type', 0);
  return { kind: 'unknown' };
}

function isKnown(typeUrl: string): boolean {
  return READERS.some(([suffix]) => typeUrl.endsWith(suffix));
}
