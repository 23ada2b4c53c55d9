/** Names of contracts for people, from the symbols that orders, positions and reports have. */
import { instrumentName, withContractNames } from '../../../client/instruments/contract-name';

const DAY = '2026-12-01';

it.each([
  ['NIFTY26D0121950CE', 'NIFTY 1 Dec 21,950 CE'],
  ['NIFTY26DEC21950CE', 'NIFTY Dec 21,950 CE'],
  ['NIFTY26DEC26250PE', 'NIFTY Dec 26,250 PE'],
  ['NIFTY26DECFUT', 'NIFTY Dec future'],
  ['BAJAJ-AUTO27JANFUT', 'BAJAJ-AUTO Jan 2027 future'],
  ['M&M26DEC3102.5CE', 'M&M Dec 3,102.50 CE'],
  ['SENSEX26D03100000PE', 'SENSEX 3 Dec 1,00,000 PE'],
  ['CRUDEOIL17DEC266100CE', 'CRUDEOIL 17 Dec 6,100 CE'],
  ['CRUDEOIL26DEC266100CE', 'CRUDEOIL 26 Dec 6,100 CE'],
  ['CRUDEOIL18DEC26FUT', 'CRUDEOIL 18 Dec future'],
  ['GOLD27FEBFUT', 'GOLD Feb 2027 future'],
])('%s is %s', (symbol, name) => {
  expect(instrumentName({ symbol }, DAY)).toBe(name);
});

it('tells the year where the day on which it is read is not known', () => {
  expect(instrumentName({ symbol: 'NIFTY26D0121950CE' }, '')).toBe('NIFTY 1 Dec 2026 21,950 CE');
});

it('reads an underlying with digits where it is told, and a contract of MCX by its full name', () => {
  const symbol = 'NIFTYNXT5026DEC70000CE';
  expect(instrumentName({ symbol, asset: 'NIFTYNXT50' }, DAY)).toBe('NIFTYNXT50 Dec 70,000 CE');
  expect(instrumentName({ symbol: 'NIFTYNXT502612970000CE', asset: 'NIFTYNXT50' }, '2026-01-05')).toBe(
    'NIFTYNXT50 29 Jan 70,000 CE',
  );
  const platName = 'OPT_NEWOIL_20261217_CE_610000';
  expect(instrumentName({ symbol: platName, asset: 'NEWOIL', exchange: 'MCX', platName }, DAY)).toBe(
    'NEWOIL 17 Dec 6,100 CE',
  );
});

it.each([
  'INFY',
  '20MICRONS',
  'NIFTY26D3221950CE',
  'NIFTY26D0121950.123CE',
  'NIFTY26DEC0CE',
  'NIFTY99DECFUT',
  'NIFTYNXT5026DEC70000CE',
])('leaves %s unchanged: a share, or nothing that can be read', (symbol) => {
  expect(instrumentName({ symbol, displayName: 'A name' }, DAY)).toBe(symbol);
});

it('says what the service calls an instrument without a symbol, else its number', () => {
  expect(instrumentName({ symbol: '', displayName: 'Infosys' }, DAY)).toBe('Infosys');
  expect(instrumentName({ symbol: '', refId: 7 }, DAY)).toBe('ref_id 7');
});

describe('A sentence', () => {
  it.each([
    [
      'Quantity 10 is not a multiple of the lot size 65 of NIFTY26D0121950CE.',
      'Quantity 10 is not a multiple of the lot size 65 of NIFTY 1 Dec 21,950 CE (NIFTY26D0121950CE).',
    ],
    [
      'All legs must be on one exchange, but NIFTY26DECFUT is on NSE and SENSEX26DECFUT on BSE.',
      'All legs must be on one exchange, but NIFTY Dec future (NIFTY26DECFUT) is on NSE and SENSEX Dec future (SENSEX26DECFUT) on BSE.',
    ],
    [
      'NIFTY26DECFUT has no last price. NIFTY26DECFUT is not traded.',
      'NIFTY Dec future (NIFTY26DECFUT) has no last price. NIFTY Dec future is not traded.',
    ],
    ['NSE:NIFTY26DECFUT has expired', 'NIFTY Dec future (NSE:NIFTY26DECFUT) has expired'],
    [
      'The instrument with ref_id 7 (M&M26DEC3102.5CE) expired.',
      'The instrument with ref_id 7 (M&M Dec 3,102.50 CE, M&M26DEC3102.5CE) expired.',
    ],
    [
      'The list does not show NIFTY26DECFUT (Overnight), but you hold 65.',
      'The list does not show NIFTY Dec future (NIFTY26DECFUT, Overnight), but you hold 65.',
    ],
    ['GOLD27FEBFUT', 'GOLD Feb 2027 future (GOLD27FEBFUT)'],
  ])('names contracts as people say them, the first time with the symbol: %s', (text, named) => {
    expect(withContractNames(text, DAY)).toBe(named);
    expect(withContractNames(named, DAY)).toBe(named);
  });

  it.each([
    'There is no instrument "NIFTY26DEC99999CE".',
    'GET /price/NSE/NIFTY26DECFUT answered 404',
    'NIFTY 1 Dec 2026 21950 CE · NSE OPT · lot 65 · NIFTY26D0121950CE',
    'INFY, LIFE and a CE or PE have no name but theirs.',
    'ABCDEFGH99XYZ1CE',
  ])('stays unchanged where it quotes, addresses or labels: %s', (text) => {
    expect(withContractNames(text, DAY)).toBe(text);
  });
});
