/** Headers of a reply about its time and about the file in its body. Names of headers are in small letters. */
import { safeFileName } from './file-name';

/** A header that suggests a name is never longer, characters; a longer one suggests none. */
const MAX_DISPOSITION_LENGTH = 2_000;

type Headers = Readonly<Record<string, string>>;

/** Returns the time of the service's answer, milliseconds since the epoch in whole seconds; undefined if `Date` is absent or no time. */
export function answeredAtIn(headers: Headers): number | undefined {
  const date = Date.parse(headers.date ?? '');
  return Number.isNaN(date) ? undefined : date;
}

/** The media type without its parameters, in small letters: text/csv; '' when the reply tells none. */
export function mediaTypeIn(headers: Headers): string {
  return (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
}

/** The file name that a reply suggests (RFC 6266), made safe (see `safeFileName`); undefined if it suggests none. */
export function fileNameIn(headers: Headers): string | undefined {
  const header = headers['content-disposition'] ?? '';
  if (header.length > MAX_DISPOSITION_LENGTH) return undefined;
  const extended = /filename\*\s*=\s*UTF-8''([^;]+)/i.exec(header)?.[1];
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header);
  const name =
    (extended === undefined ? undefined : decoded(extended)) ?? plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2];
  return name === undefined ? undefined : safeFileName(name);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
