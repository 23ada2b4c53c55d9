/**
 * Reads contracts that are written as one code without blanks: the exchange's and the brokers' symbols (NIFTY26NOV25850CE,
 * NIFTY26N2325850CE, NIFTY23NOV2625850CE, NIFTY29DEC26FUT, NIFTY23NOV26C25850, NIFTY29DEC26F), TradingView's (NIFTY261123C25850,
 * NIFTYX2026), those with a year of four digits (NIFTY20261123CE25850), NSE's identifiers (OPTIDXNIFTY23-11-2026CE25850.00), the platform's own
 * (OPT_NIFTY_20261123_CE_2585000; docs/service/README.md#neutral-names). Digits can often be cut in several ways: every way is returned, and
 * the instrument master says which of them exists. A reading always covers the whole text.
 */
import { expiryOf, MONTH_NAMES, strikePaise, type Contract, type ExpiryReading } from './contract';

/** Letters of months in weekly codes: 1 to 9, then O, N, D. */
const WEEKLY_MONTHS: Record<string, string> = { O: '10', N: '11', D: '12' };
/** Letters of months in codes of futures (CME's, which TradingView uses). */
const FUTURE_MONTHS = 'FGHJKMNQUVXZ';
/** Maximum number of digits at the end of an underlying (NIFTYNXT50, NIFTY100). */
const MAX_UNDERLYING_DIGITS = 3;
const MIN_UNDERLYING_LENGTH = 2;

/** Every contract that a code can stand for; empty when it is none. @param code capitals, without blanks */
export function readContractCode(code: string): Contract[] {
  const platform = readPlatformName(code) ?? readIdentifier(code);
  if (platform !== undefined) return [platform];
  const ending = /(CE|PE|FUT)$/.exec(code)?.[1];
  const body = ending === undefined ? code : code.slice(0, -ending.length);
  if (ending === 'FUT') return readFuture(body);
  if (ending !== undefined) return readOption(body, ending as 'CE' | 'PE');
  return [...readLetterOption(code), ...readLetterFuture(code), ...readTradingViewFuture(code)];
}

/**
 * Reads a code that has blanks in it: NIFTY26DEC 25850CE. A blank between two digits parts two numbers, so that CNX NIFTY 500 1 DEC is no
 * NIFTY 50 of 01 DEC; behind it may only be the strike. As nobody's symbol has blanks, its 29DEC may be the day as well as the year.
 */
export function readSpacedCode(text: string): Contract[] {
  const end = / (\d{1,9}(?:\.\d{1,2})?)(?:CE|PE)$/.exec(text);
  if (/\d \d/.test(end === null ? text : text.slice(0, end.index))) return [];
  const strike = end === null ? undefined : Math.round(Number(end[1]) * 100);
  return readContractCode(text.replaceAll(' ', ''))
    .filter((code) => strike === undefined || code.strike === strike)
    .map((code) => ({ ...code, expiries: code.expiries.flatMap(asYearOrDay) }));
}

/** A month of a year, as in 29DEC, which counts if it is the next, and that day of the month; any other reading alone. */
function asYearOrDay(reading: ExpiryReading): ExpiryReading[] {
  const { year, month, day } = reading;
  if (year === undefined || day !== undefined) return [reading];
  const dated = expiryOf({ month: String(month), day: String(year % 100) });
  return [{ ...reading, counts: 'if it is next' }, ...(dated === undefined ? [] : [dated])];
}

function readPlatformName(code: string): Contract | undefined {
  const parts = code.split('_');
  const [word] = parts;
  const at = word === 'OPT' ? parts.length - 3 : word === 'FUT' ? parts.length - 1 : 0;
  const date = /^(\d{4})(\d{2})(\d{2})$/.exec(parts[at] ?? '');
  if (at < 2 || date === null) return undefined;
  const expiry = expiryOf({ year: date[1]!, month: date[2]!, day: date[3]! });
  if (expiry === undefined) return undefined;
  const underlying = parts.slice(1, at).join('_');
  if (word === 'FUT') return { underlying, kind: 'FUT', optionType: null, strike: null, expiries: [expiry] };
  const [type, strike] = parts.slice(at + 1);
  if ((type !== 'CE' && type !== 'PE') || !/^\d{1,11}$/.test(strike ?? '')) return undefined;
  return { underlying, kind: 'OPT', optionType: type, strike: Number(strike), expiries: [expiry] };
}

/** OPTIDXNIFTY23-11-2026CE25850.00, FUTSTKINFY29-12-2026XX0.00: the identifier in NSE's option chains. */
const IDENTIFIER = /^(OPT|FUT)(?:IDX|STK)([^ ]{2,20}?)(\d\d)-(\d\d)-(\d{4})(CE|PE|XX)(\d{1,9}\.\d\d)$/;

function readIdentifier(code: string): Contract | undefined {
  const match = IDENTIFIER.exec(code);
  if (match === null) return undefined;
  const [, kind, underlying, day, month, year, type, strike] = match as unknown as string[];
  const expiry = expiryOf({ day: day!, month: month!, year: year! });
  if (type === 'CE' || type === 'PE')
    return kind === 'OPT' ? contract(underlying!, expiry, { type, strike: strike! })[0] : undefined;
  return kind === 'FUT' && Number(strike) === 0 ? contract(underlying!, expiry)[0] : undefined;
}

/** Cuts the digits (and a decimal point between them) off the end of a text. */
function cutNumber(text: string): { before: string; number: string } {
  let from = text.length;
  while (from > 0 && /[\d.]/.test(text[from - 1]!)) from -= 1;
  return { before: text.slice(0, from), number: text.slice(from) };
}

function contract(
  underlying: string,
  expiry: ExpiryReading | undefined,
  option?: { type: 'CE' | 'PE'; strike: string },
): Contract[] {
  if (expiry === undefined) return [];
  const expiries = [expiry];
  if (underlying.length < MIN_UNDERLYING_LENGTH) return [];
  if (option === undefined) return [{ underlying, kind: 'FUT', optionType: null, strike: null, expiries }];
  const strike = strikePaise(option.strike);
  return strike === undefined ? [] : [{ underlying, kind: 'OPT', optionType: option.type, strike, expiries }];
}

function readOption(body: string, type: 'CE' | 'PE'): Contract[] {
  const { before, number } = cutNumber(body);
  if (number === '') return [];
  const contracts: Contract[] = [];
  const named = cutMonthName(before);
  if (named !== undefined) {
    const { underlying, digits, month } = named;
    // 25DEC is December 2025 and never the 25th of a later year: the code of an expired contract has no other meaning.
    contracts.push(...contract(underlying, expiryOf({ year: digits, month }), { type, strike: number }));
    // 23NOV2625850 is the 23rd of November 2026 as well.
    for (const length of [2, 4]) {
      const year = number.slice(0, length);
      if (/^(20)?\d\d$/.test(year) && year.length === length)
        contracts.push(
          ...contract(underlying, expiryOf({ day: digits, month, year }), { type, strike: number.slice(length) }),
        );
    }
  }
  const letter = /^(.+?)(\d\d)([OND])$/.exec(before);
  if (letter !== null && before.length <= 40) {
    const expiry = expiryOf({ year: letter[2]!, month: WEEKLY_MONTHS[letter[3]!]!, day: number.slice(0, 2) });
    contracts.push(...contract(letter[1]!, expiry, { type, strike: number.slice(2) }));
  }
  if (named === undefined && letter === null) contracts.push(...readNumberedDate(before, number, type));
  return contracts;
}

/** The name of a month at the end, with the two digits before it. */
function cutMonthName(text: string): { underlying: string; digits: string; month: string } | undefined {
  const month = text.slice(-3);
  const digits = text.slice(-5, -3);
  if (!MONTH_NAMES.includes(month) || !/^\d\d$/.test(digits)) return undefined;
  return { underlying: text.slice(0, -5), digits, month };
}

/** Year, month of two digits or of one, day, and the strike after them. */
const NUMBERED_DATES = [/^(\d\d)(\d\d)(\d\d)(.+)$/, /^(\d\d)(\d)(\d\d)(.+)$/];

/** Digits alone: an end of the underlying, then 26 11 23 25850 or 26 9 23 25850. */
function readNumberedDate(before: string, number: string, type: 'CE' | 'PE'): Contract[] {
  const contracts: Contract[] = [];
  for (let own = 0; own <= MAX_UNDERLYING_DIGITS; own++) {
    const underlying = before + number.slice(0, own);
    const rest = number.slice(own);
    for (const form of NUMBERED_DATES) {
      const cut = form.exec(rest);
      if (cut === null || cut[2] === '0') continue;
      const [, year, month, day, strike] = cut;
      contracts.push(
        ...contract(underlying, expiryOf({ year: year!, month: month!, day: day! }), { type, strike: strike! }),
      );
    }
  }
  return contracts;
}

function readFuture(body: string): Contract[] {
  const named = cutMonthName(body);
  if (named !== undefined) {
    const { underlying, digits, month } = named;
    return contract(underlying, expiryOf({ year: digits, month }));
  }
  const dated = cutNamedDate(body);
  return dated === undefined ? [] : contract(dated.underlying, dated.expiry);
}

/** NIFTY261123C25850, NIFTY20261123CE25850, NIFTY23NOV26C25850: the day, the type, the strike. */
function readLetterOption(code: string): Contract[] {
  const { before, number } = cutNumber(code);
  const type = /[CP]E?$/.exec(before)?.[0];
  if (type === undefined || number === '') return [];
  const option = { type: type.startsWith('C') ? 'CE' : 'PE', strike: number } as const;
  const dated = before.slice(0, -type.length);
  const contracts = [/^(\d\d)(\d\d)(\d\d)$/, /^(20\d\d)(\d\d)(\d\d)$/].flatMap((form, at) => {
    const length = at === 0 ? 6 : 8;
    const [, year, month, day] = form.exec(dated.slice(-length)) ?? [];
    if (year === undefined) return [];
    return contract(dated.slice(0, -length), expiryOf({ year, month: month!, day: day! }), option);
  });
  if (/\d{6}$/.test(dated)) return contracts;
  const named = cutNamedDate(dated);
  return named === undefined ? [] : contract(named.underlying, named.expiry, option);
}

/** NIFTY29DEC26F: the day and F. */
function readLetterFuture(code: string): Contract[] {
  const named = code.endsWith('F') ? cutNamedDate(code.slice(0, -1)) : undefined;
  return named === undefined ? [] : contract(named.underlying, named.expiry);
}

/** A day, a month's name and a year at the end. */
function cutNamedDate(text: string): { underlying: string; expiry: ExpiryReading | undefined } | undefined {
  const { before, number } = cutNumber(text);
  const dated = cutMonthName(before);
  if (dated === undefined || !/^(20)?\d\d$/.test(number)) return undefined;
  const { underlying, digits, month } = dated;
  return { underlying, expiry: expiryOf({ day: digits, month, year: number }) };
}

/** NIFTYX2026: the month as a letter, the year. */
function readTradingViewFuture(code: string): Contract[] {
  const year = code.slice(-4);
  const month = FUTURE_MONTHS.indexOf(code.slice(-5, -4)) + 1;
  if (!/^20\d\d$/.test(year) || month === 0) return [];
  return contract(code.slice(0, -5), expiryOf({ year, month: String(month) }));
}
