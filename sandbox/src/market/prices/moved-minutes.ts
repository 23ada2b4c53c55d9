import type { Bar } from './types';

/** Minutes of a day and some more. */
const MAX_MINUTES = 1_500;
/** Instruments whose minutes are kept; the one that came first goes first. */
const MAX_INSTRUMENTS = 500;

type Shape = Pick<Bar, 'open' | 'high' | 'low' | 'close'>;

interface MovedMinute {
  version: number;
  usual: Shape;
  moved: Bar;
}

/**
 * Full minutes of prices that were moved or pushed. The candle of a day consists of them, and is asked for at every tick; what moves a price
 * now changes no minute before.
 */
export class MovedMinutes {
  private readonly byInstrument = new Map<number, Map<number, MovedMinute>>();

  /**
   * Returns a minute as `make` moves it.
   * @param usual the minute before it is moved: where it is another than last time, it is moved again
   * @param version of the moves: with each further one, all minutes are moved again
   */
  get(refId: number, usual: Bar, version: number, make: () => Bar): Bar {
    const minutes = this.minutesOf(refId);
    const cachedMinute = minutes.get(usual.at);
    if (cachedMinute?.version === version && isSame(cachedMinute.usual, usual)) return cachedMinute.moved;
    if (minutes.size >= MAX_MINUTES) minutes.clear();
    const moved = make();
    const { open, high, low, close } = usual;
    minutes.set(usual.at, { version, usual: { open, high, low, close }, moved });
    return moved;
  }

  private minutesOf(refId: number): Map<number, MovedMinute> {
    const cachedMinutes = this.byInstrument.get(refId);
    if (cachedMinutes !== undefined) return cachedMinutes;
    if (this.byInstrument.size >= MAX_INSTRUMENTS) this.byInstrument.delete(this.byInstrument.keys().next().value!);
    const made = new Map<number, MovedMinute>();
    this.byInstrument.set(refId, made);
    return made;
  }
}

const isSame = (one: Shape, other: Shape): boolean =>
  one.open === other.open && one.high === other.high && one.low === other.low && one.close === other.close;
