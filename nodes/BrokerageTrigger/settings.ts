/** What the person set, checked. */
import type { ITriggerFunctions } from 'n8n-workflow';
import { InputError } from '../../client/errors';
import type { AlertKind, AlertRule } from '../../client/stream/market-data/price-alerts';
import type { BatchOptions } from '../../client/stream/delivery/batcher';
import { END_EVENTS, type EventFilter } from '../../client/stream/delivery/filter';
import type { PortfolioPart } from '../../client/stream/delivery/portfolio-updates';
import { ORDER_EVENTS, type ConnectionEvent } from '../../client/stream/reconciliation/types';
import { oneOf, plainDecimal, wholeNumber } from '../../client/values/input';
import { rupeesToPaise, type MoneyUnit } from '../../client/values/money';
import { CONNECTION_EVENTS } from './properties';
import { WATCHES, type Watch } from './watches';

export interface OrderSettings {
  filter: EventFilter;
  connectionEvents: readonly ConnectionEvent['type'][];
  batches: BatchOptions;
  checkEveryMs: number;
  raw: boolean;
  unit: MoneyUnit;
}

export interface PortfolioSettings {
  parts: PortfolioPart[];
  instruments: string[];
  everyMs: number;
  unit: MoneyUnit;
}

export interface AlertSettings {
  rule: AlertRule;
  once: boolean;
  everyMs: number;
  unit: MoneyUnit;
}

type Group = Record<string, unknown>;

const MS = 1_000;
const LONGEST_SECONDS = 3_600;

export function readWatch(context: ITriggerFunctions): Watch {
  return oneOf(context.getNodeParameter('watch', 'orders'), WATCHES, 'watch', 'Trigger On');
}

/** @throws InputError that names the parameter. */
export function readOrderSettings(context: ITriggerFunctions): OrderSettings {
  const events = words(context.getNodeParameter('events', []));
  const filters = group(context, 'filters');
  const options = group(context, 'options');
  if (events.length === 0) {
    throw new InputError('No event is chosen.', {
      parameter: 'events',
      hint: 'Choose at least one event that starts the workflow.',
    });
  }
  const known = [...ORDER_EVENTS, ...CONNECTION_EVENTS];
  const chosen = events.map((event) => oneOf(event, known, 'events', 'Events'));
  const types = ORDER_EVENTS.filter((event) => chosen.includes(event));
  if (filters.onlyEnds === true && types.length > 0 && !types.some((type) => END_EVENTS.includes(type))) {
    throw new InputError('None of the chosen events is the end of an order.', {
      parameter: 'events',
      hint: 'Choose Order Completed, Cancelled, Cancelled by the Exchange, Expired or Rejected as well, or remove the filter "Only the End of an Order".',
    });
  }
  return {
    filter: {
      types,
      instruments: instrumentNames(filters),
      sides: words(filters.sides).map((side) =>
        oneOf(side.trim().toUpperCase(), ['BUY', 'SELL'] as const, 'sides', 'Sides'),
      ),
      products: words(filters.products).map((product) =>
        oneOf(product.trim().toUpperCase(), ['CNC', 'IDAY'] as const, 'products', 'Products'),
      ),
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
    unit: unitOf(options),
  };
}

/** @throws InputError that names the parameter. */
export function readPortfolioSettings(context: ITriggerFunctions): PortfolioSettings {
  const parts = words(context.getNodeParameter('parts', [])).map((part) =>
    oneOf(part, ['positions', 'holdings'] as const, 'parts', 'Parts'),
  );
  if (parts.length === 0)
    throw new InputError('No part of the portfolio is chosen.', {
      parameter: 'parts',
      hint: 'Choose positions, holdings or both.',
    });
  return {
    parts,
    instruments: instrumentNames(group(context, 'filters')),
    everyMs: seconds(context.getNodeParameter('portfolioEvery', 10), 'portfolioEvery', 'At Most Every', 1),
    unit: unitOf(group(context, 'options')),
  };
}

/** @throws InputError that names the parameter. */
export function readAlertSettings(context: ITriggerFunctions): AlertSettings {
  const options = group(context, 'options');
  return {
    rule: readRule(context, rupeesToPaise(options.rearm ?? 0, 'rearm', { label: 'Re-Arm Distance' })),
    once: context.getNodeParameter('once', false) === true,
    everyMs: seconds(options.askEvery ?? 5, 'askEvery', 'Ask Every', 1),
    unit: unitOf(options),
  };
}

const CONDITIONS: readonly AlertKind[] = ['crossesAbove', 'crossesBelow', 'entersBand', 'leavesBand', 'moves'];

function readRule(context: ITriggerFunctions, rearm: number): AlertRule {
  const kind = oneOf(context.getNodeParameter('condition', 'crossesAbove'), CONDITIONS, 'condition', 'Condition');
  const rupees = (name: string, label: string): number => {
    const paise = rupeesToPaise(context.getNodeParameter(name), name, { label });
    if (paise === 0) throw new InputError(`${label} must be above 0.`, { parameter: name });
    return paise;
  };
  if (kind === 'crossesAbove' || kind === 'crossesBelow') {
    const level = rupees('level', 'Level');
    if (kind === 'crossesAbove' && rearm >= level) {
      throw new InputError('Re-Arm Distance is so large that the price could never go back by it.', {
        parameter: 'rearm',
        hint: 'Choose less than the level.',
      });
    }
    return { kind, level, rearm };
  }
  if (kind === 'moves') {
    const direction = oneOf(
      context.getNodeParameter('direction', 'both'),
      ['up', 'down', 'both'] as const,
      'direction',
      'Direction',
    );
    return { kind, hundredths: readPercent(context.getNodeParameter('percent')), direction };
  }
  const [low, high] = [rupees('low', 'Low'), rupees('high', 'High')];
  if (low >= high) throw new InputError('Low must be below High.', { parameter: 'low' });
  if (kind === 'leavesBand' && 2 * rearm > high - low) {
    throw new InputError('Re-Arm Distance is so large that the price could never be back in the band.', {
      parameter: 'rearm',
      hint: 'Choose less than half of the width of the band.',
    });
  }
  return { kind, low, high, rearm };
}

/** A percentage with up to two decimals, in hundredths of a percent. */
function readPercent(value: unknown): number {
  const digits = plainDecimal(value);
  const hundredths =
    digits === undefined || digits.negative || digits.fraction.length > 2
      ? NaN
      : Number(`${digits.whole}${digits.fraction.padEnd(2, '0')}`);
  if (!(hundredths > 0))
    throw new InputError('Percent must be above 0 and have two decimals at most.', { parameter: 'percent' });
  return hundredths;
}

function unitOf(options: Group): MoneyUnit {
  return oneOf(options.priceUnit ?? 'rupees', ['rupees', 'paise'] as const, 'priceUnit', 'Prices In');
}

function seconds(value: unknown, parameter: string, label: string, min: number): number {
  const number = Number(value);
  if (!(number >= min && number <= LONGEST_SECONDS))
    throw new InputError(`${label} must be from ${min} to ${LONGEST_SECONDS} seconds.`, { parameter });
  return Math.round(number * MS);
}

function group(context: ITriggerFunctions, name: string): Group {
  const value: unknown = context.getNodeParameter(name, {});
  return typeof value === 'object' && value !== null ? (value as Group) : {};
}

function instrumentNames(filters: Group): string[] {
  return list(filters.instruments).map((name) => name.toUpperCase());
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
