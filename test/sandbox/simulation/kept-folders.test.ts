/** Folders of ../shared/cases/recordings, as public reports have them: each is taken as its table there says, or refused in words. */
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { checkRecordings, readRecordings } from '../../../sandbox/src/simulation/recordings';
import { formatDayNumber } from '../../../sandbox/src/shared/dates';
import { describeWith, SHARED_CASES } from '../../support/needs';

/** Instrument, length of the bars in seconds, days, first and last bar's close in rupees, bars. */
type Taken = [
  instrument: string,
  interval: number,
  first: string,
  last: string,
  opens: number,
  closes: number,
  bars: number,
];
const DAY = 86_400;

const TAKEN: [folder: string, taken: Taken[]][] = [
  ['01-tradingview-daily', [['NSE NIFTY', DAY, '2010-06-01', '2010-06-08', 5086.25, 4987.1, 6]]],
  ['02-tradingview-intraday', [['NSE RELIANCE', 900, '2025-11-20', '2025-11-20', 1520, 1520, 25]]],
  ['03-nse-index-download', [['NSE BANKNIFTY', DAY, '2025-11-26', '2025-11-28', 58888.65, 59752.7, 3]]],
  ['04-kaggle-minute-bank', [['NSE BANKNIFTY', 60, '2025-11-27', '2025-11-27', 59762.6, 59750.85, 60]]],
  ['42c-nifty-underscore-bank', [['NSE BANKNIFTY', 60, '2025-11-27', '2025-11-27', 59762.6, 59750.85, 60]]],
  [
    '05-kaggle-minute-both',
    [
      ['NSE NIFTY', 60, '2025-11-27', '2025-11-27', 26215.55, 26215.55, 60],
      ['NSE BANKNIFTY', 60, '2025-11-27', '2025-11-27', 59762.6, 59750.85, 60],
    ],
  ],
  ['42b-nifty-it', [['NSE NIFTYIT', DAY, '2025-11-27', '2025-11-28', 37300.3, 37405.5, 2]]],
  ['08-nse-quote-download', [['NSE RELIANCE', DAY, '2025-11-27', '2025-11-28', 1569, 1567.5, 2]]],
  [
    '09-gdfl-stocks',
    [
      ['NSE RELIANCE', 60, '2025-11-28', '2025-11-28', 1563, 1561.95, 15],
      ['NSE INFY', 60, '2025-11-28', '2025-11-28', 1560, 1559.1, 15],
    ],
  ],
  ['11-gdfl-times', [['NSE RELIANCE', 60, '2025-11-28', '2025-11-28', 1563, 1561.95, 375]]],
  ['12-yfinance-3-rows', [['NSE RELIANCE', DAY, '2024-10-11', '2024-10-16', 1370, 1354.07, 4]]],
  ['13-yfinance-2-rows-utc', [['NSE NIFTY', 300, '2025-11-10', '2025-11-11', 25515.8, 25513.45, 80]]],
  [
    '15-bse-eq-without-date',
    [
      ['NSE ABB', DAY, '2024-01-01', '2024-01-01', 4675, 4684.15, 1],
      ['NSE RELIANCE', DAY, '2024-01-01', '2024-01-01', 2580.55, 2589.95, 1],
    ],
  ],
  [
    '17-nse-ind-close-all',
    [
      ['NSE NIFTY', DAY, '2025-03-26', '2025-03-26', 23700.95, 23486.85, 1],
      ['NSE NIFTYNXT50', DAY, '2025-03-26', '2025-03-26', 62721.45, 62460.8, 1],
      ['NSE BANKNIFTY', DAY, '2025-03-26', '2025-03-26', 51641.6, 51209, 1],
    ],
  ],
  ['18-investing', [['NSE NIFTY', DAY, '2025-01-21', '2025-02-20', 23421.65, 22881.1, 24]]],
  ['21-bse-sensex', [['BSE SENSEX', DAY, '2019-01-23', '2019-03-20', 36494.12, 38386.75, 40]]],
  ['22-long-day-2021-02-24', [['NSE BANKNIFTY', 900, '2021-02-22', '2021-02-26', 35874.3, 34849.4, 109]]],
  ['24-metastock', [['NSE RELIANCE', 60, '2025-11-28', '2025-11-28', 1563, 1565.2, 3]]],
  [
    '25-fyers',
    [
      ['NSE NIFTY', 60, '2025-11-28', '2025-11-28', 26215, 26228.8, 2],
      ['NSE RELIANCE', 60, '2025-11-28', '2025-11-28', 1563, 1564.8, 2],
      ['NSE BANKNIFTY', 60, '2025-11-28', '2025-11-28', 59737, 59713.55, 1],
    ],
  ],
  ['27-am-pm', [['NSE RELIANCE', 60, '2025-11-28', '2025-11-28', 1563, 1566.8, 3]]],
];

const REFUSED: [folder: string, words: RegExp][] = [
  ['06-vix-minute', /^INDIA VIX_minute\.csv, line 2: .*"INDIA VIX".*"skip": true/],
  ['23-weekly', /^BANKNIFTY\.csv, line 3: its rows are a week apart.*"interval": "1d"/],
  ['43-option-candles', /^NIFTY_26200_CE\.csv, line 2: .*future or option.*"skip": true/],
];

describeWith(SHARED_CASES, 'folders of public reports', (cases) => {
  const folder = (name: string): string => path.join(cases, 'recordings', name);

  test.each(TAKEN)('%s is taken', async (name, expected) => {
    const { instruments } = await readRecordings(folder(name));
    const found = [...instruments].map(([instrument, { interval, days }]): Taken => {
      const all = [...days.values()].flatMap((day) => day.bars());
      const dates = [...days.keys()].map(formatDayNumber);
      return [instrument, interval, dates[0]!, dates.at(-1)!, all[0]!.open / 100, all.at(-1)!.close / 100, all.length];
    });
    expect(found).toEqual(expected);
  });

  test.each(REFUSED)('%s is refused in words', async (name, words) => {
    await expect(readRecordings(folder(name))).rejects.toThrow(words);
  });

  test('the bar of 09:15:59 is that of 09:15: its volume and range are within its minute', async () => {
    const { instruments } = await readRecordings(folder('11-gdfl-times'));
    const [day] = instruments.get('NSE RELIANCE')!.days.values();
    expect(day!.bars()[0]).toMatchObject({ from: 0, to: 60, high: 156_335, low: 156_125, volume: 1_500 });
  });

  test('the day on which trade went on until 17:00 has its bars until then', async () => {
    const { instruments } = await readRecordings(folder('22-long-day-2021-02-24'));
    const { days } = instruments.get('NSE BANKNIFTY')!;
    const day = [...days].find(([number]) => formatDayNumber(number) === '2021-02-24')![1];
    expect(day.officialClose).toBe(3_653_855);
    // From 09:15 to 17:00.
    expect(day.bars().at(-1)).toMatchObject({ from: 7.5 * 3_600, to: 7.75 * 3_600, close: 3_653_855 });
  });

  test('renamed shares are found by ISIN, and what is left out is named in the check', async () => {
    const said = await checkRecordings(folder('35-former-symbols'));
    for (const name of [
      'INFY',
      'UNITDSPR',
      'ZYDUSLIFE',
      'MOTHERSON',
      'INDUSTOWER',
      'SHRIRAMFIN',
      'LTF',
      'SAMMAANCAP',
      'TMPV',
      'ZEEL',
    ])
      expect(said).toContain(`NSE ${name} `);
    expect(said).toContain('left out 1 row of shares and indices that this market does not have: HDFC.');
    expect(said).toMatch(
      /MCDOWELL-N is UNITDSPR today, .* by NSE's list of symbol changes of 2025-04-30; ISINs of 2 earlier end-of-day files\./,
    );
    expect(said).toContain('a share that was renamed later, or is listed no more, is not found');
  });
});
