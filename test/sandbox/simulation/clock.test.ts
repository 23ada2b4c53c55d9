import { VirtualClock } from '../../../sandbox/src/simulation/clock';

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
