/**
 * Collections exactly as written in the workflow. If a collection is no object (one expression for all of it, a list, a text), n8n makes an
 * empty one before a node runs, so that limits, a dry run or a filter would be lost silently. A hidden field of the same name, listed after
 * the collection, holds the written value: n8n copies such a field unchanged.
 */
import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../client/base/errors';

/** Types whose values n8n replaces by an empty one if they are not in their form. */
const EMPTIED: ReadonlySet<string> = new Set(['collection', 'fixedCollection']);

/** Returns true if n8n empties a field that is written in another form. */
export const isEmptied = ({ type }: INodeProperties): boolean => EMPTIED.has(type);

/** The hidden field of a collection. */
export function hiddenCollectionField({ displayName, name, displayOptions }: INodeProperties): INodeProperties {
  return { displayName, name, type: 'hidden', default: {}, displayOptions };
}

/** A collection with the hidden field after it. */
export const withHiddenField = (collection: INodeProperties): INodeProperties[] => [
  collection,
  hiddenCollectionField(collection),
];

/** The names of the fields of each collection among some properties. */
export function collectionFields(properties: readonly INodeProperties[]): Map<string, Set<string>> {
  const fields = new Map<string, Set<string>>();
  for (const { name, type, options = [] } of properties) {
    if (type !== 'collection') continue;
    const memberNames = fields.get(name) ?? new Set<string>();
    for (const option of options) memberNames.add(option.name);
    fields.set(name, memberNames);
  }
  return fields;
}

/** The list of entries within a field that takes several: the name of the list, and the fields of an entry. */
export function entriesIn(property: INodeProperties): { list: string; fields: readonly INodeProperties[] } | undefined {
  const [group] = property.type === 'fixedCollection' ? (property.options ?? []) : [];
  return group !== undefined && 'values' in group ? { list: group.name, fields: group.values } : undefined;
}

/**
 * @throws InputError where a field of entries holds anything but its list of objects: its filters would not count, and its legs would be none.
 *   One that is missing, null or without a list has no entries.
 */
export function requireEntries(written: unknown, property: INodeProperties): void {
  const entries = entriesIn(property);
  if (entries === undefined || written === undefined || written === null) return;
  const { name, displayName: label } = property;
  const lists: unknown[] = typeof written === 'object' && !Array.isArray(written) ? Object.values(written) : [null];
  const isEntry = (entry: unknown): boolean => typeof entry === 'object' && entry !== null && !Array.isArray(entry);
  if (!lists.every((list) => Array.isArray(list) && list.every(isEntry)))
    throw new InputError(`${label} must be set entry by entry, not by one expression, text or list.`, {
      parameter: name,
      hint: 'Add the entries in the panel; each field of an entry may be an expression. Nothing was sent.',
    });
  requireFields(written, new Set([entries.list]), name, label);
}

/**
 * @param written the collection as the workflow holds it.
 * @param fieldNames the names that its fields may have.
 * @throws InputError where it is no object, or has a field of another name: what that was meant to restrict would be open.
 *   A collection that is missing or null restricts nothing.
 */
export function requireFields(written: unknown, fieldNames: ReadonlySet<string>, name: string, label: string): void {
  if (written === undefined || written === null) return;
  if (typeof written !== 'object' || Array.isArray(written)) {
    throw new InputError(`${label} must be set field by field, not by one expression, text or list.`, {
      parameter: name,
      hint: 'Set the fields in the panel, or correct the JSON of the workflow. Nothing was sent.',
    });
  }
  const unknown = Object.keys(written).find((field) => !fieldNames.has(field));
  if (unknown === undefined) return;
  throw new InputError(`${label} has no field "${unknown.slice(0, 50)}".`, {
    parameter: name,
    hint: 'Correct its name in the JSON of the workflow, or remove it. Nothing was sent.',
  });
}
