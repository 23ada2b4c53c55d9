import fc from 'fast-check';
import type { Instrument } from '../../../client/instruments/instrument';
import { readUnderlying, underlyingSymbol } from '../../../client/instruments/underlying';
import { resolveText } from '../../../client/instruments/resolve';
import { refusal } from '../../support/refusal';
import { future, NSE, option, resolveName, storeOfRows, TODAY } from './listed-instruments';

describe('a name of an instrument', () => {
  it.each([
    ['INFY', 'NSE INFY'],
    ['infosys', 'NSE INFY'],
    ['Infosys Ltd', 'NSE INFY'],
    ['INFY-EQ', 'NSE INFY'],
    ['INFY.NS', 'NSE INFY'],
    ['INFY.BO', 'BSE INFY'],
    ['NSE:INFY', 'NSE INFY'],
    ['NSE:INFY-EQ', 'NSE INFY'],
    ['NSE_EQ:INFY', 'NSE INFY'],
    ['BSE INFY', 'BSE INFY'],
    ['BSE:500325', 'BSE RELIANCE'],
    ['500209.BO', 'BSE INFY'],
    ['INE009A01021', 'NSE INFY'],
    ['M_M', 'NSE M&M'],
    ['Bajaj Auto', 'NSE BAJAJ-AUTO'],
    ['M%26M', 'NSE M&M'],
    ['BAJAJ_AUTO', 'NSE BAJAJ-AUTO'],
    ['BAJAJ-AUTO', 'NSE BAJAJ-AUTO'],
    ['BAJAJ-AUTO-EQ', 'NSE BAJAJ-AUTO'],
    ['J_KBANK', 'NSE J&KBANK'],
    ['NAM_INDIA', 'NSE NAM-INDIA'],
    ['MCDOWELL-N', 'NSE UNITDSPR'],
    ['BSE', 'NSE BSE'],
    ['NIFTY 50', 'NSE NIFTY'],
    ['NIFTY50', 'NSE NIFTY'],
    ['NSE:NIFTY50-INDEX', 'NSE NIFTY'],
    ['^NSEI', 'NSE NIFTY'],
    ['S&P CNX Nifty', 'NSE NIFTY'],
    ['NSE_INDEX:NIFTY', 'NSE NIFTY'],
    ['NIFTY BANK', 'NSE BANKNIFTY'],
    ['BANK NIFTY', 'NSE BANKNIFTY'],
    ['CNX Bank', 'NSE BANKNIFTY'],
    ['NIFTY MID SELECT', 'NSE MIDCPNIFTY'],
    ['NIFTY FIN SERVICE', 'NSE FINNIFTY'],
    ['Nifty IT', 'NSE NIFTYIT'],
    ['S&P BSE SENSEX', 'BSE SENSEX'],
    ['BSE_INDEX:SENSEX', 'BSE SENSEX'],
    ['NIFTY1!', 'NSE NIFTY26NOVFUT'],
    ['NIFTY2!', 'NSE NIFTY26DECFUT'],
    ['NIFTY-I', 'NSE NIFTY26NOVFUT'],
    ['NSE:BANKNIFTY1!', 'NSE BANKNIFTY26NOVFUT'],
    ['NIFTY261123C25850', 'NSE NIFTY26N2325850CE'],
    ['NIFTY23NOV2625850CE', 'NSE NIFTY26N2325850CE'],
    ['NIFTY26NOV25850CE', 'NSE NIFTY26NOV25850CE'],
    ['NSE:NIFTY26N2325850CE', 'NSE NIFTY26N2325850CE'],
    ['NIFTY26112325850CE', 'NSE NIFTY26N2325850CE'],
    ['NIFTYX2026', 'NSE NIFTY26NOVFUT'],
    ['NFO:NIFTY26DECFUT', 'NSE NIFTY26DECFUT'],
    ['BFO:SENSEX26DECFUT', 'BSE SENSEX26DECFUT'],
    ['NIFTY29DEC26FUT', 'NSE NIFTY26DECFUT'],
    ['NIFTY-Dec2026-25850-CE', 'NSE NIFTY26DEC25850CE'],
    ['OPTIDX NIFTY 23-NOV-2026 CE 25850', 'NSE NIFTY26N2325850CE'],
    ['NIFTY BANK NOV FUT', 'NSE BANKNIFTY26NOVFUT'],
    ['NIFTY 50 23 Nov 25850 call', 'NSE NIFTY26N2325850CE'],
    ['NIFTYNXT50 24 NOV 72000 CE', 'NSE NIFTYNXT5026NOV72000CE'],
    ['NIFTYNXT5024NOV2672000CE', 'NSE NIFTYNXT5026NOV72000CE'],
    ['IDEA 29 Dec 2026 19 CE', 'NSE IDEA26DEC19CE'],
    ['IDEA DEC 26 19 PE', 'NSE IDEA26DEC19PE'],
    ['IDEA 29 Dec 2026 9.5 CE', 'NSE IDEA26DEC9.5CE'],
    ['SAIL 29 Dec 2026 95 CE', 'NSE SAIL26DEC95CE'],
    ['BSE 29 Dec 2026 3300 PE', 'NSE BSE26DEC3300PE'],
    ['BSE DEC FUT', 'NSE BSE26DECFUT'],
    ['MCX DEC FUT', 'NSE MCX26DECFUT'],
    ['MCX 29 Dec 2026 9000 CE', 'NSE MCX26DEC9000CE'],
    ['NSE:BSE DEC FUT', 'NSE BSE26DECFUT'],
    ['M_M DEC FUT', 'NSE M&M26DECFUT'],
    ['INFY NSE', 'NSE INFY'],
    ['INFY:BSE', 'BSE INFY'],
    ['XBOM:INFY', 'BSE INFY'],
    ['INFY EQ', 'NSE INFY'],
    ['INFY_EQ', 'NSE INFY'],
    ['INFY\u2011EQ', 'NSE INFY'],
    ['\uff29\uff2e\uff26\uff39', 'NSE INFY'],
    ['NSE_EQ|INE009A01021', 'NSE INFY'],
    ['BSE_EQ|INE009A01021', 'BSE INFY'],
    ['NSE_INDEX|Nifty Bank', 'NSE BANKNIFTY'],
    ['NIFTY IT INDEX', 'NSE NIFTYIT'],
    ['MCDOWELL_N', 'NSE UNITDSPR'],
    ['Mahindra and Mahindra', 'NSE M&M'],
    ['NIFTY23NOV26C25850', 'NSE NIFTY26N2325850CE'],
    ['NIFTY29DEC26F', 'NSE NIFTY26DECFUT'],
    ['NIFTY 23rd Nov 25850 call', 'NSE NIFTY26N2325850CE'],
    ['NIFTY|23NOV2026|25850|CE', 'NSE NIFTY26N2325850CE'],
    ['NIFTY 29 DEC 25850 CALL', 'NSE NIFTY26DEC25850CE'],
    ['NIFTY 29DEC 25850 CE', 'NSE NIFTY26DEC25850CE'],
    ['NIFTY 29 DEC FUT', 'NSE NIFTY26DECFUT'],
    ['M_M 29 DEC FUT', 'NSE M&M26DECFUT'],
    ['NIFTY DEC 29 25850 CE', 'NSE NIFTY26DEC25850CE'],
    ['NIFTY 26 Nov 23 25850 CE', 'NSE NIFTY26N2325850CE'],
    ['NIFTY 23rd w NOV 25850 CE', 'NSE NIFTY26N2325850CE'],
    ['NIFTY 23-11-2026 25850 CE', 'NSE NIFTY26N2325850CE'],
    ['NIFTY 23/11/2026 CE 25850', 'NSE NIFTY26N2325850CE'],
    ['OPTIDXNIFTY23-11-2026CE25850.00', 'NSE NIFTY26N2325850CE'],
    ['OPTSTKIDEA29-12-2026CE9.50', 'NSE IDEA26DEC9.5CE'],
    ['FUTSTKM&M29-12-2026XX0.00', 'NSE M&M26DECFUT'],
    ['M&amp;M', 'NSE M&M'],
    ['M&amp;M26DECFUT', 'NSE M&M26DECFUT'],
    ['$INFY', 'NSE INFY'],
    ['$NIFTY', 'NSE NIFTY'],
    ['#INFY', 'NSE INFY'],
    ['M & M', 'NSE M&M'],
    ['M & M DEC FUT', 'NSE M&M26DECFUT'],
    ['RIL', 'NSE RELIANCE'],
    ['NSE:RIL', 'NSE RELIANCE'],
    ['BSE:RIL', 'BSE RELIANCE'],
    ['INFY (NSE)', 'NSE INFY'],
    ['INFY(BSE)', 'BSE INFY'],
    ['NSE-INFY', 'NSE INFY'],
    ['NSE_INFY', 'NSE INFY'],
    ['BSE/INFY', 'BSE INFY'],
    ['INFY/NSE', 'NSE INFY'],
    ['INFY@BSE', 'BSE INFY'],
    ['BSE-500325', 'BSE RELIANCE'],
    ['"INFY"', 'NSE INFY'],
    ["'NSE:INFY'", 'NSE INFY'],
    ['\u201cINFY\u201d', 'NSE INFY'],
    ['\u2018infosys ltd.\u2019', 'NSE INFY'],
    ['["INFY"]', 'NSE INFY'],
    ['INFY,', 'NSE INFY'],
    ['INFY;', 'NSE INFY'],
    ['INFY.', 'NSE INFY'],
    ['NSE_FNO:NIFTY26DECFUT', 'NSE NIFTY26DECFUT'],
    ['NIFTY-I.NFO', 'NSE NIFTY26NOVFUT'],
    ['NIFTY29DEC26FUT.NFO', 'NSE NIFTY26DECFUT'],
    ['NIFTY 50.NSE_IDX', 'NSE NIFTY'],
    ['SENSEX26DECFUT.BFO', 'BSE SENSEX26DECFUT'],
    ['FUTIDX_NIFTY_29DEC2026_XX_0', 'NSE NIFTY26DECFUT'],
    ['OPTIDX_NIFTY_23NOV2026_CE_25850', 'NSE NIFTY26N2325850CE'],
    ['OPTSTK_IDEA_29DEC2026_CE_9.5', 'NSE IDEA26DEC9.5CE'],
    ['BSE:BSX1!', 'BSE SENSEX26DECFUT'],
    ['BSX26DECFUT', 'BSE SENSEX26DECFUT'],
    ['NSE_DLY:INFY', 'NSE INFY'],
    ['BSE_DLY:INFY', 'BSE INFY'],
    ['NSE_DL:NIFTY1!', 'NSE NIFTY26NOVFUT'],
    ['INFY:BSE_DLY', 'BSE INFY'],
    ['NIFTY DEC 25850 C', 'NSE NIFTY26DEC25850CE'],
    ['NIFTY 29 DEC 25850C', 'NSE NIFTY26DEC25850CE'],
    ['NIFTY26DEC25850 CE', 'NSE NIFTY26DEC25850CE'],
    ['NIFTY 26DEC25850CE', 'NSE NIFTY26DEC25850CE'],
    ['NIFTY26N23 25850CE', 'NSE NIFTY26N2325850CE'],
    ['NIFTY26DEC FUT', 'NSE NIFTY26DECFUT'],
    ['NSE:NIFTY 26DECFUT', 'NSE NIFTY26DECFUT'],
  ])('%s is %s', (text, expected) => {
    const { exchange, symbol } = resolveName(text);
    expect(`${exchange} ${symbol}`).toBe(expected);
  });

  it.each([
    'NIFTY 51',
    'NIFTY BANK 2',
    'NIFTY METAL',
    'INFY XX',
    'INFY A',
    'RELIANCE M',
    'INFY SPOT',
    'NSE_INDEX|INFY',
    'LSE|INFY',
    'NIFTY29DEC26P',
    'NIFTY32DEC26F',
    'INFY-BE',
    'NASDAQ:INFY',
    'BFO:NIFTY26DECFUT',
    'INFY-INDEX',
    'NIFTY4!',
    'NIFTY DEC 25900 CE',
    'NIFTY 11/23/2026 25850 CE',
    'NIFTY W NOV 25850 CE',
    'OPTIDXNIFTY23-11-2026XX0.00',
    'OPTIDXNIFTY24-11-2026CE25850.00',
    '$$INFY',
    '$ INFY',
    'NIFTY 24 Nov 2026 25850 CE',
    'NIFTY 23 Nov 2026 25850 CE PE',
    'NIFTY26N2425850CE',
    'IDEA 29 Dec 2026 18 CE',
    'MM',
    '() INFY',
    '() ZOMATO',
    'ZOMATO @',
    'INFY @',
    'NIFTY ! 23 Nov 2026 25850 CE',
    'INFY · NSE BE',
    '"INFY',
    "'INFY' 'TCS'",
    '["INFY","RELIANCE"]',
    'INFY,RELIANCE',
    'NSE-',
    '(NSE)',
    'FUTIDX_NIFTY_29DEC2026_XX_1',
    'FUTIDX_NIFTY_29DEC2026_CE_25850',
    'I N F Y',
    'INFY 50',
    'HDFC',
    'LIC',
    'BUY NIFTY26DEC25850CE',
    'NASDAQ_DLY:INFY',
    'DLY:INFY',
    '_DLY:INFY',
    'NIFTY26DEC25850CE 2',
    '2 NIFTY26DEC25850CE',
    'NIFTY26DEC25850 CE PE',
    'NIFTY DEC 25850 C P',
    'NIFTY26DEC025850CE',
    'NIFTY26DEC0825850CE',
    'IDEA DEC C',
    'NIFTY26DEC258 50CE CE',
    'NIFTY 23 Nov 2026 25850 CE · NSE OPT · lot 75 · NIFTY26NOV25850CE',
  ])('%s is refused, as not all of it is understood or there is no such instrument', (text) => {
    expect(refusal(() => resolveName(text)).parameter).toBe('instrument');
  });

  it.each(['NIFTY 60', 'NIFTY METAL', 'CNX 55', 'SENSEX 99'])('%s gets no other index proposed', (text) => {
    expect(refusal(() => resolveName(text)).hint).not.toMatch(/mean/);
  });

  it.each([
    ['INFYY', /Did you mean: INFY /],
    ['INFOSIS', /Did you mean: INFY /],
    ['Infosis Ltd', /Did you mean: INFY /],
    ['INDIA VIX', /has no index of volatility .* "Quote: Get IV Skew Over Time"/],
    ['RELAINCE', /Did you mean: RELIANCE /],
    ['500325', /Did you mean: RELIANCE · BSE/],
    ['SAIL', /^Search for it/],
    ['IDEA', /^Search for it/],
    ['I.N.F.', /^Search for it/],
    ['^INDIAVIX', /has no index of volatility/],
    ['INDIAVIX', /has no index of volatility/],
    ['RELIANCE-BE', /Did you mean: RELIANCE /],
  ])('%s gets proposed what is spelt nearly so, and nothing else', (text, hint) => {
    expect(refusal(() => resolveName(text)).hint).toMatch(hint);
  });

  it.each([
    ['BOB', 'BANKBARODA', 'INE028A01039'],
    ['HPCL', 'HINDPETRO', 'INE094A01015'],
    ['HUL', 'HINDUNILVR', 'INE030A01027'],
    ['L&T', 'LT', 'INE018A01030'],
    ['L & T', 'LT', 'INE018A01030'],
    ['L_T', 'LT', 'INE018A01030'],
    ['L%26T', 'LT', 'INE018A01030'],
    ['SBI', 'SBIN', 'INE062A01020'],
    ['sbi', 'SBIN', 'INE062A01020'],
    ['LTIMindtree', 'LTM', 'INE214T01019'],
    ['LTIMindtree Ltd', 'LTM', 'INE214T01019'],
    ['PolicyBazaar', 'POLICYBZR', 'INE417T01026'],
  ])('%s, as people call it, is %s', (text, symbol, isin) => {
    const shares = storeOfRows('NSE', [{ symbol, isin }, { symbol: 'SBICARD' }, { symbol: 'LTF' }, { symbol: 'LICI' }]);
    expect(resolveText([shares], text, { today: TODAY }).symbol).toBe(symbol);
  });

  it.each([
    ['GOLD MINI DEC FUT', 'GOLDM26DECFUT'],
    ['Gold Mini 4 Dec 2026 fut', 'GOLDM26DECFUT'],
    ['GOLDMINI26DECFUT', 'GOLDM26DECFUT'],
    ['MCX:GOLDMINI1!', 'GOLDM26DECFUT'],
    ['GOLD DEC FUT', 'GOLD26DECFUT'],
    ['CRUDE OIL MINI DEC FUT', 'CRUDEOILM26DECFUT'],
    ['CRUDE MINI DEC FUT', 'CRUDEOILM26DECFUT'],
    ['CRUDE DEC FUT', 'CRUDEOIL26DECFUT'],
    ['CRUDEOILMINI-I', 'CRUDEOILM26DECFUT'],
    ['SILVER MICRO NOV FUT', 'SILVERMIC26NOVFUT'],
    ['SILVER MINI NOV FUT', 'SILVERM26NOVFUT'],
    ['NATURAL GAS MINI DEC FUT', 'NATGASMINI26DECFUT'],
    ['NAT GAS DEC FUT', 'NATURALGAS26DECFUT'],
    ['ALUMINIUM MINI NOV FUT', 'ALUMINI26NOVFUT'],
    ['Electricity Dec fut', 'ELECDMBL26DECFUT'],
    ['COTTONCNDY DEC FUT', 'COTTON26DECFUT'],
  ])('%s is the contract on MCX that people call so: %s', (text, symbol) => {
    const assets = ['COTTON', 'CRUDEOIL', 'CRUDEOILM', 'ELECDMBL', 'GOLD', 'GOLDM', 'NATGASMINI', 'NATURALGAS'];
    const listed = assets.map((asset) => future(asset, `${asset}26DECFUT`, 20261204));
    const nearer = ['ALUMINI', 'SILVERM', 'SILVERMIC'].map((asset) => future(asset, `${asset}26NOVFUT`, 20261130));
    const mcx = storeOfRows('MCX', [...listed, ...nearer]);
    expect(resolveText([NSE, mcx], text, { today: TODAY }).symbol).toBe(symbol);
  });

  it('is no contract that comes of its numbers put together', () => {
    for (const text of ['CNX NIFTY 500 1 DEC 2026 25850CE', 'NIFTY26N2 325850CE', 'NIFTY2 6N2325850CE'])
      expect(() => resolveName(text)).toThrow();
    expect(resolveName('NIFTY26N23 25850CE').symbol).toBe('NIFTY26N2325850CE');
  });

  it('is of a day, and of no index with a number behind its name', () => {
    expect(() => resolveName('SENSEX 30 DEC FUT')).toThrow('SENSEX has no futures that expire on 30 Dec');
    expect(resolveName('SENSEX 31 DEC FUT').symbol).toBe('SENSEX26DECFUT');
    expect(resolveName('SENSEX30 DEC FUT').symbol).toBe('SENSEX26DECFUT');
  });

  it('has a strike that is no year of a contract: HYUNDAI 29 DEC 2080 CALL', () => {
    const strikes = [2_080, 2_026].map((rupees) =>
      option('HYUNDAI', `HYUNDAI26DEC${rupees}CE`, 20261229, rupees * 100, 'CE'),
    );
    const hyundai = storeOfRows('NSE', [{ symbol: 'HYUNDAI' }, ...strikes]);
    const read = (text: string): string => resolveText([hyundai], text, { today: TODAY }).symbol;
    expect(read('HYUNDAI 29 DEC 2080 CALL')).toBe('HYUNDAI26DEC2080CE');
    expect(read('HYUNDAI 29 DEC 2026 2080 CALL')).toBe('HYUNDAI26DEC2080CE');
    expect(() => read('HYUNDAI 29 DEC 2026 CALL')).toThrow();
  });

  it('is no share or fund on BSE where an index of BSE is called so', () => {
    const fund = storeOfRows('BSE', [{ symbol: 'SMALLCAP' }, { symbol: 'PSUBANK' }, { symbol: 'SELECTIPO' }]);
    const read = (text: string): string => resolveText([fund], text, { today: TODAY }).symbol;
    for (const text of ['BSE SMALLCAP', 'BSE PSU BANK', 'BSE Select IPO'])
      expect(() => read(text)).toThrow('There is no instrument');
    expect(read('PSU BANK')).toBe('PSUBANK');
    expect(read('BSE:SMALLCAP')).toBe('SMALLCAP');
  });

  it('is told to hold a letter of another alphabet', () => {
    const { hint } = refusal(() => resolveName('RELIAN\u0421E'));
    expect(hint).toMatch(/^The letter "\u0421" in it is one of another alphabet, even if it looks alike/);
    expect(hint).toMatch(/RELIANCE/);
  });

  it('is refused with a hint where only contracts have it', () => {
    const gold = storeOfRows('MCX', [future('GOLDM', 'GOLDM26DECFUT', 20261204)]);
    for (const text of ['GOLDM', 'Gold M', 'MCX:GOLDM'])
      expect(refusal(() => resolveText([gold], text, { today: TODAY }))).toMatchObject({
        hint: expect.stringMatching(/^Only its contracts are traded. Name one, such as GOLDM 4 Dec 2026 FUT/),
        choices: [{ symbol: 'GOLDM26DECFUT' }],
      });
    expect(resolveText([gold], 'gold m dec fut', { today: TODAY }).symbol).toBe('GOLDM26DECFUT');
  });

  it.each(['\u200BINFY', 'IN\u00ADFY', '\u202AINFY\u202C', 'INFY\uFEFF'])(
    'is read without what nobody sees: %j',
    (text) => {
      expect(resolveName(text).symbol).toBe('INFY');
    },
  );

  it('says which strikes there are where only the strike is wrong', () => {
    expect(refusal(() => resolveName('IDEA 29 Dec 2026 18 CE'))).toMatchObject({
      message: 'IDEA has no CE with strike 18 for 29 Dec 2026.',
      hint: expect.stringContaining('9.5, 19'),
    });
  });

  it('is ambiguous where a share and an index have it, unless the kind is written with it', () => {
    const twins = storeOfRows('BSE', [{ symbol: 'ENERGY' }, { symbol: 'ENERGY', type: 'INDEX' }]);
    const read = (text: string): string => resolveText([twins], text, { today: TODAY }).kind;
    expect(refusal(() => read('ENERGY')).message).toBe('ENERGY can mean 2 instruments.');
    expect([read('BSE_INDEX:ENERGY'), read('ENERGY-A'), read('ENERGY · BSE index')]).toEqual([
      'INDEX',
      'STOCK',
      'INDEX',
    ]);
  });
});

it.each([
  ['NIFTY 50', 'NIFTY'],
  ['NSE:NIFTY', 'NIFTY'],
  ['Bank Nifty', 'BANKNIFTY'],
  ['M_M', 'M&M'],
  ['Infosys', 'INFY'],
  ['BSE', 'BSE'],
  ['NFO:NIFTY', 'NIFTY'],
  ['NFO:M&M', 'M&M'],
])('an underlying written as %s is %s', (text, symbol) => {
  expect(underlyingSymbol(NSE, readUnderlying(text))).toBe(symbol);
});

it('a name with a part that is spoilt is never taken for an instrument', () => {
  const good = ['INFY', 'NIFTY 50', 'NIFTY BANK', 'NIFTY 23 Nov 2026 25850 CE', 'NIFTY DEC FUT', 'BAJAJ_AUTO', 'M_M'];
  const stray = fc.constantFrom('XYZ', 'IT', '2', '!', 'SPOT', 'INDEX FUND', 'ETF', 'BEES', 'MIDCAP', '99999');
  fc.assert(
    fc.property(fc.constantFrom(...good), stray, fc.boolean(), (name, word, isBehind) => {
      const text = isBehind ? `${name} ${word}` : `${word} ${name}`;
      let found: Instrument | undefined;
      try {
        found = resolveName(text);
      } catch {
        return;
      }
      // NIFTY IT is an index, not NIFTY.
      expect([text, found.symbol]).toEqual(['NIFTY IT', 'NIFTYIT']);
    }),
    { numRuns: 500 },
  );
});
