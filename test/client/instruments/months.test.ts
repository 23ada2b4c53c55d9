/** Months and days without a year in the name of a contract. */
import { chosenExpiry, listExpiries } from '../../../client/instruments/expiries';
import { resolveText } from '../../../client/instruments/resolve';
import { istInstant } from '../../../client/values/time';
import { refusal } from '../../support/refusal';
import { future, option, storeOfRows, TODAY } from './listed-instruments';

describe('a contract that is named by its month', () => {
  it('is never the weekly contract where only the month is written', () => {
    const weekliesOnly = storeOfRows('NSE', [
      option('NIFTY', 'NIFTY26D0125900CE', 20261201, 2_590_000, 'CE'),
      option('NIFTY', 'NIFTY26D0825900CE', 20261208, 2_590_000, 'CE'),
    ]);
    expect(refusal(() => resolveText([weekliesOnly], 'NIFTY DEC 25900 CE', { today: TODAY })).message).toBe(
      'NIFTY has no options that expire in Dec (the monthly expiry).',
    );
  });

  it.each(['NIFTY DEC 25900', 'nifty 29 dec 25900'])(
    '%s lacks the word that says whether it is a call or a put',
    (text) => {
      const listed = storeOfRows('NSE', [option('NIFTY', 'NIFTY26DEC25900CE', 20261229, 2_590_000, 'CE')]);
      expect(refusal(() => resolveText([listed], text, { today: TODAY }))).toMatchObject({
        message: `There is no instrument "${text.toUpperCase()}" on NSE today.`,
        hint: `Say whether it is a call or a put: ${text.toUpperCase()} CE, or ${text.toUpperCase()} PE.`,
      });
      expect(refusal(() => resolveText([listed], 'NIFTY DEC 99999', { today: TODAY }))).toMatchObject({
        hint: expect.stringContaining('Search for it'),
      });
    },
  );

  it.each(['NIFTY29DEC26', 'nifty 29 dec 2026', 'NIFTY DEC', 'NIFTY26DEC'])(
    '%s lacks the word that says that it is a future',
    (text) => {
      const listed = storeOfRows('NSE', [future('NIFTY', 'NIFTY26DECFUT', 20261229)]);
      expect(refusal(() => resolveText([listed], text, { today: TODAY }))).toMatchObject({
        hint: `Say what it is: ${text.toUpperCase()} FUT for the future, or add strike and CE or PE for an option.`,
      });
    },
  );

  it.each([
    ['NIFTY DEC 25900 CE', 'NIFTY has no CE with strike 25900 for 29 Dec 2026.'],
    ['NIFTY DEC 2026 25900 CE', 'NIFTY has no CE with strike 25900 for 29 Dec 2026.'],
    ['NIFTY26DEC25900CE', 'NIFTY has no CE with strike 25900 for 29 Dec 2026.'],
    ['NIFTY 26DEC 25900 CE', /^NIFTY has no CE with strike 25900 for/],
    ['NIFTY 26 DEC 25900 CE', /^NIFTY has no CE with strike 25900 for/],
  ])('%s is never a weekly contract where the monthly has no such strike', (text, message) => {
    const listed = storeOfRows('NSE', [
      option('NIFTY', 'NIFTY26D2225900CE', 20261222, 2_590_000, 'CE'),
      ...(text.includes(' 26') ? [option('NIFTY', 'NIFTY26D2625900CE', 20261226, 2_590_000, 'CE')] : []),
      option('NIFTY', 'NIFTY26DEC26000CE', 20261229, 2_600_000, 'CE'),
    ]);
    expect(refusal(() => resolveText([listed], text, { today: TODAY })).message).toMatch(message);
  });

  it('is never the weekly contract of a day that is also the year, where the monthly is not listed', () => {
    const listed = storeOfRows('NSE', [option('NIFTY', 'NIFTY26D2625900CE', 20261226, 2_590_000, 'CE')]);
    for (const text of ['NIFTY 26DEC 25900 CE', 'NIFTY26DEC25900CE', 'NIFTY DEC 26 25900 CE'])
      expect(refusal(() => resolveText([listed], text, { today: TODAY })).message).toEqual(
        expect.stringMatching(/^NIFTY has no options that expire .*in Dec 2026 \(the monthly expiry\)/),
      );
    expect(resolveText([listed], 'NIFTY 26 Dec 2026 25900 CE', { today: TODAY }).symbol).toBe('NIFTY26D2625900CE');
  });

  it.each([
    'NIFTY25DEC25900CE',
    'NSE:NIFTY25DEC25900CE',
    'NFO:NIFTY24DEC25900CE',
    'NIFTY24DECFUT',
    'NIFTY25DECFUT',
    'NIFTY15DEC25900CE',
  ])('%s, the code of a contract of a past year, is never that day of this one', (text) => {
    const listed = storeOfRows('NSE', [
      ...[15, 24, 25].flatMap((day) => [
        option('NIFTY', `NIFTY26D${day}25900CE`, 20_261_200 + day, 2_590_000, 'CE'),
        future('NIFTY', `NIFTY26D${day}FUT`, 20_261_200 + day),
      ]),
      option('NIFTY', 'NIFTY26DEC25900CE', 20261229, 2_590_000, 'CE'),
      future('NIFTY', 'NIFTY26DECFUT', 20261229),
    ]);
    expect(refusal(() => resolveText([listed], text, { today: TODAY })).message).toMatch(/^NIFTY has no /);
    expect(resolveText([listed], 'NIFTY 24 DEC 25900 CE', { today: TODAY }).symbol).toBe('NIFTY26D2425900CE');
    expect(resolveText([listed], 'NIFTY24DEC2625900CE', { today: TODAY }).symbol).toBe('NIFTY26D2425900CE');
  });

  it.each([
    'NIFTY 28 DEC 25900 CE',
    'NIFTY 28DEC 25900 CE',
    'NIFTY 27 DEC 25900 CE',
    'NIFTY DEC 28 25900 CE',
    'NIFTY 30 JUN 25900 CE',
    'NIFTY NOV 25900 CE',
    'NIFTY OCT 25900 CE',
  ])('%s, without a year, is never an option of years to come', (text) => {
    const listed = storeOfRows('NSE', [
      option('NIFTY', 'NIFTY26DEC25900CE', 20261229, 2_590_000, 'CE'),
      option('NIFTY', 'NIFTY27JUN25900CE', 20270629, 2_590_000, 'CE'),
      option('NIFTY', 'NIFTY27DEC25900CE', 20271228, 2_590_000, 'CE'),
      option('NIFTY', 'NIFTY28JUN25900CE', 20280630, 2_590_000, 'CE'),
      option('NIFTY', 'NIFTY28OCT25900CE', 20281031, 2_590_000, 'CE'),
      option('NIFTY', 'NIFTY28NOV25900CE', 20281128, 2_590_000, 'CE'),
      option('NIFTY', 'NIFTY29DEC25900CE', 20291224, 2_590_000, 'CE'),
    ]);
    expect(refusal(() => resolveText([listed], text, { today: TODAY })).message).toMatch(/^NIFTY has no options that/);
    const read = (name: string): string => resolveText([listed], name, { today: TODAY }).symbol;
    expect(read('NIFTY 29 DEC 25900 CE')).toBe('NIFTY26DEC25900CE');
    expect(read('NIFTY27DEC25900CE')).toBe('NIFTY27DEC25900CE');
    expect(read('NIFTY29DEC25900CE')).toBe('NIFTY29DEC25900CE');
    expect(read('NIFTY 29 JUN 25900 CE')).toBe('NIFTY27JUN25900CE');
  });

  it("is the exchange's monthly, whatever day of its month that is, with and without a future of the month", () => {
    const crude = storeOfRows('MCX', [
      future('CRUDEOIL', 'CRUDEOIL26DECFUT', 20261218),
      option('CRUDEOIL', 'CRUDEOIL26DEC5500CE', 20261216, 550_000, 'CE'),
    ]);
    expect(resolveText([crude], 'CRUDEOIL DEC 5500 CE', { today: TODAY }).symbol).toBe('CRUDEOIL26DEC5500CE');
    expect(resolveText([crude], 'CRUDEOIL DEC FUT', { today: TODAY }).symbol).toBe('CRUDEOIL26DECFUT');
    // On a holiday the last expiry of a month comes a day early: a week later it is still December.
    const early = storeOfRows('NSE', [
      option('NIFTY', 'NIFTY26D1725900CE', 20261217, 2_590_000, 'CE'),
      option('NIFTY', 'NIFTY26DEC25900CE', 20261224, 2_590_000, 'CE'),
    ]);
    expect(resolveText([early], 'NIFTY DEC 25900 CE', { today: TODAY }).symbol).toBe('NIFTY26DEC25900CE');
    expect(chosenExpiry(early, 'NIFTY', 'monthly', istInstant(TODAY, '10:00'))).toBe('2026-12-24');
  });
});

it('names the type of contracts that is not known, where none of another type is listed', () => {
  const rows = [option('NIFTY', 'NIFTY26D0125900CE', 20261201, 2_590_000, 'CE')];
  const unknown = storeOfRows(
    'NSE',
    rows.map((row) => ({ ...row, type: 'PARKED', option: 'PARKED' })),
  );
  expect(refusal(() => listExpiries(unknown, 'nifty', TODAY)).message).toMatch(
    /with the type "PARKED", which is not known here/,
  );
  expect(refusal(() => listExpiries(unknown, 'SENSEX', TODAY)).message).toMatch(/has no derivatives of "SENSEX"/);
});

it.each([
  ['NIFTY 29DEC25900CE', 'NIFTY26DEC25900CE'],
  ['NIFTY 08DEC25900CE', 'NIFTY26D0825900CE'],
  ['NIFTY 26DEC25900CE', 'NIFTY26DEC25900CE'],
  ['NIFTY29DEC25900CE', 'NIFTY29DEC25900CE'],
])('a code with a blank names a day of this year, and an exchange symbol its year: %s is %s', (text, symbol) => {
  const listed = storeOfRows('NSE', [
    option('NIFTY', 'NIFTY26D0825900CE', 20261208, 2_590_000, 'CE'),
    option('NIFTY', 'NIFTY26DEC25900CE', 20261229, 2_590_000, 'CE'),
    option('NIFTY', 'NIFTY29DEC25900CE', 20291224, 2_590_000, 'CE'),
  ]);
  expect(resolveText([listed], text, { today: TODAY }).symbol).toBe(symbol);
});

it('takes no strike for a year: RELIANCE 28 DEC 1500 CE', () => {
  const listed = storeOfRows('NSE', [option('RELIANCE', 'RELIANCE26DEC1500CE', 20261229, 150_000, 'CE')]);
  expect(refusal(() => resolveText([listed], 'RELIANCE 28 DEC 1500 CE', { today: TODAY })).message).toBe(
    'RELIANCE has no options that expire on 28 Dec.',
  );
});
