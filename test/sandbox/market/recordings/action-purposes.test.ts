/** Purposes in the exchange's list of corporate actions, in every spelling of the years. */
import { readPurpose } from '../../../../sandbox/src/market/recordings/action-purposes';

const dividend = (rupees: number) => ({ dividend: Math.round(rupees * 100), ratio: undefined, others: [] });
const split = (after: number) => ({ dividend: 0, ratio: { kind: 'split', before: 1, after }, others: [] });
const bonus = (issued: number, held: number) => ({
  dividend: 0,
  ratio: { kind: 'bonus', before: held, after: held + issued },
  others: [],
});
const nothing = dividend(0);

it.each([
  ['Dividend - Rs 8 Per Share', dividend(8)],
  ['Dividend - Re 0.50 Per Share', dividend(0.5)],
  ['Dividend - Rs 10/- Per Share', dividend(10)],
  ['Interim Dividend-Rs.1.75 Per Share', dividend(1.75)],
  ['Interim Dividend - Rs 8 Per Share Special Dividend - Rs 67 Per Share', dividend(75)],
  ['Annual General Meeting/Special Dividend - Rs 8 Per Share /Dividend - Rs 20 Per Share', dividend(28)],
  ['Annual General Meeting/Dividend - Rs 15 Per Share Special Dividend 15 Per Share', dividend(30)],
  ['Interim Dividend - Rs 5.25 Per Share And Special Dividend - Rs 2 Per Share', dividend(7.25)],
  ['Dividend - Rs 3 Per Share & Special Dividend - Rs 3 Per Share', dividend(6)],
  ['AGM/DIV-RS.8.50 PER SHARE', dividend(8.5)],
  ['AGM/DIVIDEND-25%', dividend(2.5)],
  ['INT DIV-RE.1 PER SHARE', dividend(1)],
  ['Bonus 1:1', bonus(1, 1)],
  ['Bonus 1 : 1', bonus(1, 1)],
  ['BONUS ISSUE IN THE RATIO OF 2:3', bonus(2, 3)],
  ['Annual General Meeting/ Dividend - Rs 29.50/- Per Share And Bonus 1:1', { ...bonus(1, 1), dividend: 2_950 }],
  ['Face Value Split (Sub-Division) - From Rs 10/- Per Share To Rs 2/- Per Share', split(5)],
  ['Face Value Split (Sub-Division) - From Rs 10/- Per Share To Re 1/- Per Share', split(10)],
  ['Face Value Split (Sub-Division) - From Rs 10/- To Rs 2/-', split(5)],
  ['FV SPLIT RS.10 TO RS.2', split(5)],
  ['Stock Split From Rs 10 to Rs 2', split(5)],
  [
    'Bonus 1:1/Face Value Split (Sub-Division) - From Rs 2/- Per Share To Re 1/- Per Share',
    { dividend: 0, ratio: { kind: 'bonus', before: 1, after: 4 }, others: [] },
  ],
  ['FV SPLT FRM RS 10 TO RS 2', split(5)],
  ['FV SPL RS10 TO RE1', split(10)],
  ['1ST INT DIV-RS 2 PER SHARE', dividend(2)],
  ['2ND INT DIV RS 5/-', dividend(5)],
  ['3RD INTERIM DIVIDEND 20%', dividend(2)],
  ['Dividend-Rs - 1.2000', dividend(1.2)],
  ['Interim Dividend - Rs 1,250 Per Share', dividend(1_250)],
  ['DIV-RS.1.50 PER SH(75%)', dividend(1.5)],
  ['DIV-10% (RE 1)', dividend(1)],
  ['Final Dividend - Rs 8 Per Share (Including Special Dividend Rs 3)', dividend(8)],
  [
    'Dividend - Rs 12 Per Share (Including Special Dividend Of Rs 4 Per Share) And Bonus 1:1',
    { ...bonus(1, 1), dividend: 1_200 },
  ],
  ['Dividend Rs 15/- Per Share Incl. Special Dividend Rs 5/-', dividend(15)],
  ['Dividend Rs 15 Including Special Dividend Rs 5 And Bonus 1:1', { ...bonus(1, 1), dividend: 1_500 }],
  ['Dividend - Rs 24 Per Share (Interim Dividend Rs 10 And Final Dividend Rs 14)', dividend(24)],
  ['Annual General Meeting (Special Dividend Rs 5)', dividend(5)],
  ['Dividend - Rs 2 Per Share (Purpose Revised)', dividend(2)],
  ['Bonus 1:2 (Record Date Revised)', bonus(1, 2)],
  ['Bonus Shares 1:1', bonus(1, 1)],
  ['Bonus Issue Of Equity Shares 2:1', bonus(2, 1)],
  ['Bonus issue 1:1 Ratio', bonus(1, 1)],
  ['Sub Division of Equity Shares From Rs 10 to Re 1', split(10)],
  ['Dividend 50 paise per share', dividend(0.5)],
  ['Dividend - Rs.0.10 paise Per Share', dividend(0.1)],
  ['Dividend for 2019-20 @ 25%', dividend(2.5)],
  ['Final Dividend FY 2023-24 - 5 Per Share', dividend(5)],
  ['Dividend 2000%', dividend(200)],
  ['Dividend (Rs 5) On Preference Shares', nothing],
  ['Hive Off', { ...nothing, others: ['HIVE OFF'] }],
  ['Return Of Capital', { ...nothing, others: ['RETURN OF CAPITAL'] }],
  ['Annual General Meeting', nothing],
  ['Buy Back', nothing],
  ['Interest Payment', nothing],
  ['Rights 3:14 @ Premium Rs 1247/-', { ...nothing, others: ['RIGHTS 3:14 @ PREMIUM RS 1247'] }],
  ['Demerger', { ...nothing, others: ['DEMERGER'] }],
  ['Scheme Of Arrangement - Bonus Ncrps 4:1', { ...nothing, others: ['SCHEME OF ARRANGEMENT -', 'BONUS NCRPS 4:1'] }],
])('%s is understood', (text, purpose) => {
  expect(readPurpose(text, 10)).toEqual(purpose);
});

it.each([
  ['Dividend', 'does not say how many rupees'],
  ['Dividend Rs 5 (Special Dividend Rs 3)', 'is a part of the other'],
  ['Dividend Rs 50 Paise', 'does not say how many rupees'],
  ['Dividend 2019', 'does not say how many rupees'],
  ['Dividend - Rs 0 Per Share', 'does not say how many rupees'],
  ['Face Value Split (Sub-Division) - From Rs 2/- Per Share', 'from which face value to which'],
  ['Split From Rs 2 To Rs 10', 'from which face value to which'],
  ['Split From Rs 10 To Rs 3', 'from which face value to which'],
  ['Bonus 0:1', 'is no ratio'],
  [`Dividend - Rs 8 ${'x'.repeat(500)}`, 'characters'],
])('%s is not understood', (text, words) => {
  expect(readPurpose(text, undefined)).toContain(words);
});

it('a dividend in percent needs the face value', () => {
  expect(readPurpose('DIV-25%', undefined)).toContain('does not say how many rupees');
  expect(readPurpose('DIV-25%', 2)).toEqual(dividend(0.5));
});
