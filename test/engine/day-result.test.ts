/** Each place that tells the result of a day tells the same, and says what it is after (docs/sandbox.md#the-result-of-a-day). */
import { TEST_START } from '../support/sandbox';
import { Day } from './day-result-support';
import { inTurn } from '../support/turns';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

/** In July there is no closing auction yet: the official close is a mean, and not the price of the last trade. */
const MARKETS = [
  { hours: 'always', start: TEST_START },
  { hours: 'exchange', start: '2026-07-10T10:30:00+05:30' },
  { hours: 'exchange', start: TEST_START },
] as const;

describe.each(MARKETS)(
  'With --hours $hours from $start the page, the performance and the report',
  ({ hours, start }) => {
    const test = inTurn(
      MARKETS.length,
      MARKETS.findIndex((market) => market.hours === hours && market.start === start),
    );
    test('tell one result of a day with a holding, a sale of it, an intraday trade, an option and a fund, and of the next day', async () => {
      const day = await Day.begin({ hours, start, orderInterface: 'v2' });
      try {
        await day.agrees();
        await day.order(day.share('SBIN'), 'BUY', 10, 'CNC');
        await day.order(day.share('TCS'), 'BUY', 3, 'IDAY');
        await day.order(day.share('TCS'), 'SELL', 3, 'IDAY');
        await day.order(day.share('INFY'), 'SELL', 7, 'CNC');
        await day.order(day.share('NIFTYBEES'), 'BUY', 20, 'CNC');
        const option = day.call();
        await day.order(option.refId, 'BUY', option.lotSize, 'CNC');
        await day.agrees();
        await day.order(option.refId, 'SELL', option.lotSize, 'CNC');
        expect(await day.agrees()).not.toBe(0);
        // Over midnight, and in exchange hours over a weekend.
        const first = day.today;
        await day.pass(hours === 'always' ? 'P1D' : 'P3D');
        await day.agrees();
        await day.order(day.share('NIFTYBEES'), 'SELL', 5, 'CNC');
        await day.order(day.share('SBIN'), 'SELL', 4, 'CNC');
        await day.order(day.share('TCS'), 'BUY', 3, 'IDAY');
        const second = await day.agrees();
        // The days together are the period: each begins with the prices with which the one before ended.
        const [one, two, both] = [
          await day.equity(first, first),
          await day.equity(),
          await day.equity(first, day.today),
        ];
        expect(second).toBe(two.result + two.held_before);
        expect([both.start, both.end]).toEqual([one.start, two.end]);
        expect(two.start).toBe(one.end);
      } finally {
        await day.sandbox.close();
      }
    });

    it('differ by what an option that was carried over made before, and by nothing else', async () => {
      const day = await Day.begin({ hours, start, orderInterface: 'v2' });
      try {
        const option = day.call();
        await day.order(option.refId, 'BUY', option.lotSize, 'CNC');
        await day.pass(hours === 'always' ? 'P1D' : 'P3D');
        const account = day.account;
        const [position] = day.world.accounts.positions(account);
        const close = day.world.accounts.closes(account).at(-1)!.closes[option.refId]!;
        if (hours === 'exchange')
          expect(close).toBe(day.world.market.previousClose(option, day.sandbox.running.sandbox.instant));
        const apart = close * position!.openQuantity - position!.openValue;
        expect(apart).not.toBe(0);
        await day.agrees({ apart });
        await day.order(option.refId, 'SELL', option.lotSize, 'CNC');
        await day.agrees({ apart });
        expect((await day.report())['text']).toContain('An option that was carried over counts from its purchase.');
      } finally {
        await day.sandbox.close();
      }
    });
  },
);

it('The report on the newer interface says that it is before taxes and fees', async () => {
  const day = await Day.begin({ hours: 'always', orderInterface: 'intent' });
  try {
    await day.order(day.share('TCS'), 'BUY', 3, 'IDAY');
    await day.order(day.share('TCS'), 'SELL', 3, 'IDAY');
    const { day_profit: shown, funds } = await day.shown();
    const report = await day.report();
    const { accounts } = day.world;
    const brokerage = accounts
      .trades(accounts.ids()[0]!)
      .filter(({ date }) => date === day.today)
      .reduce((sum, { charges }) => sum + charges.brokerage, 0);
    expect(report).toMatchObject({
      day_result: shown + funds.charges - brokerage,
      day_result_after: 'brokerage',
      text: expect.stringContaining('Before taxes and fees'),
    });
  } finally {
    await day.sandbox.close();
  }
});
