/** Crossings of a line with another line, or with a level. */
import { InputError } from '../base/errors';
import { plainDecimal } from '../values/input';
import type { IndicatorValues } from './averages';

/** The two sides of a crossing: each a line by its name, or a level. */
export interface IndicatorCrossing {
  line: string;
  other: string;
}

/** True for a bar at which the line crossed: it was not beyond at the bar before, and is now. Null if unknown. */
export interface CrossingSeries {
  above: (boolean | null)[];
  below: (boolean | null)[];
}

function valuesOf(
  name: string,
  lines: ReadonlyMap<string, IndicatorValues>,
  length: number,
  parameter: string,
): IndicatorValues {
  const cachedValues = lines.get(name);
  if (cachedValues !== undefined) return cachedValues;
  if (plainDecimal(name) !== undefined) return Array<number>(length).fill(Number(name));
  throw new InputError(`There is no line "${name.slice(0, 60)}" that could cross or be crossed.`, {
    parameter,
    hint: `Enter a number, or one of ${[...lines.keys()].join(', ')}.`,
  });
}

/** Returns the name of a crossing in the output: rsi_14 and 30 as rsi_14_crossed_above_30. */
export function crossingName({ line, other }: IndicatorCrossing, way: keyof CrossingSeries): string {
  return `${line}_crossed_${way}_${other.replace('-', 'minus_').replace('.', '_')}`;
}

/**
 * Returns the crossings of two lines.
 * @param lines all values by name, of the same length.
 * @throws InputError for a side that is neither a line nor a number, or for a line that is to cross itself.
 */
export function findCrossings(
  { line, other }: IndicatorCrossing,
  lines: ReadonlyMap<string, IndicatorValues>,
): CrossingSeries {
  if (line === other)
    throw new InputError(`${line} cannot cross itself.`, { parameter: 'other', hint: 'Name two different lines.' });
  const length = lines.values().next().value?.length ?? 0;
  const a = valuesOf(line, lines, length, 'line');
  const b = valuesOf(other, lines, length, 'other');
  const at = (index: number, isCrossing: (before: number, now: number) => boolean): boolean | null => {
    const [before, beforeOther, now, nowOther] = [a[index - 1], b[index - 1], a[index], b[index]];
    if (before == null || beforeOther == null || now == null || nowOther == null) return null;
    return isCrossing(before - beforeOther, now - nowOther);
  };
  return {
    above: a.map((_, index) => at(index, (before, now) => before <= 0 && now > 0)),
    below: a.map((_, index) => at(index, (before, now) => before >= 0 && now < 0)),
  };
}
