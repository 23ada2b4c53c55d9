import { ApiError } from './errors';

/** No text of a request is longer than this, characters. */
const MAX_TEXT_LENGTH = 10_000;
/** No body is nested deeper than this. */
const MAX_DEPTH = 50;
/** Length of a text that is shown where it is too long, characters. */
const MAX_SHOWN_LENGTH = 80;

/** A value of a body under the name of its field. */
interface Named {
  name: string;
  value: unknown;
}

/** Refuses a body with a text, or a name, that is longer than any of the service, or that is nested too deep. @throws ApiError 400 */
export function requireShortTexts(body: unknown): void {
  let level: Named[] = [{ name: 'A text of the body', value: body }];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new ApiError(400, `The body is nested more than ${MAX_DEPTH} levels deep`);
    const below: Named[] = [];
    for (const { name, value } of level) {
      if (typeof value === 'string') requireShort(value, name);
      else if (Array.isArray(value)) for (const member of value as unknown[]) below.push({ name, value: member });
      else if (typeof value === 'object' && value !== null)
        for (const [field, member] of Object.entries(value)) {
          requireShort(field, 'A name in the body');
          below.push({ name: field, value: member });
        }
    }
    level = below;
  }
}

function requireShort(text: string, name: string): void {
  if (text.length <= MAX_TEXT_LENGTH) return;
  const start = JSON.stringify(`${text.slice(0, MAX_SHOWN_LENGTH)}…`);
  throw new ApiError(400, `${name} has ${text.length} characters, and at most ${MAX_TEXT_LENGTH} are read: ${start}`);
}
