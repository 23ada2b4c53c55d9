/** The time by which exits are kept while somebody sets the wall clock of the machine. */
import { EmulationClock } from '../../../client/exit-emulation/emulation-clock';
import { machineTime } from '../../../client/market-clock';
import { VirtualTime } from '../../support/virtual-time';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

function onLive(): { time: VirtualTime; clock: EmulationClock; pass: (ms: number) => Promise<void> } {
  const time = new VirtualTime();
  const clock = new EmulationClock({ clock: time.clock, marketClock: machineTime(time.clock) });
  const pass = async (ms: number): Promise<void> => {
    await time.run(time.sleep(ms));
  };
  return { time, clock, pass };
}

describe('on Live', () => {
  it.each([DAY_MS, -DAY_MS, 3_600_000])('a wall clock that is set by %i ms moves no day and no hour', async (ahead) => {
    const { time, clock, pass } = onLive();
    const start = clock.now;
    time.setClock(ahead);
    await pass(9 * MINUTE_MS);
    expect(clock.now).toBe(start + 9 * MINUTE_MS);
    time.setClock(0);
    await pass(MINUTE_MS);
    expect(clock.now).toBe(start + 10 * MINUTE_MS);
  });

  it('a wall clock that is right by the stream counts at once: the machine slept, or its clock was corrected', async () => {
    const { time, clock, pass } = onLive();
    const start = clock.now;
    time.setClock(8 * 3_600_000);
    await pass(MINUTE_MS);
    expect(clock.now).toBe(start + MINUTE_MS);
    clock.onPrice(start + 8 * 3_600_000 + MINUTE_MS);
    expect(clock.now).toBe(start + 8 * 3_600_000 + MINUTE_MS);
  });

  it('a price of another time moves no clock', async () => {
    const { clock, pass } = onLive();
    const start = clock.now;
    clock.onPrice(start + DAY_MS);
    clock.onPrice(start - DAY_MS);
    await pass(1_000);
    expect(clock.now).toBe(start + 1_000);
  });

  it('a wall clock that was set ten minutes ago counts; one that is set again does not', async () => {
    const { time, clock, pass } = onLive();
    const start = clock.now;
    for (let set = 1; set <= 3; set++) {
      time.setClock(set * DAY_MS);
      expect(clock.now).toBe(start + (set - 1) * 8 * MINUTE_MS);
      await pass(8 * MINUTE_MS);
      expect(clock.now).toBe(start + set * 8 * MINUTE_MS);
    }
    await pass(2 * MINUTE_MS);
    expect(clock.now).toBe(start + 3 * DAY_MS + 26 * MINUTE_MS);
  });

  it('a clock that is corrected by some seconds is followed', async () => {
    const { time, clock, pass } = onLive();
    const start = clock.now;
    time.setClock(-2_000);
    await pass(10_000);
    expect(clock.now).toBe(start + 8_000);
  });
});
