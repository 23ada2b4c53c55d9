/** Reads the Idempotency Key: the id of what caused an order, which several orders must never share by accident. */
import { InputError } from '../../../client/base/errors';
import { isNothing, showValue, unfilledHint } from '../../../client/values/input';
import { withoutInvisible } from '../../../client/values/trim-end';
import { isAbsent } from '../../shared/parameters';
import type { ItemContext } from '../common/itemContext';

/** Text that an expression, a program or a cell of a sheet produces for what is missing, alone or within text. */
const MISSING =
  /(?:^|[^A-Za-z0-9])(?:undefined|null|NaN|nan|None|NaT)(?:[^A-Za-z0-9]|$)|#(?:N\/A|(?:REF|VALUE|NUM|NULL|DIV\/0)!|NAME\?)/;
/** Text that is no id: a word for nothing or a switch, and signs without a letter or a digit. */
const NO_ID = /^(?:n\/?a|nil|none|null|true|false|[^\p{L}\p{N}]+)$/iu;

/**
 * A key as it counts: what looks equal is equal. Composed characters (Unicode NFC), no invisible ones, one blank for any run of
 * blanks, none at the ends.
 */
export function normalizeKey(key: string): string {
  return withoutInvisible(key).normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** Longest expression whose parts are looked at. */
const MAX_EXPRESSION_LENGTH = 5_000;

/** The parts in double braces of an expression: alert-{{ $json.id }}-{{ $json.at }} has two. */
export function partsOfExpression(written: string): string[] {
  const parts: string[] = [];
  for (let from = written.indexOf('{{'); from >= 0; from = written.indexOf('{{', from)) {
    const to = written.indexOf('}}', from + 2);
    if (to < 0) break;
    parts.push(written.slice(from, to + 2));
    from = to + 2;
  }
  return parts;
}

/** The key of the panel, an expression with its sign in front; '' where none is. */
function writtenKey({ run }: ItemContext): string {
  const { options } = run.node.parameters;
  const written =
    typeof options === 'object' && options !== null && 'idempotencyKey' in options ? options.idempotencyKey : '';
  return typeof written === 'string' && written.length <= MAX_EXPRESSION_LENGTH ? written : '';
}

/** Origin of a key: `position` is the number of the item or of the run alone, which starts at 0 in each execution. */
export type KeySource = 'data' | 'position' | 'fixed';

/** Returns the origin of the item's key, by its expression. */
export function keySourceOf(item: ItemContext): KeySource {
  const written = writtenKey(item);
  if (!written.startsWith('=')) return 'fixed';
  const read = partsOfExpression(written).join(' ');
  const withoutPosition = read.replace(/\$(?:itemIndex|runIndex)(?!\w)/g, '');
  if (/\$|Date|random/.test(withoutPosition)) return 'data';
  return withoutPosition === read ? 'fixed' : 'position';
}

/**
 * Refuses a key of several parts if one is missing for this item: alert-{{ $json.alertId }} without an alertId is "alert-", the same for
 * every alert.
 * @throws InputError that names the part
 */
function requireParts(item: ItemContext): void {
  const written = writtenKey(item);
  if (!written.startsWith('=')) return;
  const parts = partsOfExpression(written);
  // The only part, with nothing around it, is the key itself, which is read as a whole.
  if (parts.length === 1 && written.slice(1).trim() === parts[0]) return;
  for (const part of parts) {
    const value: unknown = item.run.functions.evaluateExpression(part, item.index);
    if (!isAbsent(value)) continue;
    throw new InputError(
      `The part ${showValue(part)} of the Idempotency Key is empty for this item. Nothing was sent.`,
      {
        parameter: 'idempotencyKey',
        hint: 'Without it, other alerts would have the same key. Check the name of the field, or use one that every alert has.',
      },
    );
  }
}

/**
 * The key of the item's order; undefined where the person wants none.
 * @throws InputError for one that is empty or is no text: every order with such a key would be taken for the same one, and
 *   without it an alert that comes twice would be two orders.
 */
export function keyOf(item: ItemContext): string | undefined {
  const options = item.raw('options');
  if (typeof options !== 'object' || options === null || !('idempotencyKey' in options)) return undefined;
  const key: unknown = options.idempotencyKey;
  const isText = typeof key === 'string' && key.trim() !== '' && !key.includes('[object Object]');
  if (typeof key === 'string' && !isAbsent(key) && (MISSING.test(key) || NO_ID.test(normalizeKey(key)))) {
    throw new InputError(
      `Idempotency Key ${showValue(key)} is made of data that is missing: other alerts would have the same. Nothing was sent.`,
      {
        parameter: 'idempotencyKey',
        hint: 'Check its expression for this item: a field that it reads is not there. Use a field that is different for each alert.',
      },
    );
  }
  const unfilled = typeof key === 'string' && isText && !isNothing(key) ? unfilledHint(key) : undefined;
  if (unfilled !== undefined)
    throw new InputError(
      `Idempotency Key ${showValue(key)} holds a placeholder: other alerts would have the same. Nothing was sent.`,
      { parameter: 'idempotencyKey', hint: unfilled },
    );
  requireParts(item);
  if (isText || (typeof key === 'number' && Number.isFinite(key) && Math.abs(key) <= Number.MAX_SAFE_INTEGER))
    return normalizeKey(String(key));
  if (typeof key === 'number' && Number.isFinite(key)) {
    throw new InputError(
      `Idempotency Key ${showValue(key)} came as a number that is too long to be exact: another alert can have the same. Nothing was sent.`,
      {
        parameter: 'idempotencyKey',
        hint: 'Have the sender pass its id as text (in quotes), or use another field that is different for each alert.',
      },
    );
  }
  const what = isAbsent(key) ? 'is empty' : `must be text or a number, but is ${showValue(key)}`;
  throw new InputError(`Idempotency Key ${what}. Nothing was sent.`, {
    parameter: 'idempotencyKey',
    hint: 'Check the result of its expression for this item: it must be the id of what caused the order. An alert that has no id can send one: on TradingView {{ticker}} {{timenow}} in its message. To place without a key, remove the option.',
  });
}
