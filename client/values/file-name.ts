/** A file name that somebody else suggests, made into one that is safe on every system. */

import { withoutFullStop } from './trim-end';

/** Invisible: control characters, line and paragraph separators, marks that turn the direction of writing, half surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Path separators: both slashes, and the characters that look like them and that some systems convert to them. */
const FOLDERS = /^[\s\S]*[\\/\u2044\u2215\u2216\u29f5\u29f8\u29f9\ufe68\uff0f\uff3c]/u;
/** Characters that Windows forbids in a name. The colon also separates a drive and a hidden stream from a name. */
const FORBIDDEN = /[<>:"|?*]/g;
/** Names of devices on Windows, whatever follows a dot. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])\s*(?:\.|$)/i;
/** Systems take 255 bytes; n8n and others put something before or behind. */
const MAX_NAME_BYTES = 200;
const MAX_EXTENSION_BYTES = 20;

/**
 * The text as a name without folders, control characters and line separators, that is no reserved word of a system, does not begin or end
 * with a dot, and has at most 200 bytes in UTF-8 with its extension kept.
 * @returns undefined if nothing is left of it.
 */
export function safeFileName(text: string): string | undefined {
  const bare = text.replace(INVISIBLE, '').replace(FOLDERS, '').replace(FORBIDDEN, '');
  const name = shortened(withoutEdges(bare));
  if (name === '') return undefined;
  return DEVICE.test(name) ? `_${name}` : name;
}

/** Blanks and dots at either end: `..`, a hidden file, and what Windows leaves out without a word. */
function withoutEdges(name: string): string {
  return withoutFullStop(name.replace(/^[\s.]+/u, ''));
}

function shortened(name: string): string {
  if (bytesIn(name) <= MAX_NAME_BYTES) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && bytesIn(name.slice(dot)) <= MAX_EXTENSION_BYTES ? name.slice(dot) : '';
  let base = '';
  let bytes = bytesIn(extension);
  for (const character of name) {
    bytes += bytesIn(character);
    if (bytes > MAX_NAME_BYTES) break;
    base += character;
  }
  return `${withoutEdges(base)}${extension}`;
}

function bytesIn(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
