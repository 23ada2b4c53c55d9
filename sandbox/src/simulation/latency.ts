import { readFileSync } from 'node:fs';
import {
  COLOCATED_LATENCY,
  NO_LATENCY,
  USUAL_LATENCY,
  type OrderLatency,
  type LatencyStep,
} from '../exchange/models/latency';
import { OptionError } from '../shared/option-error';

const NAMED: ReadonlyMap<string, OrderLatency> = new Map([
  ['retail', USUAL_LATENCY],
  ['colocated', COLOCATED_LATENCY],
  ['0', NO_LATENCY],
]);
const STEPS = ['send', 'exchange', 'list'] as const;
/** No step takes longer, milliseconds. */
const MAX_LATENCY_MS = 600_000;

/**
 * Returns the latency of `--latency`: one of the names, or a JSON file with `send`, `exchange` and `list`, each `[shortest, longest]` or
 * `{"samples": [...]}`, whole milliseconds.
 * @throws OptionError that names the step
 */
export function latencyOf(option: string): OrderLatency {
  const named = NAMED.get(option);
  if (named !== undefined) return named;
  const given = readJson(option);
  const [send, exchange, list] = STEPS.map((step) => stepOf(option, step, given[step]));
  return { send: send!, exchange: exchange!, list: list! };
}

function readJson(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new OptionError(`--latency must be retail, colocated, 0 or a file: ${why}`);
  }
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === 'object' && read !== null) return read as Record<string, unknown>;
  } catch (error) {
    throw new OptionError(`--latency ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new OptionError(`--latency ${file} must be an object with send, exchange and list.`);
}

function stepOf(file: string, name: string, value: unknown): LatencyStep {
  const samples = typeof value === 'object' && value !== null && 'samples' in value ? value.samples : undefined;
  if (times(samples) && samples.length > 0) return { samples };
  if (times(value) && value.length === 2 && value[0]! <= value[1]!) return [value[0]!, value[1]!];
  throw new OptionError(
    `--latency ${file}: ${name} must be [shortest, longest] or {"samples": [...]}, whole milliseconds from 0 to ${MAX_LATENCY_MS}.`,
  );
}

function times(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => Number.isInteger(item) && item >= 0 && item <= MAX_LATENCY_MS);
}
