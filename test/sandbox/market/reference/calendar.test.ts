import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createCalendar } from '../../../../sandbox/src/market/reference/calendar';
import { commodityFutures, commodityOptions, equityExpiries } from '../../../../sandbox/src/market/reference/contracts';
import { compactDate, formatDayNumber, parseDayNumber } from '../../../../sandbox/src/shared/dates';
import { commodities } from '../../../../sandbox/src/market/reference/dated-tables';
import { describeWith, SHARED_DATA } from '../../../support/needs';

const { days, calendar } = createCalendar();
const clock = (at: number) => new Date(at + 330 * 60_000).toISOString().slice(11, 16);
const hours = (...of: Parameters<typeof calendar.sessions>) =>
  calendar.sessions(...of).map(({ phase, from, to }) => `${phase} ${clock(from)}-${clock(to)}`);

describe('Trading days', () => {
  it.each([
    ['2026-11-20', true, true],
    ['2026-11-21', false, false],
    ['2026-11-24', false, true],
    ['2026-11-08', true, true],
    ['2026-11-15', false, false],
    ['2025-02-01', true, true],
    ['2019-04-19', false, false],
    ['2023-04-07', false, false],
    ['2027-01-01', true, true],
    ['2026-01-26', false, false],
    ['2024-01-20', true, false],
    ['2031-08-15', false, false],
    ['2031-08-14', true, true],
  ])('are right on %s: NSE and BSE %s, MCX %s', (date, equity, commodity) => {
    expect([
      calendar.isTradingDay('NSE', date),
      calendar.isTradingDay('BSE', date),
      calendar.isTradingDay('MCX', date),
    ]).toEqual([equity, equity, commodity]);
  });

  it('are found before and after weekends and holidays', () => {
    expect(calendar.nextTradingDay('NSE', '2026-11-23')).toBe('2026-11-25');
    expect(calendar.previousTradingDay('NSE', '2026-11-25')).toBe('2026-11-23');
    expect(calendar.nextTradingDay('MCX', '2026-11-23')).toBe('2026-11-24');
    expect(calendar.nextTradingDay('NSE', '2026-11-21')).toBe('2026-11-23');
  });

  it('refuses what is no date', () => {
    expect(() => calendar.isTradingDay('NSE', '2026-13-01')).toThrow(
      '"2026-13-01" is not a date of the form YYYY-MM-DD',
    );
  });
});

describe('Sessions', () => {
  it('have a pre-open, continuous trading and a post-close for shares', () => {
    const usual = ['PRE_OPEN 09:00-09:08', 'OPEN 09:15-15:30', 'POST_CLOSE 15:40-16:00'];
    expect(hours('NSE', false, '2026-07-31')).toEqual(usual);
    expect(hours('NSE', false, '2026-08-03', false)).toEqual(usual);
  });

  it('end in a closing auction since 2026-08-03 for shares with derivatives', () => {
    expect(hours('BSE', false, '2026-08-03')).toEqual([
      'PRE_OPEN 09:00-09:08',
      'OPEN 09:15-15:15',
      'CLOSING_AUCTION 15:15-15:35',
      'POST_CLOSE 15:40-16:00',
    ]);
  });

  it('are ten minutes longer since then for derivatives', () => {
    expect(hours('NSE', true, '2026-07-31')).toEqual(['OPEN 09:15-15:30']);
    expect(hours('NSE', true, '2026-08-03')).toEqual(['OPEN 09:15-15:40']);
  });

  it('end later on MCX outside of daylight saving in America, and begin in the evening of some holidays', () => {
    expect(hours('MCX', true, '2026-10-30')).toEqual(['OPEN 09:00-23:30']);
    expect(hours('MCX', true, '2026-11-02')).toEqual(['OPEN 09:00-23:55']);
    expect(hours('MCX', true, '2026-03-06')).toEqual(['OPEN 09:00-23:55']);
    expect(hours('MCX', true, '2026-03-09')).toEqual(['OPEN 09:00-23:30']);
    expect(hours('MCX', true, '2026-11-24')).toEqual(['OPEN 17:00-23:55']);
    expect(hours('MCX', true, '2027-01-01')).toEqual(['OPEN 09:00-17:00']);
    expect(hours('NSE', true, '2027-01-01')).toEqual(['OPEN 09:15-15:40']);
  });

  it('have separate hours on special days, and none on holidays', () => {
    expect(hours('NSE', false, '2026-11-08')).toEqual(['OPEN 18:00-19:00']);
    expect(hours('MCX', true, '2026-11-08')).toEqual(['OPEN 18:00-19:00']);
    expect(hours('MCX', true, '2026-02-01')).toEqual(['OPEN 09:00-17:00']);
    expect(hours('MCX', true, '2025-10-21')).toEqual(['OPEN 13:45-14:45']);
    expect(hours('MCX', true, '2024-03-02')).toEqual([]);
    expect(hours('NSE', true, '2024-03-02')).toEqual(['OPEN 09:15-10:00', 'OPEN 11:30-12:30']);
    expect(hours('NSE', true, '2026-11-24')).toEqual([]);
  });
});

describe('Expiries', () => {
  const dates = (exchange: string, symbol: string, date: string) =>
    equityExpiries(days.equity, exchange, symbol, parseDayNumber(date)).map(({ day }) => formatDayNumber(day));

  it('are Tuesdays for NIFTY, moved by holidays', () => {
    expect(dates('NSE', 'NIFTY', '2026-11-18').slice(0, 5)).toEqual([
      '2026-11-23',
      '2026-12-01',
      '2026-12-08',
      '2026-12-15',
      '2026-12-22',
    ]);
  });

  it('are Thursdays for SENSEX', () => {
    expect(dates('BSE', 'SENSEX', '2026-11-18').slice(0, 4)).toEqual([
      '2026-11-19',
      '2026-11-26',
      '2026-12-03',
      '2026-12-10',
    ]);
  });

  it('are the last Tuesday of the month for stocks, the last Thursday before September 2025', () => {
    expect(dates('NSE', 'RELIANCE', '2026-11-24')).toEqual(['2026-12-29', '2027-01-25', '2027-02-23']);
    expect(dates('NSE', 'RELIANCE', '2025-07-01')).toEqual(['2025-07-31', '2025-08-28', '2025-09-30']);
  });

  it('are still listed on their last day', () => {
    expect(dates('NSE', 'NIFTY', '2026-11-23')[0]).toBe('2026-11-23');
    expect(dates('NSE', 'NIFTY', '2026-11-24')[0]).toBe('2026-12-01');
  });
});

describeWith(SHARED_DATA, 'Against days that really traded', (folder) => {
  it('every day from 2010-06-10 to 2026-08-21 is right', () => {
    const observed = new Set(
      readFileSync(resolve(folder, 'calendar/nse_trading_days_observed_2010_2026.csv'), 'utf8')
        .split('\n')
        .slice(1)
        .map((line) => line.slice(0, 10)),
    );
    const wrong: string[] = [];
    for (let day = parseDayNumber('2010-06-10'); day <= parseDayNumber('2026-08-21'); day++) {
      const date = formatDayNumber(day);
      if (observed.has(date) !== calendar.isTradingDay('NSE', date)) wrong.push(date);
    }
    expect(wrong).toEqual([]);
  });
});

describeWith(SHARED_DATA, 'Against a real instrument list of August 2026', (folder) => {
  interface Listed {
    segment: string;
    instrument_type: string;
    underlying_symbol?: string;
    expiry?: number;
  }
  const listed = JSON.parse(
    gunzipSync(readFileSync(resolve(folder, 'instruments/instruments_all_exchanges_202608.json.gz'))).toString(),
  ) as Listed[];
  const TODAY = parseDayNumber('2026-08-18');
  const expiriesOf = (segment: string, symbol: string, options: boolean) =>
    [
      ...new Set(
        listed
          .filter(
            (row) =>
              row.segment === segment &&
              row.underlying_symbol === symbol &&
              (row.instrument_type !== 'FUT') === options,
          )
          .map((row) => compactDate(Math.floor(((row.expiry ?? 0) + 330 * 60_000) / 86_400_000))),
      ),
    ].sort();

  it.each([
    ['NSE', 'NIFTY'],
    ['NSE', 'BANKNIFTY'],
    ['NSE', 'FINNIFTY'],
    ['NSE', 'RELIANCE'],
    ['BSE', 'SENSEX'],
    ['BSE', 'BANKEX'],
  ])('%s %s has the expiries of the real list', (exchange, symbol) => {
    const ours = equityExpiries(days.equity, exchange, symbol, TODAY).map(({ day }) => compactDate(day));
    expect(ours).toEqual(expiriesOf(`${exchange}_FO`, symbol, true));
  });

  it.each(['GOLD', 'GOLDM', 'SILVER', 'SILVERM', 'COPPER', 'ZINC', 'GOLDPETAL', 'ALUMINIUM', 'LEAD'])(
    'futures of %s expire as they do on MCX',
    (symbol) => {
      const row = commodities().find((commodity) => commodity.symbol === symbol);
      const ours = row && commodityFutures(days.commodity, row, TODAY).map(compactDate);
      expect(ours).toEqual(expiriesOf('MCX_FO', symbol, false));
    },
  );

  it.each(['GOLD', 'GOLDM', 'COPPER', 'ZINC'])('options on %s expire as they do on MCX', (symbol) => {
    const row = commodities().find((commodity) => commodity.symbol === symbol);
    const ours =
      row && commodityOptions(days.commodity, row, parseDayNumber('2026-08-17')).map(({ day }) => compactDate(day));
    expect(ours).toEqual(expiriesOf('MCX_FO', symbol, true));
  });
});
