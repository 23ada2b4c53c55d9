/**
 * The envelope of a frame of a stream: an Any in an Any (docs/service/streams.md#connecting). GenericData with its Any are the
 * same two levels; one level less and one more have been seen.
 */
import { decodeAny, type Any } from '../../../proto/generated/messages';

/**
 * The Any that names a known message, else the innermost one. The second level is opened whatever the first is called, as that may be the
 * key of GenericData; the third where the names say so.
 * @param known whether a type's name is of a message that the caller reads.
 * @throws DecodeError if the bytes are not what they claim to be.
 */
export function openEnvelope(bytes: Uint8Array, known: (typeUrl: string) => boolean): Any {
  const first = decodeAny(bytes);
  if (known(first.typeUrl)) return first;
  const second = decodeAny(first.value);
  const more = first.typeUrl.endsWith('GenericData') || second.typeUrl.endsWith('protobuf.Any');
  return more && !known(second.typeUrl) ? decodeAny(second.value) : second;
}
