/** A binary frame of the market-data stream (intent orders, section 7). */
import {
  decodeBatchWebSocketGreeksMessage,
  decodeBatchWebSocketIndexBucketMessage,
  decodeBatchWebSocketIndexMessage,
  decodeBatchWebSocketOrderbookMessage,
  decodeWebSocketMsgOptionChainUpdate,
  type BatchWebSocketGreeksMessage,
  type BatchWebSocketIndexBucketMessage,
  type BatchWebSocketIndexMessage,
  type BatchWebSocketOrderbookMessage,
  type WebSocketMsgOptionChainUpdate,
} from '../../../proto/generated/messages';
import { openEnvelope } from '../connection/frames';

export type MarketFrame =
  | { kind: 'ticks'; batch: BatchWebSocketIndexMessage }
  | { kind: 'candles'; batch: BatchWebSocketIndexBucketMessage }
  | { kind: 'depth'; batch: BatchWebSocketOrderbookMessage }
  | { kind: 'greeks'; batch: BatchWebSocketGreeksMessage }
  | { kind: 'chain'; chain: WebSocketMsgOptionChainUpdate }
  /** A message that this client does not know; it passes by. */
  | { kind: 'unknown' };

const READERS: readonly [suffix: string, read: (value: Uint8Array) => MarketFrame][] = [
  ['BatchWebSocketIndexMessage', (value) => ({ kind: 'ticks', batch: decodeBatchWebSocketIndexMessage(value) })],
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

/**
 * Reads a frame. Of the type's name only the end is looked at: the two words of the maker before it are open.
 * @throws DecodeError when the bytes are not what they claim to be.
 */
export function readMarketFrame(bytes: Uint8Array): MarketFrame {
  const { typeUrl, value } = openEnvelope(bytes, isKnown);
  const reader = READERS.find(([suffix]) => typeUrl.endsWith(suffix));
  return reader === undefined ? { kind: 'unknown' } : reader[1](value);
}

function isKnown(typeUrl: string): boolean {
  return READERS.some(([suffix]) => typeUrl.endsWith(suffix));
}
