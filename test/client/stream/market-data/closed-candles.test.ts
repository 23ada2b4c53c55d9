/** One candle entry by hand: when a candle is closed by the stream, when the history is asked, and what of it is told. */
import { describe, expect, test } from '@jest/globals';
import { NetworkError, SessionError } from '../../../../client/base/errors';
import { MONDAY_TEN } from '../../../support/still-market';
import { SECOND, MINUTE, INFY, NIFTY, CandleBench, at } from './candle-bench';

describe('closed candles', () => {
  test('are told once when the stream begins the next, with their last values', () => {
    const bench = new CandleBench();
    const reported = bench.listen();
    bench.sendCandle(0, 101);
    bench.sendCandle(0, 102);
    expect(reported).toEqual([]);
    bench.sendCandle(1);
    bench.sendCandle(1, 103);
    bench.sendCandle(0, 99);
    bench.sendCandle(2);
    expect(reported).toEqual(['0:102', '1:103']);
  });

  test('come at once after an interruption where the clock waits, which waits for the history, too', async () => {
    const bench = new CandleBench();
    bench.isWaitedFor = true;
    const reported = bench.listen();
    bench.sendCandle(0);
    bench.sendCandle(1);
    bench.history = [0, 1];
    bench.candles.interrupted();
    // Our clock stays where it is: the market has gone on by two minutes within one message.
    bench.showTime(2);
    bench.sendCandle(2);
    bench.candles.tick(true);
    expect(bench.held).toHaveLength(1);
    await Promise.all(bench.held);
    expect(bench.requests).toHaveLength(1);
    expect(reported).toEqual(['0:100', '1:501 R']);
  });

  test('are not told to who came when they were over, and not of what no candle can be', () => {
    const bench = new CandleBench();
    const reported = bench.listen();
    bench.sendCandle(0);
    bench.sendCandle(1);
    const late = bench.listen();
    bench.sendCandle(4);
    bench.sendCandle(2, 102, { open: 0 });
    bench.sendCandle(2, 102, { low: 0 });
    bench.sendCandle(2, 102, { low: -1 });
    bench.sendCandle(2, 0);
    bench.sendCandle(2, 102, { interval: 77 });
    bench.sendCandle(2, 102, { interval: 'CANDLE_INTERVAL_2M' });
    bench.sendCandle(2, 102, { exchange: 'BSE' });
    bench.sendCandle(2, 102, { bucketTimestamp: '0' });
    expect([reported, late]).toEqual([['0:100'], []]);
    bench.sendCandle(2);
    expect([reported, late]).toEqual([['0:100', '1:101'], ['1:101']]);
  });

  test('are read from the history ten seconds after their end, where nothing more is traded', async () => {
    const bench = new CandleBench();
    const reported = bench.listen();
    bench.history = [0];
    bench.sendCandle(0);
    await bench.tickAt(69);
    expect([bench.requests.length, bench.answers]).toEqual([0, 0]);
    await bench.tickAt(70);
    expect(reported).toEqual(['0:500 R']);
    expect([bench.answers, bench.failures]).toEqual([1, []]);
    expect(bench.requests).toMatchObject([
      { exchange: 'NSE', type: 'STOCK', symbols: ['INFY'], interval: '1m', unit: 'paise' },
    ]);
    expect(bench.requests[0]!.from).toBe(MONDAY_TEN);
    expect(bench.requests[0]!.to).toBe(MONDAY_TEN + 130 * SECOND);
    expect(bench.requests[0]!.fields).toEqual(['open', 'high', 'low', 'close', 'cumulative_volume']);
    await bench.tickAt(71);
    await bench.tickAt(300);
    expect(bench.requests).toHaveLength(1);
  });

  test('have the volume that was traded within them; those of an index have none', () => {
    const bench = new CandleBench();
    const reported: unknown[] = [];
    for (const instrument of [INFY, NIFTY]) {
      bench.candles.join(instrument, '1m', undefined, (event) => reported.push(event));
      const { symbol: indexname } = instrument;
      bench.sendCandle(0, 101, { indexname });
      bench.sendCandle(1, 102, { indexname });
    }
    const candle = { interval: '1m', at: MONDAY_TEN, open: 100, high: 999, low: 1, close: 101, recovered: false };
    expect(reported).toEqual([
      { kind: 'candle', candle: { ...candle, instrument: INFY, volume: 5 } },
      { kind: 'candle', candle: { ...candle, instrument: NIFTY, volume: null } },
    ]);
  });

  test('are those that the stream tells by its full name for a future', () => {
    const bench = new CandleBench();
    const platName = 'FUT_OIL_20261019';
    const reported = bench.listen({ ...INFY, exchange: 'MCX', symbol: 'OIL26OCTFUT', platName, kind: 'FUT' });
    for (const minute of [0, 1]) bench.sendCandle(minute, 100 + minute, { indexname: platName, exchange: 'MCX' });
    expect(reported).toEqual(['0:100']);
  });

  test('are told to who stays when another leaves', () => {
    const bench = new CandleBench();
    const left: unknown[] = [];
    const member = bench.candles.join(INFY, '1m', undefined, (event) => left.push(event));
    const reported = bench.listen();
    bench.sendCandle(0);
    bench.candles.leave(INFY, '1m', member);
    bench.sendCandle(1);
    expect([reported, left]).toEqual([['0:100'], []]);
  });

  test('have no volume for an index', async () => {
    const bench = new CandleBench();
    bench.listen(NIFTY, MONDAY_TEN - MINUTE);
    await bench.tickAt(1);
    expect(bench.requests).toMatchObject([{ type: 'INDEX', fields: ['open', 'high', 'low', 'close'] }]);
  });

  test('are asked for again, five times, where the history has them not yet, and then told as the stream had them', async () => {
    const bench = new CandleBench();
    const reported = bench.listen();
    bench.sendCandle(0);
    await bench.tickAt(70);
    for (const seconds of [74, 75, 80, 85]) await bench.tickAt(seconds);
    expect([bench.requests.length, reported]).toEqual([4, []]);
    await bench.tickAt(90);
    expect([bench.requests.length, reported]).toEqual([5, ['0:100']]);
    await bench.tickAt(200);
    expect(bench.requests).toHaveLength(5);
  });

  test('are not lost where the history has them not yet, though it has those before', async () => {
    const bench = new CandleBench();
    const reported = bench.listen();
    bench.history = [-1];
    bench.sendCandle(0);
    await bench.tickAt(70);
    expect(reported).toEqual([]);
    bench.history = [-1, 0];
    await bench.tickAt(75);
    expect(reported).toEqual(['0:500 R']);
  });

  test('are waited for without asking again where they are not over, or nobody knows of them', async () => {
    const [running, unknown] = [new CandleBench(), new CandleBench()];
    for (const bench of [running, unknown]) bench.listen(INFY, MONDAY_TEN - MINUTE);
    running.sendCandle(0);
    for (const seconds of [1, 2, 6, 11]) {
      await running.tickAt(seconds);
      await unknown.tickAt(seconds);
    }
    expect([running.requests.length, unknown.requests.length]).toEqual([1, 1]);
  });

  test('are asked for again three seconds later where they are over by a clock that is ahead of ours', async () => {
    const bench = new CandleBench();
    const reported = bench.listen(INFY, MONDAY_TEN - MINUTE);
    bench.history = [0, 1];
    await bench.tickAt(59);
    expect([bench.requests.length, reported]).toEqual([1, []]);
    await bench.tickAt(61.9);
    expect(bench.requests).toHaveLength(1);
    await bench.tickAt(62);
    expect([bench.requests.length, reported]).toEqual([2, ['0:500 R']]);
  });

  test('are asked for once more where the stream was interrupted while they were', async () => {
    const bench = new CandleBench();
    bench.listen(INFY, MONDAY_TEN - MINUTE);
    bench.clock.set(MONDAY_TEN + SECOND);
    bench.candles.tick(true);
    bench.clock.set(MONDAY_TEN + 2 * SECOND);
    bench.candles.interrupted();
    await bench.tickAt(2);
    await bench.tickAt(4.9);
    expect(bench.requests).toHaveLength(1);
    await bench.tickAt(5);
    expect(bench.requests).toHaveLength(2);
  });

  test('are asked for from the first that anybody has missed', async () => {
    const bench = new CandleBench();
    for (const minutes of [2, 4, 3]) bench.listen(INFY, MONDAY_TEN - minutes * MINUTE);
    await bench.tickAt(1);
    expect(bench.requests.map(({ from }) => from)).toEqual([MONDAY_TEN - 4 * MINUTE + 1]);
  });

  test('come first where they were missed, from the one after the last that was had', async () => {
    const bench = new CandleBench();
    bench.history = [-4, -3, -2, -1, 0];
    const reported = bench.listen(INFY, MONDAY_TEN - 3 * MINUTE);
    bench.sendCandle(0);
    await bench.tickAt(1);
    expect(bench.requests[0]!.from).toBe(MONDAY_TEN - 3 * MINUTE + 1);
    expect(reported).toEqual(['-2:498 R', '-1:499 R']);
    bench.sendCandle(1);
    expect(reported.slice(2)).toEqual(['0:100']);
  });

  test('are those of the history after an interruption, three seconds after the next one began', async () => {
    const bench = new CandleBench();
    const reported = bench.listen();
    bench.sendCandle(0);
    bench.candles.interrupted();
    bench.clock.set(MONDAY_TEN + 2 * SECOND);
    bench.sendCandle(1);
    expect(reported).toEqual([]);
    bench.history = [0, 1];
    await bench.tickAt(4);
    expect(bench.requests).toEqual([]);
    await bench.tickAt(65);
    expect(reported).toEqual(['0:500 R']);
    bench.sendCandle(2);
    expect(reported).toEqual(['0:500 R', '1:101']);
  });

  test('are not asked for after an interruption where nothing was heard of them', async () => {
    const bench = new CandleBench();
    bench.listen();
    bench.candles.interrupted();
    await bench.tickAt(30);
    expect(bench.requests).toEqual([]);
  });

  test('are asked for after an interruption where one of several listeners has heard of them', async () => {
    const bench = new CandleBench();
    bench.listen();
    bench.sendCandle(0);
    bench.listen();
    bench.candles.interrupted();
    await bench.tickAt(3);
    expect(bench.requests).toHaveLength(1);
  });

  test('are read at each minute where nothing is traded, or the stream brings nothing', async () => {
    const bench = new CandleBench();
    bench.listen();
    for (const seconds of [10, 62, 63, 64, 122, 123]) await bench.tickAt(seconds, false);
    expect(bench.requests.map(({ to }) => (to - MONDAY_TEN) / SECOND)).toEqual([123, 183]);
  });

  test('are read at each minute where the stream brings nothing', async () => {
    const bench = new CandleBench();
    const reported = bench.listen();
    await bench.tickAt(10, false);
    await bench.tickAt(62, false);
    expect(bench.requests).toEqual([]);
    bench.history = [-2, -1, 0, 1];
    await bench.tickAt(63, false);
    expect(bench.requests[0]!.from).toBe(MONDAY_TEN + 63 * SECOND - 2 * MINUTE);
    // Which was the last before it listened is known only now.
    expect(reported).toEqual([]);
    await bench.tickAt(64, false);
    await bench.tickAt(122, false);
    expect(reported).toEqual([]);
    await bench.tickAt(123, false);
    expect(reported).toEqual(['1:501 R']);
  });

  test('are asked for again after five seconds where they could not be read, and this is told', async () => {
    const bench = new CandleBench();
    const reported = bench.listen(INFY, MONDAY_TEN - MINUTE);
    bench.error = new NetworkError('cut', { maySent: false });
    bench.history = [0];
    await bench.tickAt(61);
    bench.error = new TypeError('a defect');
    await bench.tickAt(65);
    expect(bench.requests).toHaveLength(1);
    await bench.tickAt(66);
    expect(bench.failures).toEqual([expect.any(NetworkError), undefined]);
    expect([bench.answers, reported]).toEqual([0, []]);
    bench.error = undefined;
    await bench.tickAt(71);
    expect([bench.answers, reported]).toEqual([1, ['0:500 R']]);
  });

  test('are not asked for again where there can be no session, nor before the last request is answered', async () => {
    const bench = new CandleBench();
    bench.listen(INFY, MONDAY_TEN - MINUTE);
    bench.error = new SessionError('refused');
    bench.candles.tick(true);
    bench.candles.tick(true);
    expect(bench.requests).toHaveLength(1);
    await bench.tickAt(0);
    expect(bench.failures).toHaveLength(1);
  });

  test('are not asked for before the service has told its time, nor told after the end', async () => {
    const unknown = new CandleBench(false);
    unknown.listen(INFY, MONDAY_TEN - MINUTE);
    await unknown.tickAt(61);
    expect(unknown.requests).toEqual([]);
    const bench = new CandleBench();
    const reported = bench.listen(INFY, MONDAY_TEN - MINUTE);
    bench.history = [0];
    bench.clock.set(MONDAY_TEN + 61 * SECOND);
    bench.candles.tick(true);
    bench.close();
    await bench.tickAt(61);
    expect([reported, bench.answers]).toEqual([[], 0]);
  });

  test('are not told where the history had them before they were over', async () => {
    const bench = new CandleBench();
    const reported = bench.listen(INFY, MONDAY_TEN - MINUTE);
    bench.history = [0, 1];
    await bench.tickAt(60);
    expect(reported).toEqual(['0:500 R']);
    // The newest of the history goes on as the stream's.
    bench.sendCandle(2, 1, { bucketTimestamp: at(2) });
    expect(reported).toEqual(['0:500 R', '1:501']);
  });

  test('are asked for no more where nobody listens to them', async () => {
    const bench = new CandleBench();
    const member = bench.candles.join(INFY, '1m', MONDAY_TEN - MINUTE, () => undefined);
    const other = bench.candles.join(INFY, '1m', undefined, () => undefined);
    bench.candles.leave(INFY, '1m', member);
    bench.candles.leave(INFY, '1m', other);
    bench.candles.leave(INFY, '1m', other);
    await bench.tickAt(61, false);
    await bench.tickAt(130, false);
    expect(bench.requests).toEqual([]);
  });

  test('are asked for together for several instruments, by kind and ten at a time', async () => {
    const bench = new CandleBench();
    for (let refId = 10; refId < 21; refId++)
      bench.listen({ ...INFY, refId, symbol: `S${refId}` }, MONDAY_TEN - MINUTE);
    bench.listen(NIFTY, MONDAY_TEN - MINUTE);
    bench.listen({ ...INFY, refId: 30, exchange: 'BSE' }, MONDAY_TEN - MINUTE);
    await bench.tickAt(1);
    expect(bench.requests.map(({ symbols, exchange }) => `${exchange} ${symbols.length}`)).toEqual([
      ...['NSE 10', 'NSE 1', 'NSE 1', 'BSE 1'],
    ]);
  });
});
