/** Time decays second by second: there is no step of it to wait for, and candles hold what the seconds did. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createMarket } from '../../../../sandbox/src/market/prices/market';
import type { Market } from '../../../../sandbox/src/market/prices/types';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';
import { readRecordings } from '../../../../sandbox/src/simulation/recordings';
import { ist } from '../leaks/bots';

const [SECOND, MINUTE, TICK] = [1_000, 60_000, 5];

/** The call and the put on NIFTY that expire next, nearest to the money at an instant. */
function straddle(market: Market, at: number): Instrument[] {
  const universe = market.universe(at);
  const price = market.price(universe.bySymbol('NSE', 'NIFTY')!, at);
  const { ce, pe } = universe.options('NSE', 'NIFTY', universe.expiries('NSE', 'NIFTY')[0]!);
  const away = ({ strikePrice }: Instrument): number => Math.abs(strikePrice - price);
  return [ce, pe].map((options) => [...options].sort((a, b) => away(a) - away(b))[0]!);
}

describe('The price of an option', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'still-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('falls within each minute while its index does not move, and not from one minute to the next', async () => {
    const day = '2021-01-07';
    const minutes = Array.from({ length: 375 }, (_, n) => new Date(ist(`${day}T09:16:00`) + n * MINUTE + 19_800_000));
    const rows = minutes.map(
      (end) => `NIFTY,${day.replaceAll('-', '')},${end.toISOString().slice(11, 16)},14000,14000,14000,14000,0,0`,
    );
    writeFileSync(path.join(folder, 'minute_NIFTY.txt'), rows.join('\n'));
    const market = createMarket({ seed: 7, universe: 'demo', recordings: await readRecordings(folder) });
    const begin = ist(`${day}T15:00:00`);
    const legs = straddle(market, begin);
    const worth = (at: number): number => legs.reduce((sum, leg) => sum + market.price(leg, at), 0);
    for (let at = begin; at < begin + 20 * MINUTE; at += MINUTE) {
      expect(worth(at + 59 * SECOND)).toBeLessThan(worth(at));
      expect(worth(at + 59 * SECOND) - worth(at + MINUTE)).toBeLessThanOrEqual(legs.length * TICK);
    }
  });

  it('has candles that hold exactly what its seconds did, also where time takes more than a tick off it', () => {
    const market = createMarket({ seed: 7, universe: 'demo' });
    const day = '2026-09-15';
    const from = ist(`${day}T14:50:00`);
    for (const leg of straddle(market, from)) {
      const minutes = market.bars(leg, '1m', ist(`${day}T09:15:00`), ist(`${day}T16:00:00`));
      for (const bar of minutes.filter(({ at }) => at >= from)) {
        const prices = Array.from({ length: 60 }, (_, second) => market.price(leg, bar.at + second * SECOND));
        const [high, low] = [Math.max(...prices), Math.min(...prices)];
        expect(bar).toMatchObject({ open: prices[0], high, low, close: prices.at(-1) });
      }
      const [whole] = market.bars(leg, '1d', ist(`${day}T09:15:00`), ist(`${day}T16:00:00`));
      expect(whole).toMatchObject({
        open: minutes[0]!.open,
        high: Math.max(...minutes.map(({ high }) => high)),
        low: Math.min(...minutes.map(({ low }) => low)),
        close: minutes.at(-1)!.close,
      });
    }
  });
});
