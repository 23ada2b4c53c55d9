/** Orders that were placed today, in the form in which n8n stores them for a node. */
import fc from 'fast-check';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { clock } from '../../nodes/host/clock';
import { placedTodayOf } from '../../nodes/shared/placedToday';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const of = (stored: IDataObject, run?: string) =>
  placedTodayOf({ getWorkflowStaticData: () => stored } as unknown as IExecuteFunctions, {
    now: () => clock.now(),
    aheadMs: 0,
    at: (ms: number) => ms,
    run,
  });
const order = (id: string) => ({ noun: 'order' as const, id, identity: 'j7mib5b4yve6' });

it('a remembered order is there for the next process, of its account only, once each', () => {
  const stored: IDataObject = {};
  for (const id of ['1', '2', '2']) of(stored).add('live me', [order(id)]);
  const next = of(JSON.parse(JSON.stringify(stored)) as IDataObject);
  expect(next.all('live me')).toEqual([order('1'), order('2')]);
  expect(next.all('live you')).toEqual([]);
  expect(JSON.stringify(stored)).not.toContain('live me');
});

it('a remembered order of a sandbox is forgotten in another run of it, and in no other case', () => {
  const [first, second] = ['0123456789abcdef 2026-11-20', 'fedcba9876543210 2026-11-20'];
  const stored: IDataObject = {};
  of(stored, first).add('s', [order('1')]);
  for (const run of [first, undefined]) expect(of(stored, run).all('s')).toEqual([order('1')]);
  expect(of(stored, second).all('s')).toEqual([]);
});

it('a remembered order is forgotten on the next day, and the newest are kept where there are many', async () => {
  const stored: IDataObject = {};
  for (let id = 1; id <= 400; id++) of(stored).add('s', [order(String(id))]);
  expect(
    of(stored)
      .all('s')
      .map(({ id }) => id),
  ).toEqual(Array.from({ length: 300 }, (_, at) => String(101 + at)));
  await clock.sleep(24 * 3_600_000);
  expect(of(stored).all('s')).toEqual([]);
});

it('a remembered order of the evening is kept apart for six hours, also over what the new day brings', async () => {
  const stored: IDataObject = {};
  const ids = (): (string | undefined)[][] =>
    [of(stored).all('s'), of(stored).unlisted('s')].map((list) => list.map(({ id }) => id));
  const toMidnight = 86_400_000 - ((clock.now() + 19_800_000) % 86_400_000);
  await clock.sleep(toMidnight - 7 * 3_600_000);
  of(stored).add('s', [order('1')]);
  await clock.sleep(7 * 3_600_000 - 60_000);
  of(stored).add('s', [order('2')]);
  expect(ids()).toEqual([['1', '2'], []]);
  await clock.sleep(120_000);
  expect(ids()).toEqual([[], ['2']]);
  of(stored).add('s', [order('2')]);
  of(stored).add('s', [order('3')]);
  expect(ids()).toEqual([['3'], ['2']]);
  expect(of(stored).unlisted('t')).toEqual([]);
  of(stored).add('s', [order('4')]);
  await clock.sleep(24 * 3_600_000);
  expect(ids()).toEqual([[], []]);
});

it('an order of unknown outcome is kept apart, of the day and of the night, until it has an id', async () => {
  const stored: IDataObject = {};
  const [unknown, other] = ['j7mib5b4yve6', 'k7mib5b4yve6'].map((identity) => ({ noun: 'order' as const, identity }));
  of(stored).add('s', [unknown!]);
  of(stored).add('s', [unknown!, other!]);
  const next = (): ReturnType<typeof of> => of(JSON.parse(JSON.stringify(stored)) as IDataObject);
  expect(next().all('s')).toEqual([]);
  expect(next().unlisted('s')).toEqual([unknown, other]);
  expect(next().unlisted('t')).toEqual([]);
  of(stored).add('t', [order('1')]);
  expect(next().unlisted('s')).toEqual([unknown, other]);
  of(stored).add('s', [order('1')]);
  expect([next().all('s'), next().unlisted('s')]).toEqual([[order('1')], [other]]);
  const toMidnight = 86_400_000 - ((clock.now() + 19_800_000) % 86_400_000);
  await clock.sleep(toMidnight - 60_000);
  of(stored).add('s', [unknown!]);
  await clock.sleep(120_000);
  expect(next().unlisted('s')).toEqual([unknown]);
});

it('a stored value of any kind is accepted: what cannot be read counts as nothing', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const today = { brokerage_placed_today: value } as IDataObject;
      expect(of(today).all('s')).toEqual([]);
      of(today).add('s', [order('5')]);
      expect(of(today).all('s')).toEqual([order('5')]);
    }),
  );
});
