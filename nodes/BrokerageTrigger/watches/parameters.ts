/** Readers of parameters that the kinds of watching share. */
import type { INodeProperties, INodePropertyOptions, ITriggerFunctions } from 'n8n-workflow';
import { InputError } from '../../../client/base/errors';
import { filledText, oneOf, plainDecimal, showValue } from '../../../client/values/input';
import { requireFieldLength } from '../../../client/values/length';
import type { MoneyUnit } from '../../../client/values/money';
import { emptyFilterError } from '../../shared/selection';

/** The values of a collection, by name. */
export type ParameterGroup = Record<string, unknown>;

const MS = 1_000;
const MAX_SECONDS = 3_600;

/**
 * Returns the value of a field of the trigger.
 * @param otherwise the default.
 * @throws InputError if it is longer than any field.
 */
export function parameterOf(n8n: ITriggerFunctions, name: string, otherwise?: unknown): unknown {
  const value: unknown = n8n.getNodeParameter(name, otherwise);
  requireFieldLength(value, name, 'The field');
  return value;
}

/** The unit of amounts in the output. */
export function unitOf(options: ParameterGroup): MoneyUnit {
  return oneOf(options.priceUnit ?? 'rupees', ['rupees', 'paise'] as const, 'priceUnit', 'Prices In');
}

/** Converts the user's seconds to milliseconds. @throws InputError that names the parameter. */
export function readSeconds(value: unknown, parameter: string, label: string, min: number): number {
  const number = Number(value);
  if (!(number >= min && number <= MAX_SECONDS))
    throw new InputError(`${label} must be from ${min} to ${MAX_SECONDS} seconds.`, { parameter });
  return Math.round(number * MS);
}

/**
 * A collection; empty when nothing of it is set.
 * @throws InputError for a field that was added and holds nothing: a filter must not fall away unseen.
 */
export function readGroup(n8n: ITriggerFunctions, name: string): ParameterGroup {
  const fields = (parameterOf(n8n, name, {}) ?? {}) as ParameterGroup;
  const empty = Object.keys(fields).find((field) => fields[field] === null || fields[field] === undefined);
  if (empty !== undefined) {
    throw new InputError('A field is empty: its expression gives nothing.', {
      parameter: empty,
      hint: "Remove the field, or have the expression give '' to leave it out.",
    });
  }
  return fields;
}

/** The names in the filter *Instruments*, in capitals. @throws InputError as `filterWords` */
export function instrumentNames(filters: ParameterGroup): string[] {
  return filterWords(filters, 'instruments', 'Instruments').map((name) => name.toUpperCase());
}

/**
 * The words of a filter; none where it is not set.
 * @throws InputError for one that holds commas alone, which would be no filter, and for a word that says nothing, which nothing has
 */
export function filterWords(filters: ParameterGroup, name: string, label: string): string[] {
  const value = filters[name];
  const words = splitList(value).map((word) => filledText(word, name, { label }));
  const isUnset = (typeof value === 'string' ? value.trim() : splitWords(value).join('')) === '';
  if (words.length > 0 || isUnset) return words;
  throw emptyFilterError(label, name);
}

/** The chosen words of a multi-options field; an expression may give one word. */
export function splitWords(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  return value === undefined || value === null || value === '' ? [] : [String(value)];
}

/** Returns the choices of a field with options, by the names that the panel shows. */
export function chosenNames(n8n: ITriggerFunctions, fields: readonly INodeProperties[], name: string): string {
  return splitWords(parameterOf(n8n, name, []))
    .map((value) => optionName(fields, name, value))
    .join(', ');
}

/** Returns the name of a choice as the panel shows it; the value itself for one that the panel does not have. */
export function optionName(fields: readonly INodeProperties[], name: string, value: string): string {
  const options = (fields.find((field) => field.name === name)?.options ?? []) as INodePropertyOptions[];
  return options.find((option) => option.value === value)?.name ?? value;
}

/** The parts of a comma-separated text; an expression may give an array. */
export function splitList(value: unknown): string[] {
  return splitWords(value)
    .flatMap((word) => word.split(','))
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** A number with a point, which may be negative. @throws InputError that names the parameter. */
export function readDecimal(value: unknown, parameter: string, label: string): number {
  const digits = plainDecimal(value);
  if (digits === undefined)
    throw new InputError(`${label} must be a number such as 12.5, but is ${showValue(value)}.`, { parameter });
  return Number(`${digits.negative ? '-' : ''}${digits.whole}.${digits.fraction}`);
}
