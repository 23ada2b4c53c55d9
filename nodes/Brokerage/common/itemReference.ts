/**
 * Expressions that do nothing but name a field of the item, as the editor writes when a field is dragged into a parameter. n8n makes the
 * data of the whole workflow for each evaluation of an expression, which costs more than the rest of an order.
 */
import type { IDataObject } from 'n8n-workflow';

const REFERENCE = /^=\{\{\s*\$json((?:\.[A-Za-z]\w*)+)\s*\}\}$/;

/**
 * Returns the value of an expression such as `{{ $json.side }}` or `{{ $json.order.side }}`.
 * @param written the parameter as the workflow holds it.
 * @param json the item's data.
 * @returns undefined for any other expression, and for a value that is no text, number, true or false: n8n evaluates these.
 */
export function referencedValue(
  written: unknown,
  json: IDataObject | undefined,
): string | number | boolean | undefined {
  const path = typeof written === 'string' ? REFERENCE.exec(written)?.[1] : undefined;
  if (path === undefined) return undefined;
  let value: unknown = json;
  for (const name of path.slice(1).split('.')) {
    // n8n refuses a few names that every object has.
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name) || name in Object.prototype)
      return undefined;
    value = (value as IDataObject)[name];
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}
