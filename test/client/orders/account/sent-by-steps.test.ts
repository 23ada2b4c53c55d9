import { PlacementRegistry } from '../../../../client/orders/account/placement-registry';
import { VirtualTime } from '../../../support/virtual-time';

const SCOPE = 'sandbox/me';

describe('an order of unknown outcome that a later run of its step asks for again', () => {
  const setUpSent = () => {
    const placements = new PlacementRegistry(new VirtualTime(Date.parse('2026-11-20T11:00:00+05:30')).clock);
    for (const tag of ['a', 'b']) placements.sending(SCOPE, tag, 1, 1, { order: 'one', run: 0 });
    const ask = (tag: string, run: number, order = 'one') => placements.takeUp(SCOPE, tag, { order, run });
    return { placements, ask };
  };

  it('is taken up once by each run, and by the same order of it each time', () => {
    const { placements, ask } = setUpSent();
    expect([ask('c', 1), ask('d', 1), ask('e', 1)]).toEqual(['a', 'b', undefined]);
    expect([ask('f', 2), ask('c', 1)]).toEqual(['a', 'a']);
    placements.placed(SCOPE, 'a', { order_id: '5' });
    expect([ask('c', 1), ask('g', 3), ask('h', 3)]).toEqual(['a', 'b', undefined]);
  });

  it('is another one if its outcome is known, something else is asked for, or it is of the same run', () => {
    const { placements, ask } = setUpSent();
    expect([ask('c', 1, 'another'), ask('d', 0), ask('a', 1)]).toEqual([undefined, undefined, undefined]);
    placements.placed(SCOPE, 'a', { order_id: '5' });
    placements.notPlaced(SCOPE, 'b');
    expect(ask('e', 1)).toBeUndefined();
  });
});
