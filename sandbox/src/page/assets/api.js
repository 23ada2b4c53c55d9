/** The sandbox's control plane, as the page asks it. */
import { translateRefusal } from './refusals.js';

/** Returns the meaning of a refusal, in rupees and without codes; the exchange's own words where nothing is known of them. */
export const inWords = (refusal) => translateRefusal(refusal)?.message ?? refusal;

/** Asks; returns the reply's JSON or throws an error with the sandbox's own sentence, and the `status` of its reply. */
export async function ask(path, { method = 'GET', body } = {}) {
  const response = await fetch(`/_sandbox/${path}`, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => {
    throw new Error('The sandbox does not answer. Is it still running?');
  });
  const text = await response.text();
  const reply = text === '' ? {} : JSON.parse(text);
  if (!response.ok) {
    const refusal = reply.error ?? reply.message ?? `The sandbox answered ${response.status}.`;
    throw Object.assign(new Error(path.startsWith('page/') ? inWords(refusal) : refusal), { status: response.status });
  }
  return reply;
}

export const post = (path, body) => ask(path, { method: 'POST', body });
