/** Markets that are named with a symbol, as brokers, charting sites and addresses write them: each says which kinds may be meant. */
import { refusal } from '../../support/refusal';
import { resolveName } from './listed-instruments';

it.each([
  ['NSE_EQ%7CINE009A01021', 'NSE INFY'],
  ['NSE%3ANIFTY%2050', 'NSE NIFTY'],
  ['IDX_I:BANKNIFTY', 'NSE BANKNIFTY'],
  ['IDX_I:SENSEX', 'BSE SENSEX'],
  ['INDEXNSE:NIFTY_50', 'NSE NIFTY'],
  ['INDEXBOM:SENSEX', 'BSE SENSEX'],
  ['NIFTY29DEC26FUT-NFO', 'NSE NIFTY26DECFUT'],
  ['SENSEX31DEC26FUT-BFO', 'BSE SENSEX26DECFUT'],
  ['NIFTY-NSE_INDEX', 'NSE NIFTY'],
  ['NFO NIFTY26DECFUT', 'NSE NIFTY26DECFUT'],
  ['NSE_EQ-INFY', 'NSE INFY'],
  ['NSE-NIFTY-23Nov26-25850-CE', 'NSE NIFTY26N2325850CE'],
  ['NSE_CM|Nifty 50', 'NSE NIFTY'],
  ['NFO:NIFTY1!', 'NSE NIFTY26NOVFUT'],
  ['INFY NSE EQ', 'NSE INFY'],
  ['NSE EQ INFY', 'NSE INFY'],
  ['INFY BSE EQ', 'BSE INFY'],
  ['NIFTY26DECFUT NSE FO', 'NSE NIFTY26DECFUT'],
  ['NIFTY NSE INDEX', 'NSE NIFTY'],
  ['INFY - NSE', 'NSE INFY'],
  ['BSE - INFY', 'BSE INFY'],
  ['INFY, BSE', 'BSE INFY'],
  ['INFY [NSE]', 'NSE INFY'],
  ['NSE.INFY', 'NSE INFY'],
  ['BSE EQ', 'NSE BSE'],
  ['NIFTY_I', 'NSE NIFTY26NOVFUT'],
  ['NIFTY_II', 'NSE NIFTY26DECFUT'],
  ['NIFTY20261123C25850', 'NSE NIFTY26N2325850CE'],
  ['NIFTY20261123CE25850', 'NSE NIFTY26N2325850CE'],
  ['NIFTY261123CE25850', 'NSE NIFTY26N2325850CE'],
  ['NIFTY23NOV2026CE25850', 'NSE NIFTY26N2325850CE'],
  ['^CRSLDX', 'NSE NIFTY500'],
])('%s is %s', (text, expected) => {
  const { exchange, symbol } = resolveName(text);
  expect(`${exchange} ${symbol}`).toBe(expected);
});

it.each([
  'NFO:INFY',
  'INFY:NFO',
  'INFY.NFO',
  'NFO:NIFTY',
  'NFO:INE009A01021',
  'NFO:NIFTY-INDEX',
  'BFO:500325',
  'BSE_FO|500325',
  'BSE_INDEX|500325',
  'NSE_EQ:NIFTY26DECFUT',
  'NSE_INDEX:NIFTY1!',
  'INDEXNSE:INFY',
  'IDX_I:13',
  'NSE_FO|43919',
  'INFY NSE FO',
  'NIFTY26DECFUT NSE EQ',
  'INFY NSE BSE',
  'INFY, NSE, BSE',
  'NSE..INFY',
  'INFY [NSE',
  'NIFTY20271123C25850',
  'INFY_IV',
])('%s is refused, as its market has no such kind', (text) => {
  expect(refusal(() => resolveName(text)).parameter).toBe('instrument');
});

it.each([
  ['NFO:M&M', /^Only its contracts are traded there. Name one, such as M&M 29 Dec 2026 FUT/],
  ['NFO:INFY', /^Search for it/],
  ['NSE_FO|43919', /^A number by which a broker or an exchange calls an instrument can mean another one tomorrow/],
  ['BSE_FO|500325', /^A number by which/],
  ['IDX_I:13', /^A number by which/],
])('%s tells what to write', (text, hint) => {
  expect(refusal(() => resolveName(text)).hint).toMatch(hint);
});
