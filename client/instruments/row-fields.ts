/** Shared structure of the rows of an instrument master, so that each row needs the least parsing. */
import { neutralKey } from '../values/neutral-names';
import { REPEATED_TEXT_FIELDS, NUMBER_FIELDS, OPTIONAL_NUMBERS, UNIQUE_TEXT_FIELDS } from './fields';

/** A record has some twenty keys; beyond this they are not remembered. */
const MAX_KEYS = 100;
const NO_TEXT = new Uint8Array(0);

/** Storage of a row's key; `skip` for keys that are not part of the record. */
export interface RowField {
  key: Uint8Array;
  kind: 'number' | 'code' | 'text' | 'skip';
  index: number;
  /** True for a number that no order needs: a word in its place counts as none. */
  isSpare: boolean;
  /** The key that came after this one the last time: rows have their keys in one order. */
  next: RowField | undefined;
}

/** The keys of the rows, in the order in which the last row had them. */
export class RowFields {
  private readonly fields: RowField[] = [];
  private first: RowField | undefined;

  /** The key that came after another one the last time; the first one of a row after none. */
  after(previous: RowField | undefined): RowField | undefined {
    return previous === undefined ? this.first : previous.next;
  }

  /** The field of a key, which is remembered as the one that comes after another. @param key is copied. */
  named(key: Uint8Array, previous: RowField | undefined): RowField {
    const field = this.find(key);
    if (previous === undefined) this.first = field;
    else previous.next = field;
    return field;
  }

  private find(key: Uint8Array): RowField {
    const knownField = this.fields.find((field) => Buffer.compare(field.key, key) === 0);
    if (knownField !== undefined) return knownField;
    const field = fieldOf(Uint8Array.from(key));
    if (this.fields.length < MAX_KEYS) this.fields.push(field);
    return field;
  }
}

function fieldOf(key: Uint8Array): RowField {
  const name = neutralKey(Buffer.from(key).toString('utf8'));
  const lists = { number: NUMBER_FIELDS, code: REPEATED_TEXT_FIELDS, text: UNIQUE_TEXT_FIELDS } as const;
  for (const kind of ['number', 'code', 'text'] as const) {
    const index = (lists[kind] as readonly string[]).indexOf(name);
    if (index >= 0) return { key, kind, index, isSpare: OPTIONAL_NUMBERS.has(name), next: undefined };
  }
  return { key, kind: 'skip', index: 0, isSpare: false, next: undefined };
}

/** The last two texts of a column, with the numbers that they have in its dictionary. */
export class RecentTexts {
  newest = NO_TEXT;
  newestCode = 0;
  older = NO_TEXT;
  olderCode = 0;

  /** @param text is copied. */
  remember(text: Uint8Array, code: number): void {
    this.older = this.newest;
    this.olderCode = this.newestCode;
    this.newest = Uint8Array.from(text);
    this.newestCode = code;
  }
}
