import { VirtualClock, type SpeedOrMode } from '../../../sandbox/src/simulation/clock';
import { ClockControl } from '../../../sandbox/src/simulation/clock-control';

const START = 1_000_000;

/** A machine's clock that goes on by a millisecond whenever it is looked at. */
function busy(): () => number {
  let now = 5_000;
  return () => now++;
}

describe('The clock', () => {
  it('begins at its start to the millisecond where it does not run, however long the beginning takes, after a reset too', () => {
    const clock = new VirtualClock('manual', START, busy());
    expect(clock.now()).toBe(START);
    clock.setMode('60x');
    clock.restart('manual', START);
    expect([clock.now(), clock.mode, clock.speed]).toEqual([START, 'manual', 0]);
  });

  it('stops at its end, however fast it runs', () => {
    let now = 0;
    const clock = new VirtualClock('999999999999x', START, () => now, START + 1_000);
    now = 5;
    expect(clock.now()).toBe(START + 1_000);
    expect(clock.realDelay(START + 1_001)).toBeUndefined();
    expect(() => clock.set(START + 1_001)).toThrow('the clock cannot go beyond its end');
  });

  it('goes on from where it was when its mode changes', () => {
    let now = 0;
    const clock = new VirtualClock('real', START, () => now);
    now = 10;
    clock.setMode('60x');
    now = 11;
    expect(clock.now()).toBe(START + 10 + 60);
    clock.setMode('manual');
    now = 99;
    expect(clock.now()).toBe(START + 70);
    expect(() => clock.set(START)).toThrow('the clock cannot go back');
  });
});

describe('A clock that is stopped for a run', () => {
  let real: number;
  let clock: VirtualClock;
  let control: ClockControl;
  let release: () => void;

  /** Stops it at its start, where it passes in this way. */
  function stop(mode: SpeedOrMode): void {
    real = 0;
    clock = new VirtualClock(mode, START, () => real);
    control = new ClockControl(clock, {
      instant: () => clock.now(),
      changed: () => undefined,
      isOwn: () => true,
      end: () => Infinity,
    });
    release = control.holdForMessage();
  }
  afterEach(() => release());

  /** Lets so many milliseconds of the machine pass, and then an execution sends something, or reads an address. */
  function askAfter(ms: number, read?: string, execution = 'one'): number {
    real += ms;
    control.requested({ execution, method: read === undefined ? 'POST' : 'GET', url: read ?? '/orders' });
    return clock.now() - START;
  }

  it.each(['real', '60x'] as const)(
    'lets a request of %s take as long as the machine took since the one before: an order is seen by its deadline',
    (mode) => {
      stop(mode);
      // However long the run takes to begin, it trades at the time of its event.
      expect(askAfter(4_000)).toBe(100);
      expect(askAfter(20)).toBe(200);
      expect(askAfter(5_000)).toBe(5_200);
      release();
      release = control.holdForMessage();
      expect(askAfter(4_000)).toBe(5_300);
    },
  );

  it.each(['manual', 'fastest'] as const)('lets each request of %s take a tenth of a second', (mode) => {
    stop(mode);
    expect([askAfter(4_000), askAfter(5_000)]).toEqual([100, 200]);
  });

  it('lets a read that is made again take longer, up to half a second, until something is sent', () => {
    stop('60x');
    control.goesForWaiters();
    const took = [1, 2, 3, 4, 5].map(() => askAfter(2_000, '/orders'));
    expect(took).toEqual([100, 300, 700, 1_200, 1_700]);
    // Another address, and another execution, are read for the first time.
    expect([askAfter(0, '/baskets'), askAfter(0, '/orders', 'other')]).toEqual([1_800, 1_900]);
    expect([askAfter(0), askAfter(0, '/orders')]).toEqual([2_000, 2_100]);
    // A trigger that closes a position takes no longer.
    expect([askAfter(0, '/orders', ''), askAfter(0, '/orders', '')]).toEqual([2_200, 2_300]);
    release();
    release = control.holdForMessage();
    expect(askAfter(0, '/baskets')).toBe(2_400);
  });

  it('lets each take a tenth of a second in a backtest', () => {
    stop('60x');
    control.goesForWaiters();
    expect([askAfter(4_000), askAfter(5_000)]).toEqual([100, 200]);
  });
});
