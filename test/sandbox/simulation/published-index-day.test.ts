/** The index's days in a report are those that anyone can look up: of each recorded day of two months, against the exchange's own file. */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { describeWith } from '../../support/needs';
import { indexDay } from '../../../sandbox/src/simulation/published-index-day';
import { parseOptions } from '../../../sandbox/src/simulation/command-line';
import { Sandbox } from '../../../sandbox/src/simulation/sandbox';
import { share } from '../../support/sample';

const HISTORY = {
  name: 'real history',
  found: [path.resolve(__dirname, '../../../../shared/data/history')].find((folder) => existsSync(folder)),
};

describeWith(HISTORY, 'the days of an index', (history) => {
  /** Low, high and close of NIFTY by date, paise. */
  const published = new Map(
    readFileSync(path.join(history, 'NIFTY50_daily_merged.csv'), 'utf8')
      .split('\n')
      .map((line) => line.split(','))
      .map(([date, , high, low, close]) => [date!, [low, high, close].map((price) => Math.round(Number(price) * 100))]),
  );

  test.each(share(['2020-03', '2021-01'], 2, 1))('%s has the low, high and close of every day', async (month) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'index-day-'));
    try {
      copyFileSync(path.join(history, `minute_NIFTY_${month}.txt.gz`), path.join(folder, 'NIFTY.txt.gz'));
      const given = parseOptions(['--replay', folder, '--clock', 'manual', '--port', '0', '--rate-limit', 'off']);
      if (typeof given === 'string') throw new Error(given);
      const sandbox = await Sandbox.open(given);
      const index = sandbox.world.universe().bySymbol('NSE', 'NIFTY')!;
      const { dates } = sandbox.recordings!;
      expect(dates.length).toBeGreaterThan(18);
      const { world, recordings, options } = sandbox;
      // In the evening of each day, as at the end of a backtest.
      const found = dates.map((date) => {
        const instant = Date.parse(`${date}T18:00:00+05:30`);
        const { low, high, close } = indexDay({ world, recordings, options, instant }, index, date)!;
        return [date, [low, high, close]];
      });
      expect(found).toEqual(dates.map((date) => [date, published.get(date)]));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
