/**
 * The one translator of refusals: what the service, the exchange and the risk check say, in the words of the panel. Rupees in place of paise, the
 * label of the field, what is allowed, and what to do next. Callers keep the service's own words beside it.
 */
import { REMEDY_CORRECT_FIELD } from './refusal-remedies';
import { REFUSALS } from './refusal-rules';
import { REFUSED_FIELDS, paiseDigitsInRupees, capitalise, REFUSED_VALUES } from './refusal-words';

/** A refusal in the user's words; the message is a sentence without its full stop. */
export interface TranslatedRefusal {
  message: string;
  hint: string;
}

/**
 * Translates a refusal to the words of the panel.
 * @param text the service's code or words. @param status of the reply; undefined for a rejection in a record or a message
 * @returns undefined for unknown words.
 */
export function translateRefusal(text: string, status?: number): TranslatedRefusal | undefined {
  const knownRule = REFUSALS.find(
    (rule) => (rule.status === undefined || rule.status === status) && rule.text.test(text),
  );
  const isOfOrder = status === undefined || status === 400 || status === 422;
  if (knownRule === undefined) return isOfOrder ? ofField(text) : undefined;
  const match = knownRule.figures?.in.exec(text);
  return {
    message: match ? knownRule.figures!.say(...match.slice(1)) : knownRule.message,
    hint: knownRule.hint,
  };
}

/** A rule about a field that the service names: its own sentence, with the panel's label and rupees in place of its words. */
function ofField(text: string): TranslatedRefusal | undefined {
  let translated = text;
  let named: string | undefined;
  for (const { name, label, isPrice, isFirst } of REFUSED_FIELDS) {
    if (isFirst ? !translated.startsWith(`${name} `) : !translated.includes(name)) continue;
    const parts = translated.split(name);
    // A name within a longer word is another word.
    if (parts.slice(1).every((part) => /^\w/.test(part))) continue;
    named ??= label;
    translated = parts
      .map((part, at) =>
        at > 0 && isPrice
          ? part.replace(/^(\s\(?)(-?\d{1,12})\b/, (_, gap: string, paise: string) => gap + paiseDigitsInRupees(paise))
          : part,
      )
      .join(label);
  }
  if (named === undefined) return undefined;
  const words = translated.replace(/\b[A-Z][A-Z_]{2,40}\b/g, (word) => REFUSED_VALUES[word] ?? word);
  return {
    message: capitalise(words),
    hint: `${REMEDY_CORRECT_FIELD} The field is ${named}.`,
  };
}
