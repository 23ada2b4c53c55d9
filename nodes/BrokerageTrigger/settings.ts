/** What the person set, checked. */
import type { ITriggerFunctions } from 'n8n-workflow';
import { InputError } from '../../client/errors';
import type { BatchOptions } from '../../client/stream/outbox';
import type { EventFilter } from '../../client/stream/filter';
import { ORDER_EVENTS, type ConnectionEvent } from '../../client/stream/types';
import { oneOf, wholeNumber } from '../../client/values/input';
import { rupeesToPaise, type MoneyUnit } from '../../client/values/money';
import { CONNECTION_EVENTS } from './properties';

export interface TriggerSettings {
  filter: EventFilter;
  connectionEvents: readonly ConnectionEvent['type'][];
  batches: BatchOptions;
  checkEveryMs: number;
  raw: boolean;
  unit: MoneyUnit;
}

const MS = 1_000;

/** @throws InputError that names the parameter. */
export function readTriggerSettings(context: ITriggerFunctions): TriggerSettings {
  const events = words(context.getNodeParameter('events', []));
  const filters = group(context.getNodeParameter('filters', {}));
  const options = group(context.getNodeParameter('options', {}));
  if (events.length === 0) {
    throw new InputError('No event is chosen.', { parameter: 'events', hint: 'Choose at least one event that starts the workflow.' });
  }
  const known = [...ORDER_EVENTS, ...CONNECTION_EVENTS];
  const chosen = events.map((event) => oneOf(event, known, 'events', 'Events'));
  return {
    filter: {
      types: ORDER_EVENTS.filter((event) => chosen.includes(event)),
      instruments: list(filters.instruments).map((name) => name.toUpperCase()),
      sides: words(filters.sides),
      products: words(filters.products),
      tags: list(filters.tags),
      onlyEnds: filters.onlyEnds === true,
      minQuantity: wholeNumber(filters.minQuantity ?? 0, 'minQuantity', { label: 'Smallest Quantity' }),
      minValue: rupeesToPaise(filters.minValue ?? 0, 'minValue', { label: 'Smallest Value' }),
      recovered: options.recover !== false,
    },
    connectionEvents: CONNECTION_EVENTS.filter((event) => chosen.includes(event)),
    batches: {
      count: wholeNumber(options.batchSize ?? 1, 'batchSize', { label: 'Batch Size', min: 1, max: 1_000 }),
      waitMs: seconds(options.batchWait ?? 5, 'batchWait', 'Batch Wait', 0.1),
    },
    checkEveryMs: seconds(options.compareEvery ?? 30, 'compareEvery', 'Compare Every', 5),
    raw: options.raw === true,
    unit: oneOf(options.priceUnit ?? 'rupees', ['rupees', 'paise'] as const, 'priceUnit', 'Prices In'),
  };
}

function seconds(value: unknown, parameter: string, label: string, min: number): number {
  const number = Number(value);
  if (!(number >= min && number <= 3_600)) {
    throw new InputError(`${label} must be from ${min} to 3600 seconds.`, { parameter });
  }
  return Math.round(number * MS);
}

function group(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The chosen words of a multi-options field; an expression may give one word. */
function words(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  return value === undefined || value === null || value === '' ? [] : [String(value)];
}

/** The parts of a comma-separated text; an expression may give an array. */
function list(value: unknown): string[] {
  return words(value)
    .flatMap((word) => word.split(','))
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
