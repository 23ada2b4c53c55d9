import { listExpiries } from '../../../client/instruments/expiries';
import { optionByOffset, type OptionByOffset } from '../../../client/instruments/option-by-offset';
import { readContracts } from '../../../client/instruments/name-search';
import { resolveRefId, resolvePicked, resolveText } from '../../../client/instruments/resolve';
import type { InstrumentStore } from '../../../client/instruments/store';
import { masterJson, masterRows, type MasterRow } from '../../support/master';
import { madeStore, storeOf, TODAY } from './support';
import { refusal } from '../../support/refusal';
import { filterInstruments } from '../../../client/instruments/filter';
import { istInstant } from '../../../client/values/time';
import { knownPrice } from '../../support/price';

const store = madeStore();
/** A store whose list is joined of two: the rows of `store`, and these of each again. */
function doubledStore(again: (row: MasterRow) => MasterRow): InstrumentStore {
  const rows = [...masterRows(8_000, 'NSE', 60)];
  return storeOf(masterJson([...rows, ...rows.map(again)], { exchange: 'NSE' }));
}
const resolve = (text: string, today = TODAY) => resolveText([store], text, { today });
describe('text to instrument', () => {
  it.each([
    ['INFY', 'INFY'],
    [' infy ', 'INFY'],
    ['STOCK_INFY.NSECM', 'INFY'],
    ['M&M', 'M&M'],
    ['NIFTY', 'NIFTY'],
    ['NIFTY26NOV24500CE', 'NIFTY26NOV24500CE'],
    ['OPT_NIFTY_20261124_CE_2450000', 'NIFTY26NOV24500CE'],
    ['FUT_NIFTY_20261229', 'NIFTY26DECFUT'],
    ['NIFTY 24NOV 24500 CE', 'NIFTY26NOV24500CE'],
    ['NIFTY 24 NOV 24500 CE', 'NIFTY26NOV24500CE'],
    ['nifty 24-nov-2026 24,500 call', 'NIFTY26NOV24500CE'],
    ['NIFTY 24NOV26 24500CE', 'NIFTY26NOV24500CE'],
    ['NIFTY 2026-11-24 24500.00 PE', 'NIFTY26NOV24500PE'],
    ['NIFTY 24500 PE 24 NOV 2026', 'NIFTY26NOV24500PE'],
    ['NIFTY NOV 24500 PE', 'NIFTY26NOV24500PE'],
    ['NIFTY 26NOV 24500 PE', 'NIFTY26NOV24500PE'],
    ['NIFTY DEC 24500 PE', 'NIFTY26DEC24500PE'],
    ['NIFTY 8DEC 24500 PE', 'NIFTY26120824500PE'],
    ['NIFTY DEC FUT', 'NIFTY26DECFUT'],
    ['NIFTY FUT JAN 2027', 'NIFTY27JANFUT'],
    ['NIFTY JAN27 FUT', 'NIFTY27JANFUT'],
  ])('%s is %s', (text, symbol) => {
    expect(resolve(text).symbol).toBe(symbol);
  });

  it.each([
    ['NIFTY 25NOV 24500 CE', /no options that expire on 25 Nov/, /24 Nov 2026, 1 Dec 2026/],
    ['NIFTY 24NOV 24510 CE', /no CE with strike 24510/, /24450, 24500, 24550/],
    ['NIFTY FUT', /expiry of the NIFTY future is missing/, /24 Nov 2026/],
    ['NIFTY 24500 CE', /expiry of the NIFTY option is missing/, /24 Nov 2026/],
    ['NIFTY 24NOV25 24500 CE', /no options that expire on 24 Nov 2025 \(already over\)/, /24 Nov 2026/],
    ['INF', /no instrument "INF"/, /INFY/],
    ['INFYX', /no instrument "INFYX"/, /INFY/],
    ['ZZZZZZZ', /no instrument/, /Search/],
    ['QQQQ 24NOV 100 CE', /no instrument/, /./],
    ['', /empty/, /^/],
    ['INFY\r\nX', /line break/, /^/],
  ])('%j is refused: %s', (text, message, hint) => {
    const error = refusal(() => resolve(text));
    expect(error.message).toMatch(message);
    expect(error.hint).toMatch(hint);
    expect(error.parameter).toBe('instrument');
  });

  it('asks which one when a text can be read in two ways', () => {
    // "NOV 24": the 24th of November, or November of 2024, which is gone; "DEC 26" has two readings that exist only when there is a 26th.
    expect(resolve('NIFTY NOV 24 24500 CE').symbol).toBe('NIFTY26NOV24500CE');
    expect(readContracts('NIFTY 26DEC 24500 CE')[0]!.expiries).toHaveLength(2);
    const twin = storeOf(
      Buffer.from(
        '{"exchange":"NSE","refdata":[{"ref_id":1,"stock_name":"NIFTY26D2624500CE","asset":"NIFTY","expiry":20261226,"strike_price":2450000,"option_type":"CE","derivative_type":"OPT"},{"ref_id":2,"stock_name":"NIFTY26DEC24500CE","asset":"NIFTY","expiry":20261229,"strike_price":2450000,"option_type":"CE","derivative_type":"OPT"}]}',
      ),
    );
    const error = refusal(() => resolveText([twin], 'NIFTY 26DEC 24500 CE', { today: TODAY }));
    expect(error.message).toContain('can mean 2 instruments');
    expect(error.hint).toMatch(/26 Dec 2026.*ref_id 1.*29 Dec 2026.*ref_id 2/);
  });

  it('takes the ordinary share of a symbol with several series, and asks where none is ordinary', () => {
    const row = (refId: number, series: string) =>
      `{"ref_id":${refId},"stock_name":"ABC","asset":"ABC","derivative_type":"STOCK","series":"${series}"}`;
    const many = storeOf(Buffer.from(`{"exchange":"NSE","refdata":[${row(1, 'N1')},${row(2, 'EQ')}]}`));
    expect(resolveText([many], 'abc', { today: TODAY }).refId).toBe(2);
    const odd = storeOf(Buffer.from(`{"exchange":"NSE","refdata":[${row(1, 'N1')},${row(2, 'N2')}]}`));
    expect(refusal(() => resolveText([odd], 'abc', { today: TODAY })).hint).toMatch(/NSE N1.*NSE N2/);
  });

  it('never returns an expired instrument', () => {
    expect(refusal(() => resolve('NIFTY26NOV24500CE', '2026-11-25')).message).toBe(
      'NIFTY26NOV24500CE expired on 2026-11-24.',
    );
    const { refId } = resolve('NIFTY26NOV24500CE');
    expect(refusal(() => resolveRefId([store], refId, { today: '2026-11-25' })).message).toMatch(
      /expired on 2026-11-24/,
    );
  });
});

describe('what was picked earlier', () => {
  const { refId } = resolve('INFY');
  const remembered = { environment: 'uat', exchange: 'NSE', refId, symbol: 'INFY' };

  it('counts only in its environment, and only while its ref_id is still the same instrument', () => {
    expect(resolvePicked([store], remembered, 'uat', { today: TODAY }).symbol).toBe('INFY');
    expect(refusal(() => resolvePicked([store], remembered, 'live', { today: TODAY })).message).toMatch(
      /picked in the environment uat, but the credential is for live/,
    );
    expect(
      refusal(() => resolvePicked([store], { ...remembered, symbol: 'TCS' }, 'uat', { today: TODAY })).message,
    ).toMatch(/was TCS when it was picked, and is INFY today/);
    expect(refusal(() => resolvePicked([store], { ...remembered, refId: 1 }, 'uat', { today: TODAY })).message).toMatch(
      /no instrument with ref_id 1/,
    );
  });
});

describe('options by offset', () => {
  const base: OptionByOffset = {
    underlying: 'NIFTY',
    expiry: 'nearest',
    optionType: 'CE',
    offset: 0,
    spot: knownPrice(2_448_015),
  };
  const pick = (more: Partial<OptionByOffset>) => optionByOffset(store, { ...base, ...more }, istInstant(TODAY));

  it.each<[Partial<OptionByOffset>, string]>([
    [{}, 'NIFTY26NOV24500CE'],
    [{ spot: knownPrice(2_447_500) }, 'NIFTY26NOV24450CE'],
    [{ spot: knownPrice(2_447_501) }, 'NIFTY26NOV24500CE'],
    [{ offset: 2 }, 'NIFTY26NOV24600CE'],
    [{ offset: -2 }, 'NIFTY26NOV24400CE'],
    [{ offset: 2, optionType: 'PE' }, 'NIFTY26NOV24400PE'],
    [{ offset: -2, optionType: 'PE' }, 'NIFTY26NOV24600PE'],
    [{ expiry: 'next' }, 'NIFTY26120124500CE'],
    [{ expiry: 'monthly' }, 'NIFTY26NOV24500CE'],
    [{ expiry: 'nextMonthly' }, 'NIFTY26DEC24500CE'],
    [{ expiry: { date: '2026-12-29' } }, 'NIFTY26DEC24500CE'],
  ])('%j is %s', (more, symbol) => {
    expect(pick(more).symbol).toBe(symbol);
  });

  it('takes the last expiry of the nearest month for the monthly one', () => {
    expect(optionByOffset(store, { ...base, expiry: 'monthly' }, istInstant('2026-11-25')).symbol).toBe(
      'NIFTY26DEC24500CE',
    );
  });

  it('counts a contract on its last day until the close, 15:40, and not after it', () => {
    const at = (time: string, expiry: OptionByOffset['expiry']) =>
      optionByOffset(store, { ...base, expiry }, istInstant('2026-11-24', time)).symbol;
    expect(at('15:39', 'nearest')).toBe('NIFTY26NOV24500CE');
    expect(at('15:40', 'nearest')).toBe('NIFTY26120124500CE');
    expect(at('15:40', 'next')).toBe('NIFTY26120824500CE');
    expect(at('15:39', 'monthly')).toBe('NIFTY26NOV24500CE');
    expect(at('15:40', 'monthly')).toBe('NIFTY26DEC24500CE');
    expect(at('15:39', 'nextMonthly')).toBe('NIFTY26DEC24500CE');
    expect(at('15:40', 'nextMonthly')).toBe('NIFTY27JAN24500CE');
    // Who names its day still finds it.
    expect(at('15:40', { date: '2026-11-24' })).toBe('NIFTY26NOV24500CE');
    const future = (time: string, name: string) =>
      resolveText([store], name, { today: '2026-11-24', now: istInstant('2026-11-24', time) }).symbol;
    expect([future('15:39', 'NIFTY1!'), future('15:40', 'NIFTY1!'), future('15:40', 'NIFTY NOV FUT')]).toEqual([
      'NIFTY26NOVFUT',
      'NIFTY26DECFUT',
      'NIFTY26NOVFUT',
    ]);
  });

  it('counts each strike once, however often the list names its options', () => {
    const again = doubledStore((row) => row);
    const other = doubledStore((row) => ({ ...row, ref_id: row.ref_id + 5_000_000 }));
    const at = (list: InstrumentStore, offset: number) => optionByOffset(list, { ...base, offset }, istInstant(TODAY));
    for (const offset of [-3, -2, -1, 0, 1, 2, 3]) {
      expect(at(again, offset)).toEqual(pick({ offset }));
      expect(() => at(other, offset)).toThrow(new RegExp(`has ${pick({ offset }).symbol} twice: ref_id \\d+, lot`));
    }
    expect(again.size).toBe(store.size);
  });

  it('refuses an option that two rows contradict each other about, also by its ref_id', () => {
    const otherLot = doubledStore((row) => ({ ...row, lot_size: 3 }));
    const { refId } = pick({});
    expect(() => otherLot.rowOfRefId(refId)).toThrow(/twice: ref_id \d+, lot 65, .*; and ref_id \d+, lot 3,/);
    expect(store.rowOfRefId(refId)).toBeGreaterThanOrEqual(0);
  });

  it('refuses what does not exist, with what does', () => {
    expect(refusal(() => pick({ expiry: { date: '2026-11-26' } }))).toMatchObject({
      parameter: 'expiryDate',
      hint: expect.stringContaining('24 Nov 2026'),
    });
    const onlyOneMonthly = istInstant('2026-12-30');
    expect(refusal(() => optionByOffset(store, { ...base, expiry: 'nextMonthly' }, onlyOneMonthly)).message).toBe(
      'NIFTY has no options for the expiry "Next Monthly".',
    );
    expect(refusal(() => pick({ offset: 500 }))).toMatchObject({
      parameter: 'strikes',
      hint: expect.stringMatching(/On that side it has \d+ strikes?:/),
    });
    expect(refusal(() => pick({ underlying: 'XYZQ' }))).toMatchObject({ parameter: 'underlying' });
  });
});

it('lists expiries with what each has', () => {
  expect(listExpiries(store, 'nifty', TODAY)).toEqual([
    { date: '2026-11-24', monthly: true, options: true, futures: true },
    { date: '2026-12-01', monthly: false, options: true, futures: false },
    { date: '2026-12-08', monthly: false, options: true, futures: false },
    { date: '2026-12-15', monthly: false, options: true, futures: false },
    { date: '2026-12-29', monthly: true, options: true, futures: true },
    { date: '2027-01-28', monthly: true, options: true, futures: true },
  ]);
  expect(listExpiries(store, 'NIFTY', '2026-12-01')[0]?.date).toBe('2026-12-01');
});

describe('filters', () => {
  const all = (filters: Parameters<typeof filterInstruments>[1], today = TODAY) => [
    ...filterInstruments(store, filters, today),
  ];

  it('keep exactly what matches', () => {
    const every = all({});
    expect(every).toHaveLength(store.size);
    const chain = all({
      underlying: 'nifty',
      kinds: ['OPT'],
      optionType: 'CE',
      expiryFrom: '2026-12-01',
      expiryTo: '2026-12-08',
      strikeFrom: 2_440_000,
      strikeTo: 2_450_000,
    });
    const manual = every.filter(
      (instrument) =>
        instrument.asset === 'NIFTY' &&
        instrument.optionType === 'CE' &&
        instrument.expiry! >= '2026-12-01' &&
        instrument.expiry! <= '2026-12-08' &&
        instrument.strikePrice! >= 2_440_000 &&
        instrument.strikePrice! <= 2_450_000,
    );
    expect(chain.map(({ refId }) => refId).sort()).toEqual(manual.map(({ refId }) => refId).sort());
    expect(chain.length).toBe(6);
    expect(all({ series: 'be' }).every(({ series }) => series === 'BE')).toBe(true);
    const { isin } = resolve('INFY');
    expect(all({ isin: isin! }).map(({ symbol }) => symbol)).toEqual(['INFY']);
    expect(all({ underlying: 'nothing' })).toEqual([]);
  });

  it('leave out what has expired, whatever range is asked for', () => {
    expect(
      all({ kinds: ['OPT'], expiryFrom: '2020-01-01' }, '2026-12-02').every(({ expiry }) => expiry! >= '2026-12-02'),
    ).toBe(true);
  });
});
