/** The result of the trades of a period, instant by instant. */
import { contractValue } from '../../market/reference/contract-value';
import { grossOf } from './round-trips';
import type { CurvePoint, EntryPart, PerformanceSource } from './types';

/** @param pieces without what was held before the period. @param instants ascending; the last one is the end of the period. */
export function curveOf(
  pieces: readonly EntryPart[],
  instants: readonly number[],
  price: (piece: EntryPart, at: number) => number,
  market: PerformanceSource['market'],
): CurvePoint[] {
  const byEntry = [...pieces].sort((a, b) => a.entry.at - b.entry.at);
  const open = new Set<EntryPart>();
  const points: CurvePoint[] = [];
  let entered = 0;
  let closed = 0;
  let highest = 0;
  for (const at of instants) {
    for (; entered < byEntry.length && byEntry[entered]!.entry.at <= at; entered++) open.add(byEntry[entered]!);
    let [result, netExposure, grossExposure] = [0, 0, 0];
    for (const piece of open) {
      const { exit, quantity, entryCharges, exitCharges } = piece;
      if (exit !== undefined && exit.at <= at) {
        closed += grossOf(piece, 0) - entryCharges - exitCharges;
        open.delete(piece);
        continue;
      }
      const mark = price(piece, at);
      // Its exit is still to come, and what it will bring is not known at this instant.
      result += grossOf({ ...piece, exit: undefined }, mark) - entryCharges;
      const worth = contractValue(piece.entry.unit, mark, quantity);
      netExposure += worth;
      grossExposure += Math.abs(worth);
    }
    result += closed;
    highest = Math.max(highest, result);
    points.push({
      at,
      result,
      drawdown: highest - result,
      netExposure,
      grossExposure,
      market: market?.price(at),
    });
  }
  return points;
}
