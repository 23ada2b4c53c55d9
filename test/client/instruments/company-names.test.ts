/** Symbols and names of companies, former ones too. */
import { isinOfCompanyOrFormerSymbol } from '../../../client/instruments/names/companies';
import { resolveText } from '../../../client/instruments/resolve';
import { equities } from '../../../sandbox/src/market/reference/dated-tables';
import { refusal } from '../../support/refusal';
import { storeOfRows, TODAY } from './listed-instruments';

describe('the name of a company', () => {
  it('is a symbol also with blanks between its words, but neither letter by letter nor where a company is called so', () => {
    const listed = storeOfRows('NSE', [
      { symbol: 'TATAPOWER', isin: 'INE245A01021' },
      { symbol: 'ADANIPORTS', isin: 'INE742F01042' },
      { symbol: 'NIFTYBEES', isin: 'INF204KB14I2' },
      { symbol: 'LTF', isin: 'INE498L01015' },
      { symbol: 'TATAMOTORS', isin: 'INE155A01022' },
      { symbol: 'TMCV', isin: 'INE1TAE01010' },
    ]);
    const read = (text: string): string => resolveText([listed], text, { today: TODAY }).symbol;
    expect([read('Tata Power'), read('ADANI PORTS'), read('NSE:Nifty Bees')]).toEqual([
      'TATAPOWER',
      'ADANIPORTS',
      'NIFTYBEES',
    ]);
    for (const text of ['L TF', 'LT F', 'TATA POWER 5', 'TATA POWERS', 'Tata Motors'])
      expect(() => read(text)).toThrow(/no instrument/);
  });

  it('is ambiguous where another company had it as its symbol, and the former symbol is not', () => {
    const tata = storeOfRows('NSE', [
      { symbol: 'TMPV', isin: 'INE155A01022' },
      { symbol: 'TMCV', isin: 'INE1TAE01010' },
    ]);
    expect(resolveText([tata], 'TATAMOTORS', { today: TODAY }).symbol).toBe('TMPV');
    for (const text of ['Tata Motors', 'TATA MOTORS LTD', 'Tata Motors Limited']) {
      const { choices } = refusal(() => resolveText([tata], text, { today: TODAY }));
      expect(choices?.map(({ symbol }) => symbol).sort()).toEqual(['TMCV', 'TMPV']);
    }
    expect(isinOfCompanyOrFormerSymbol('BOROSIL')).toBeUndefined();
    expect(isinOfCompanyOrFormerSymbol('ZOMATO LTD')).toBe('INE758T01015');
  });

  it('is never the former symbol of one company where another has it today, but for its signs', () => {
    const listed = equities().map(({ symbol, isin }) => [symbol.replace(/[^A-Z0-9]/g, ''), isin] as const);
    const today = new Map(listed.filter(([symbol]) => symbol !== ''));
    const others = [...today].filter(([symbol, isin]) => (isinOfCompanyOrFormerSymbol(symbol) ?? isin) !== isin);
    // The name of a company that changed its symbol, and the symbol of another: neither is without its signs.
    expect(others).toEqual([]);
    const bajaj = storeOfRows('NSE', [
      { symbol: 'BAJAJ-AUTO', isin: 'INE917I01010' },
      { symbol: 'BAJAJHLDNG', isin: 'INE118A01012' },
    ]);
    expect(resolveText([bajaj], 'BAJAJAUTO', { today: TODAY }).symbol).toBe('BAJAJ-AUTO');
  });
});
