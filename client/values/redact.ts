/** The one place that takes secrets out of text before it can reach an error, a log line or an execution record. */

const MASK = '[redacted]';

/** Shapes that are always a secret, wherever they stand. */
const SECRET_SHAPES: [RegExp, string][] = [
  // A JWT, whole or cut off.
  [/\beyJ[\w-]{5,}(?:\.[\w-]*){0,2}/g, MASK],
  [/\b(Bearer|Basic)\s+[^\s"',;]+/gi, `$1 ${MASK}`],
  // subscribe <token> …, batch_subscribe <token> …
  [/\b((?:batch_|un)?subscribe)\s+[^\s"',;]{8,}/gi, `$1 ${MASK}`],
  // name=value, "name":"value", name: value, {\"name\":\"value\"}; whatever stands before the name.
  [
    /((?:session_?token|auth_?token|temp_?token|x-temp-token|access_?token|token|m?pin|otp|totp|totp_?secret|secret(?:_?key)?|password|authorization)\b\\*["']?\s*[=:]\s*)(?:\\*"[^"]*"|\\*'[^']*'|[^\s"',;&}]+)/gi,
    `$1${MASK}`,
  ],
  // A TOTP secret, longer than any symbol.
  [/[A-Z2-7]{26,}=*/g, MASK],
  // A PAN: five letters, four digits, one letter.
  [/\b[A-Z]{5}\d{4}[A-Z]\b/gi, MASK],
];

/**
 * Text with its secrets masked: what has the shape of a secret, and each of the given ones in every spelling in which
 * it may travel (as it is, in a URL, in JSON). A short secret (an MPIN) is masked only where it stands alone.
 */
export function redact(text: string, secrets: readonly (string | undefined)[] = []): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret === undefined || secret === '') continue;
    for (const spelling of new Set([
      secret,
      encodeURIComponent(secret.toWellFormed()),
      JSON.stringify(secret).slice(1, -1),
    ])) {
      if (spelling.length >= 8) clean = clean.replaceAll(spelling, MASK);
      else clean = clean.replace(new RegExp(`(?<![\\w.])${escapeForPattern(spelling)}(?!\\w)`, 'g'), MASK);
    }
  }
  for (const [shape, mask] of SECRET_SHAPES) clean = clean.replace(shape, mask);
  return clean;
}

function escapeForPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
