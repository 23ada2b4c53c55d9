/** One order at most for each key and day, over several days and on both interfaces: none while one of an earlier day is still open. */
import type { INodeParameters } from 'n8n-workflow';
import { placements } from '../../nodes/shared/placements';
import { Engine } from '../support/engine';
import { orderForm } from '../support/parameters';
import { IS_WHOLE, share } from '../support/sample';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const open: TestSandbox[] = [];
afterAll(async () => await Promise.all(open.map(async (sandbox) => await sandbox.close())));
afterEach(() => jest.restoreAllMocks());

const DAYS = ['2026-11-25', '2026-11-26', '2026-11-27'] as const;
/** Times of a day; in `npm test` the last one, of a process that knows nothing, repeats the first. */
const TIMES = IS_WHOLE ? ['09:30', '10:30', '14:00'] : ['09:30', '14:00'];
/** Good till the second day, or till after the last one. */
const goodTill = (day: string): INodeParameters => ({
  validity: 'GTE',
  goodTillDate: day === DAYS[2] ? '2026-11-30' : DAYS[1],
});
const forTheDay = (): INodeParameters => ({});

const CASES = [
  ['v2', 'for the day', forTheDay, DAYS],
  ['intent', 'for the day', forTheDay, DAYS],
  ['intent', 'good till the second day', goodTill, [DAYS[0], DAYS[2]]],
] as const;

it.each(share(CASES, 2, 0))(
  'a key places one order on each day on which none of it is open: %s, %s',
  async (orderInterface, _, validityOn, days) => {
    const sandbox = await testSandbox({ orderInterface, hours: 'exchange', start: `${DAYS[0]}T09:20:00+05:30` });
    open.push(sandbox);
    const engine = await Engine.start(sandbox.credential);
    const placedOn: string[] = [];
    for (const day of DAYS) {
      const form = orderForm({ product: 'CNC', options: { ...validityOn(day), idempotencyKey: 'alert' } });
      for (const time of TIMES) {
        await sandbox.control('POST', 'clock', { set: `${day}T${time}:00+05:30` });
        // A process that has just begun knows nothing of what was sent.
        if (time === '14:00') jest.spyOn(placements, 'get').mockReturnValue(undefined);
        const { items, error } = await engine.run(form);
        jest.restoreAllMocks();
        expect([day, time, error?.message]).toEqual([day, time, undefined]);
        if (items[0]?.json.already_placed === false) placedOn.push(day);
        await sandbox.control('POST', 'clock', { advance: 'PT30S' });
      }
    }
    expect(placedOn).toEqual(days);
  },
);
