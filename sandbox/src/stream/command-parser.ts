/**
 * Texts of a stream's client, read by hand in one pass: they come before anybody has logged in, so no text may cost more than its length.
 */

/** A command of a client: `subscribe <token> <words>`, or the same of market data: `batch_subscribe <token> <words>`. */
export interface StreamCommand {
  /** Of market data, else of orders, portfolio and clock. */
  isBatch: boolean;
  verb: 'subscribe' | 'unsubscribe';
  token: string;
  /** Text behind the token, without the blanks around it; never empty. */
  rest: string;
}

const VERBS: Record<string, Pick<StreamCommand, 'isBatch' | 'verb'>> = {
  subscribe: { isBatch: false, verb: 'subscribe' },
  unsubscribe: { isBatch: false, verb: 'unsubscribe' },
  batch_subscribe: { isBatch: true, verb: 'subscribe' },
  batch_unsubscribe: { isBatch: true, verb: 'unsubscribe' },
};

/** Reads a command; undefined for what is none: it is not answered (docs/service/streams.md#silence-and-pings). */
export function parseCommand(text: string): StreamCommand | undefined {
  const [name, afterName] = splitWord(text);
  const kind = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (kind === undefined) return undefined;
  const [token, rest] = splitWord(afterName);
  return token === '' || rest === '' ? undefined : { ...kind, token, rest };
}

/** The first word of a text, and the rest behind the blanks after it; each '' where it is missing. */
export function splitWord(text: string): [word: string, rest: string] {
  const end = text.indexOf(' ');
  return end === -1 ? [text.trimEnd(), ''] : [text.slice(0, end), text.slice(end).trim()];
}

/** The words of a text; none of them is empty. */
export function wordsOf(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}

/**
 * Splits the JSON at the beginning of a text from the words after it: it ends at the first blank outside of its strings.
 * @returns the JSON unparsed; '' where a string in it does not end
 */
export function splitJson(text: string): [json: string, rest: string] {
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (isQuoted && char === '\\') at += 1;
    else if (char === '"') isQuoted = !isQuoted;
    else if (char === ' ' && !isQuoted) return [text.slice(0, at), text.slice(at).trim()];
  }
  return isQuoted ? ['', ''] : [text, ''];
}
