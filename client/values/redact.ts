/** The one place that takes secrets out of text before it can reach an error, a log line or an execution record. */

const MASK = '[redacted]';

/** Shapes that are always a secret, wherever they stand. */
const SECRET_SHAPES: [RegExp, string][] = [
  // A JWT, whole or cut off.
  [/\beyJ[\w-]{5,}(?:\.[\w-]*){0,2}/g, MASK],
  [/\b(Bearer|Basic)\s+[^\s"',;]+/gi, `$1 ${MASK}`],
  // subscribe <token> …, batch_subscribe <token> …
  [/\b((?:batch_|un)?subscribe)\s+[^\s"',;]{8,}/gi, `$1 ${MASK}`],
  // Matches name=value, "name":"value", name: value, {\"name\":\"value\"}, with any text before the name.
  [
    /((?:session_?token|auth_?token|temp_?token|x-temp-token|access_?token|token|m?pin|otp|totp|totp_?secret|secret(?:_?key)?|password|authorization)\b\\*["']?\s*[=:]\s*)(?:\\*"[^"]*"|\\*'[^']*'|[^\s"',;&}]+)/gi,
    `$1${MASK}`,
  ],
  // A TOTP secret, longer than any symbol.
  [/[A-Z2-7]{26,}=*/g, MASK],
  // A PAN: five letters, four digits, one letter.
  [/\b[A-Z]{5}\d{4}[A-Z]\b/gi, MASK],
];

/** From so many characters on, a secret is masked within other text too: no price or id holds it by chance. */
const LONG = 6;
/** Words that may stand for others: in base64, in hexadecimal, or with escapes of addresses and of JSON. */
const ENCODED_WORD = /(?:%[\da-f]{2}|(?<!\\)\\+u[\da-f]{4}|[\w+/=.-]){4,}/gi;
const ESCAPE = /%([\da-f]{2})|(?<!\\)\\+u([\da-f]{4})/gi;

/** Text of the service with its secrets masked: what has the shape of a secret, and each of the given ones as in `withoutSecrets`. */
export function redact(text: string, secrets: Iterable<string | undefined> = []): string {
  return masked(text, [...patternsOfAll(secrets), ...SECRET_SHAPES]);
}

/**
 * Returns text with the given secrets masked, in capitals or not, plain, in an address, in JSON, in base64 or in hexadecimal; for words of
 * our own, in which "TOTP: Enable" is no secret. A short secret (an MPIN of four digits) is masked only as a separate word.
 */
export function withoutSecrets(text: string, secrets: Iterable<string | undefined>): string {
  return masked(text, patternsOfAll(secrets));
}

function masked(text: string, patterns: readonly [RegExp, string][]): string {
  const mask = (raw: string): string => patterns.reduce((clean, [pattern, by]) => clean.replace(pattern, by), raw);
  return mask(text).replace(ENCODED_WORD, (word) => {
    for (const decoded of decodings(word)) if (decoded !== word && mask(decoded) !== decoded) return MASK;
    return word;
  });
}

function patternsOfAll(secrets: Iterable<string | undefined>): [RegExp, string][] {
  return [...new Set(secrets)].flatMap((secret) =>
    secret ? patternsOf(secret).map((pattern): [RegExp, string] => [pattern, MASK]) : [],
  );
}

/** Returns the patterns that find a secret in text. */
export function patternsOf(secret: string): RegExp[] {
  const bytes = Buffer.from(secret.toWellFormed());
  const spellings = new Set([
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('base64'),
    bytes.toString('base64url'),
  ]);
  const patterns = [...spellings].map((spelling) =>
    spelling.length >= LONG
      ? new RegExp(escapeForPattern(spelling), 'gi')
      : new RegExp(`(?<![\\w.])${escapeForPattern(spelling)}(?!\\w)`, 'gi'),
  );
  // Digits with blanks between them: 482 913.
  return /^\d+$/.test(secret) && secret.length >= LONG
    ? [...patterns, new RegExp([...secret].join('[ -]?'), 'g')]
    : patterns;
}

/** Yields the possible decodings of a word: its escapes read, and the bytes of its parts from every letter on that they may begin at. */
function* decodings(word: string): Generator<string> {
  const unescaped = word.replace(ESCAPE, (_, byte?: string, unit?: string) =>
    String.fromCharCode(Number.parseInt(byte ?? unit ?? '', 16)),
  );
  yield unescaped;
  for (const part of unescaped.match(/[\w+/-]{4,}/g) ?? [])
    for (let from = 0; from < 4; from++) yield Buffer.from(part.slice(from), 'base64').toString('latin1');
  for (const part of unescaped.match(/[\da-f]{8,}/gi) ?? [])
    for (let from = 0; from < 2; from++) yield Buffer.from(part.slice(from), 'hex').toString('latin1');
}

function escapeForPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
