/** Frames of an account: what has become of its orders, and its portfolio. */
import {
  decodePortfolioResponse,
  decodeSvcToClientIntentUpdate,
  type PortfolioResponse,
  type SvcToClientIntentUpdate,
} from '../../../proto/generated/messages';
import { openEnvelope } from '../connection/envelope';

export type AccountFrame =
  | { kind: 'order'; update: SvcToClientIntentUpdate }
  | { kind: 'portfolio'; portfolio: PortfolioResponse }
  /** A message that this client does not know; it passes by. */
  | { kind: 'unknown' };

const ORDER_SUFFIX = 'ToClientIntentUpdate';
const PORTFOLIO_SUFFIX = 'PortfolioResponse';

/**
 * Reads a frame. The brand word in the type's name is not looked at, only its end.
 * @throws DecodeError if the bytes are not what they claim to be.
 */
export function readFrame(bytes: Uint8Array): AccountFrame {
  const { typeUrl, value } = openEnvelope(bytes, isKnown);
  if (typeUrl.endsWith(ORDER_SUFFIX)) return { kind: 'order', update: decodeSvcToClientIntentUpdate(value) };
  if (typeUrl.endsWith(PORTFOLIO_SUFFIX)) return { kind: 'portfolio', portfolio: decodePortfolioResponse(value) };
  return { kind: 'unknown' };
}

function isKnown(typeUrl: string): boolean {
  return typeUrl.endsWith(ORDER_SUFFIX) || typeUrl.endsWith(PORTFOLIO_SUFFIX);
}
