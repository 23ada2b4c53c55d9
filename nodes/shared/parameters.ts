import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { filledText, readIdentifier, oneOf, showValue, unfilledHint, wholeNumber } from '../../client/values/input';
import { priceToPaise, type MoneyUnit } from '../../client/values/money';
import { parseDate, parseDayOrInstant } from '../../client/values/time';
import { InputError } from '../../client/base/errors';
import { clock } from '../host/clock';
import { entriesIn } from './collectionFields';
import { labelOf } from './errors';

/** Returns true for an absent value, in the ways in which the user or an expression leaves a field out. */
export function isAbsent(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** Returns what a text of JSON holds, an object or a list; any other value unchanged. */
function withoutJsonText(value: unknown): unknown {
  const text = typeof value === 'string' ? value.trim() : '';
  if (!/^[[{]/.test(text)) return value;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return value;
  }
}

const isPrice = (field: string): boolean => /price|stopLoss|target/i.test(field);

/**
 * Reads parameters as what they should be; whatever an expression made of them is refused with a sentence that names
 * the field as the person sees it.
 */
export class ParameterReader {
  constructor(
    private readonly source: (name: string) => unknown,
    private readonly properties: INodeProperties[],
    /** The time zone of the workflow. */
    private readonly zone: () => string = () => 'Asia/Kolkata',
    /** The market's time, milliseconds since the epoch. */
    readonly marketNow: () => number = () => clock.now(),
  ) {}

  /** Returns the panel's name of a field; its internal name if it has none. */
  label(name: string): string {
    return labelOf(this.properties, name) ?? name;
  }

  /** Returns the unchanged value; undefined if the field is missing. */
  raw(name: string): unknown {
    return this.source(name);
  }

  /** Returns true if the field holds anything: not null, and not blank. */
  has(name: string): boolean {
    return !isAbsent(this.source(name));
  }

  /** Text without blanks around it. @throws InputError if blank, unfilled or with line breaks. */
  text(name: string, options: { longest?: number } = {}): string {
    return filledText(this.source(name), name, { label: this.label(name), ...options });
  }

  /** As `text`; undefined if the field holds nothing. */
  optionalText(name: string, options: { longest?: number } = {}): string | undefined {
    return this.has(name) ? this.text(name, options) : undefined;
  }

  /** A whole number. @throws InputError if it is none, or out of range. */
  whole(name: string, range: { min?: number; max?: number } = {}): number {
    return wholeNumber(this.source(name), name, { label: this.label(name), ...range });
  }

  /** As `whole`; undefined if the field holds nothing. */
  optionalWhole(name: string, range: { min?: number; max?: number } = {}): number | undefined {
    return this.has(name) ? this.whole(name, range) : undefined;
  }

  /** The digits of an id. @throws InputError if it is none, or came as a number that is too long to be exact. */
  identifier(name: string): string {
    return readIdentifier(this.source(name), name, this.label(name));
  }

  /** One word of a closed list. @throws InputError for any other. */
  choice<T extends string>(name: string, allowed: readonly T[]): T {
    return oneOf(this.source(name), allowed, name, this.label(name));
  }

  /** As `choice`; undefined if the field holds nothing. */
  optionalChoice<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    return this.has(name) ? this.choice(name, allowed) : undefined;
  }

  /** Returns several of a closed list: a list, or text separated by commas. */
  choices<T extends string>(name: string, allowed: readonly T[]): T[] {
    const value = this.source(name);
    const list: unknown[] = Array.isArray(value)
      ? value
      : isAbsent(value)
        ? []
        : typeof value === 'string'
          ? value.split(',')
          : [value];
    return list.map((item) => oneOf(typeof item === 'string' ? item.trim() : item, allowed, name, this.label(name)));
  }

  /** A switch; off when the field holds nothing. @throws InputError for what is neither true nor false. */
  flag(name: string): boolean {
    const value = this.source(name);
    if (isAbsent(value)) return false;
    if (typeof value === 'boolean') return value;
    // A cell of a sheet is TRUE, a program's text True.
    const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
    if (word === 'true' || word === 'false') return word === 'true';
    throw new InputError(`${this.label(name)} must be true or false, but is ${showValue(value)}.`, {
      parameter: name,
      hint: unfilledHint(value, 'Use the switch, or have the expression give true or false.'),
    });
  }

  /** The calendar day that the person means, YYYY-MM-DD. @throws as `parseDate` */
  date(name: string): string {
    return parseDate(this.source(name), name, this.label(name), this.zone());
  }

  /** Returns an instant, milliseconds since the epoch: a day means its beginning in IST. @throws InputError if it is invalid */
  dayOrInstant(name: string): number {
    return parseDayOrInstant(this.source(name), name, this.label(name), this.zone());
  }

  /** A price in paise, entered in the unit that the person chose. */
  price(name: string, unit: MoneyUnit, options: { allowNegative?: boolean } = {}): number {
    return priceToPaise(this.source(name), unit, name, { label: this.label(name), ...options });
  }

  /** As `price`; undefined if the field holds nothing. */
  optionalPrice(name: string, unit: MoneyUnit, options: { allowNegative?: boolean } = {}): number | undefined {
    return this.has(name) ? this.price(name, unit, options) : undefined;
  }

  /**
   * The fields of a collection; empty when there is none. A field that was added, and for which an expression gives
   * nothing (null, undefined), is refused when it is read: a filter or a stop loss must not fall away unseen. Blank text
   * leaves the field out.
   */
  group(name: string): ParameterReader {
    const value = this.source(name);
    if (!isAbsent(value) && (typeof value !== 'object' || Array.isArray(value))) {
      throw new InputError(`${this.label(name)} must be an object with its fields.`, { parameter: name });
    }
    const fields = (value ?? {}) as IDataObject;
    const read = (field: string): unknown => {
      if (!Object.hasOwn(fields, field)) return undefined;
      const held = fields[field];
      if (held === null || held === undefined) {
        throw new InputError(`${this.label(field)} is empty: its expression gives nothing for this item.`, {
          parameter: field,
          hint: `Remove the field, or have the expression give '' to leave it out.${isPrice(field) ? ' A price that comes from an order which had not filled is not known: set its Wait For to Filled.' : ''} Nothing was sent.`,
        });
      }
      return held;
    };
    return new ParameterReader(read, this.properties, this.zone, this.marketNow);
  }

  /**
   * The rows of a collection of collections, or of a list that an earlier step gives, such as the legs of a basket; the list may come as text
   * of JSON, or within its item. A field that a row leaves out has its default, as in the panel.
   * @throws InputError for anything else
   */
  rows(name: string, list: string): ParameterReader[] {
    const value = this.source(name);
    if (isAbsent(value)) return [];
    const property = this.properties.find((own) => own.name === name);
    const fields = property && entriesIn(property)?.fields;
    const held = fields === undefined ? withoutJsonText(value) : value;
    const rows = typeof held === 'object' && !Array.isArray(held) ? (held as IDataObject | null)?.[list] : held;
    if (fields !== undefined && isAbsent(rows)) return [];
    if (!Array.isArray(rows))
      throw new InputError(`${this.label(name)} must be a list, but is ${showValue(value)}. Nothing was sent.`, {
        parameter: name,
        hint: unfilledHint(
          value,
          `Set the field to Expression, and have it give nothing but the list: {{ $json.${list} }}, without other text around it.`,
        ),
      });
    const defaults = Object.fromEntries((fields ?? []).map((field) => [field.name, field.default]));
    return rows.map((row: unknown, index) => {
      if (typeof row !== 'object' || row === null || Array.isArray(row)) {
        throw new InputError(`Entry ${index + 1} of ${this.label(name)} must be an object with its fields.`, {
          parameter: name,
        });
      }
      const fields = { ...defaults, ...(row as IDataObject) };
      return new ParameterReader(
        (field) => (Object.hasOwn(fields, field) ? fields[field] : undefined),
        this.properties,
        this.zone,
        this.marketNow,
      );
    });
  }
}
