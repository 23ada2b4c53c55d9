/**
 * A binary frame of a stream: an Any in an Any (specification: Events, Connecting, rule 5). GenericData with its Any are the
 * same two levels; one level less and one more have been seen.
 */
import {
  decodeAny,
  decodePortfolioResponse,
  decodeSvcToClientIntentUpdate,
  type Any,
  type PortfolioResponse,
  type SvcToClientIntentUpdate,
} from '../../../proto/generated/messages';

export type Frame =
  | { kind: 'order'; update: SvcToClientIntentUpdate }
  | { kind: 'portfolio'; portfolio: PortfolioResponse }
  /** A message that this client does not know; it passes by. */
  | { kind: 'unknown' };

const ORDER_SUFFIX = 'ToClientIntentUpdate';
const PORTFOLIO_SUFFIX = 'PortfolioResponse';

/**
 * Reads a frame. The brand word in the type's name is not looked at, only its end.
 * @throws DecodeError when the bytes are not what they claim to be.
 */
export function readFrame(bytes: Uint8Array): Frame {
  const { typeUrl, value } = openEnvelope(bytes, isKnown);
  if (typeUrl.endsWith(ORDER_SUFFIX)) return { kind: 'order', update: decodeSvcToClientIntentUpdate(value) };
  if (typeUrl.endsWith(PORTFOLIO_SUFFIX)) return { kind: 'portfolio', portfolio: decodePortfolioResponse(value) };
  return { kind: 'unknown' };
}

/**
 * The Any that names a known message, else the innermost one. The second level is opened whatever the first is called, as
 * that may be the key of GenericData; the third where the names say so.
 * @param known whether a type's name is of a message that the caller reads.
 * @throws DecodeError when the bytes are not what they claim to be.
 */
export function openEnvelope(bytes: Uint8Array, known: (typeUrl: string) => boolean): Any {
  const first = decodeAny(bytes);
  if (known(first.typeUrl)) return first;
  const second = decodeAny(first.value);
  const more = first.typeUrl.endsWith('GenericData') || second.typeUrl.endsWith('protobuf.Any');
  return more && !known(second.typeUrl) ? decodeAny(second.value) : second;
}

function isKnown(typeUrl: string): boolean {
  return typeUrl.endsWith(ORDER_SUFFIX) || typeUrl.endsWith(PORTFOLIO_SUFFIX);
}
