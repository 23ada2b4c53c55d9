import { followDailyTimes, nextTime, type DailyTimesDeps } from '../../../../client/market/calendar/daily-times';
import { toIst } from '../../../../client/values/time';
import { VirtualTime } from '../../../support/virtual-time';

const at = (text: string): number => Date.parse(`${text}+05:30`);

describe('daily times', () => {
  it('follow each other over midnight, and never repeat', () => {
    const some = ['00:00:00', '09:20:00', '15:10:00'];
    expect(nextTime(some, at('2026-11-23T09:20:00'))).toBe(at('2026-11-23T15:10:00'));
    expect(nextTime(some, at('2026-11-23T15:10:00'))).toBe(at('2026-11-24T00:00:00'));
    expect(nextTime(['09:20:00'], at('2026-11-23T09:20:00'))).toBe(at('2026-11-24T09:20:00'));
  });

  /** Follows 09:20 and 15:10 from one instant to another. @returns each report in words */
  async function reported(
    [from, to]: [string, string],
    isTradingDay: DailyTimesDeps['isTradingDay'],
    last = from,
  ): Promise<string[]> {
    const time = new VirtualTime(at(from));
    const stopping = new AbortController();
    const received: string[] = [];
    const notify = (what: string) => (of: number, lateMs?: number) =>
      void received.push([what, toIst(of).slice(5, 16), ...(lateMs === undefined ? [] : [lateMs / 1000])].join(' '));
    const following = followDailyTimes(
      {
        clock: time.clock,
        isTradingDay,
        due: notify('due'),
        closed: notify('closed'),
        passed: notify('passed'),
        unknown: (error) => void received.push(`unknown: ${(error as Error).message}`),
      },
      ['09:20:00', '15:10:00'],
      at(last),
      stopping.signal,
    );
    await time.run(time.sleep(at(to) - at(from)));
    stopping.abort(new Error('stopped'));
    await following;
    return received;
  }
  const always = async (): Promise<boolean> => await Promise.resolve(true);

  it('come on trading days, once each', async () => {
    const weekday = async (of: number): Promise<boolean> =>
      await Promise.resolve(![0, 6].includes(new Date(of).getUTCDay()));
    expect(await reported(['2026-11-20T09:00:00', '2026-11-23T10:00:00'], weekday)).toEqual([
      'due 11-20T09:20 0',
      'due 11-20T15:10 0',
      'closed 11-21T09:20',
      'closed 11-21T15:10',
      'closed 11-22T09:20',
      'closed 11-22T15:10',
      'due 11-23T09:20 0',
    ]);
  });

  it('count where nobody can tell whether it is a trading day, after some attempts', async () => {
    let requested = 0;
    const fails = async (): Promise<boolean> => await Promise.reject(new Error(`attempt ${++requested}`));
    const window: [string, string] = ['2026-11-23T09:19:59', '2026-11-23T09:21:00'];
    expect(await reported(window, fails)).toEqual(['unknown: attempt 4', 'due 11-23T09:20 0']);
    const once = async (): Promise<boolean> => (requested++ > 4 ? true : await fails());
    expect(await reported(window, once)).toEqual(['due 11-23T09:20 0']);
  });

  it('are made up for when they passed within five minutes, and for none from before the beginning', async () => {
    const window: [string, string] = ['2026-11-23T09:23:00', '2026-11-23T09:24:00'];
    expect(await reported(window, always, '2026-11-20T15:10:00')).toEqual(['due 11-23T09:20 180']);
    expect(await reported(window, always, '2026-11-23T09:20:00')).toEqual([]);
    expect(await reported(window, always)).toEqual([]);
    expect(await reported(['2026-11-23T09:25:01', '2026-11-23T09:26:00'], always, '2026-11-20T15:10:00')).toEqual([]);
  });
});
