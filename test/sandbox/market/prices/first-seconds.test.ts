/** Within recorded minutes nobody earns by following the first seconds: of an index, of the other one, of what is worked out of it. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createMarket } from '../../../../sandbox/src/market/prices/market';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';
import { readRecordings } from '../../../../sandbox/src/simulation/recordings';
import { describeWith, SHARED_DATA } from '../../../support/needs';
import { share } from '../../../support/sample';
import { ist } from '../leaks/bots';
import { Bets } from '../leaks/statistics';

const [SECOND, MINUTE] = [1_000, 60_000];

describeWith(SHARED_DATA, 'The first seconds of recorded minutes', (shared) => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'minutes-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /**
   * Bets on each minute's first move after 2, 4 and 10 seconds, to the end of the minute. @returns the results in
   * hundredths of a percent, by the instrument that is bought, the one that is followed, and the seconds
   */
  async function follow(month: string): Promise<Map<string, Bets>> {
    for (const symbol of ['NIFTY', 'BANKNIFTY'])
      copyFileSync(
        path.resolve(shared, `history/minute_${symbol}_${month}.txt.gz`),
        path.join(folder, `minute_${symbol}.txt.gz`),
      );
    const recordings = await readRecordings(folder);
    const market = createMarket({ seed: 1, universe: 'demo', recordings });
    const bets = new Map<string, Bets>();
    for (const day of recordings.dates) {
      const open = ist(`${day}T09:16:00`);
      const universe = market.universe(open);
      const [nifty, bank] = ['NIFTY', 'BANKNIFTY'].map((symbol) => universe.bySymbol('NSE', symbol)!);
      const future = universe.futures('NSE', 'NIFTY')[0]!;
      const change = (of: Instrument, from: number, to: number): number =>
        Math.log(market.price(of, to) / market.price(of, from));
      for (let minute = 0; minute < 372; minute++)
        for (const seconds of [2, 4, 10]) {
          const at = open + minute * MINUTE;
          const then = at + seconds * SECOND;
          for (const [name, lead, of] of [
            ['NIFTY', nifty, nifty],
            ['BANKNIFTY by NIFTY', nifty, bank],
            ['NIFTY by BANKNIFTY', bank, nifty],
            ['future by NIFTY', nifty, future],
          ] as const) {
            const way = Math.sign(change(lead!, at, then));
            if (way === 0) continue;
            const found = bets.get(`${name}, ${seconds} s`) ?? new Bets();
            bets.set(`${name}, ${seconds} s`, found);
            found.add(10_000 * way * change(of!, then, at + MINUTE - SECOND));
          }
        }
    }
    return bets;
  }

  // Fitted to the first month; the second was left out.
  it.each(share(['2020-03', '2021-01'], 2, 1))('the first seconds of %s tell nothing that pays', async (month) => {
    const bets = await follow(month);
    expect(bets.size).toBe(12);
    const profitable = [...bets].filter(([, { mean, error }]) => mean > (month === '2021-01' ? 2 * error : 1));
    expect(profitable.map(([name, { mean, error }]) => `${name}: ${mean.toFixed(2)} ± ${error.toFixed(2)}`)).toEqual(
      [],
    );
    // Nor does the opposite earn, whose trade in a future costs several times as much.
    const least = Math.min(...[...bets.values()].map(({ mean }) => mean));
    expect(least).toBeGreaterThan(month === '2021-01' ? -0.75 : -1.5);
  });
});
