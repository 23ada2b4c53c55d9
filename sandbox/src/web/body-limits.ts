import { ApiError } from './errors';

/** No text of a request is longer than this, characters. */
const MAX_TEXT_LENGTH = 10_000;
/** No body is nested deeper than this. */
const MAX_DEPTH = 50;
/** So much of a text that is too long is shown, characters. */
const MAX_SHOWN_LENGTH = 80;

/** Refuses a body with a text, or a name, that is longer than any of the service, or that is nested too deep. @throws ApiError 400 */
export function requireShortTexts(body: unknown): void {
  let level: [name: string, value: unknown][] = [['the body', body]];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new ApiError(400, `The body is nested more than ${MAX_DEPTH} levels deep`);
    const below: typeof level = [];
    for (const [name, value] of level) {
      if (typeof value === 'string') requireShort(name, value);
      else if (Array.isArray(value)) for (const member of value as unknown[]) below.push([name, member]);
      else if (typeof value === 'object' && value !== null)
        for (const entry of Object.entries(value)) {
          requireShort('A name in the body', entry[0]);
          below.push(entry);
        }
    }
    level = below;
  }
}

function requireShort(name: string, text: string): void {
  if (text.length <= MAX_TEXT_LENGTH) return;
  const start = JSON.stringify(`${text.slice(0, MAX_SHOWN_LENGTH)}…`);
  throw new ApiError(400, `${name} has ${text.length} characters, and at most ${MAX_TEXT_LENGTH} are read: ${start}`);
}
