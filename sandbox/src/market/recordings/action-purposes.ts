/** Corporate actions as lists of the exchange write them: "Annual General Meeting/ Dividend - Rs 29.50/- Per Share And Bonus 1:1". */

/** Meaning of a purpose. */
export interface ActionPurpose {
  /** Paise a share, all dividends of it together; 0 for none. */
  dividend: number;
  /** Numbers of shares before and after: undefined for no split and no bonus issue. */
  ratio: { kind: 'split' | 'bonus'; before: number; after: number } | undefined;
  /** Parts that move the price and cannot be replayed, such as a rights issue; empty for nothing. */
  others: string[];
}

const MAX_LENGTH = 400;
/** A part begins with one of these words, with or without a sign before it. */
const PARTS = / (?=(?:SPECIAL|INTERIM|FINAL|SECOND|THIRD|FOURTH) (?:INTERIM )?DIV|BONUS )/g;
const DIVIDEND = /\bDIV(?:IDEND)?\b/;
const RUPEES = /\bR[ES] ?-? ?(\d{1,7}(?:\.\d{1,4})?)/;
/** A number without RS in front, in paise, and in percent of the face value; 2ND INT DIV is no amount. */
const AMOUNT = /(?<![\d.])(\d{1,7}(?:\.\d{1,4})?)(?![\d.]|ST\b|ND\b|RD\b|TH\b) ?(%|PER ?CENT|PAIS[AE]\b)?/;
/** A financial year or a year, which is no amount: FOR 2019-20, FY24. */
const YEARS = /\bF ?Y ?\d{2,4}(?: ?- ?\d{2,4})?\b|\b(?:19|20)\d\d(?: ?- ?\d{2,4}\b|\b(?! ?(?:%|PER ?CENT)))/g;
/** RS 50 PAISE: nothing tells which of the two is meant. */
const BOTH_UNITS = /\bR[ES] ?-? ?[1-9]\d*(?:\.\d+)? PAIS[AE]\b/;
const BONUS =
  /^BONUS(?: ISSUE)?(?: OF)?(?: EQUITY)?(?: SHARES?)?(?: IN)?(?: THE)?(?: RATIO)?(?: OF)? ?-? ?(\d{1,3}) ?: ?(\d{1,3})(?: RATIO)?$/;
const SPLIT = /\bSPLI?T\b|\bFV ?SPL\b|\bSUB[- ]?DIVISION\b/;
/** A note that a day or a text was changed. */
const REVISED = /\([^()]*\bREVIS[^()]*\)/g;
/** Parts of an amount, told again: INCLUDING SPECIAL DIVIDEND RS 3. Another matter may follow. */
const INCLUDED =
  /\(? ?\b(?:INCLUDING|INCLUSIVE OF|INCLUDES|INCL|(?:OUT )?OF WHICH|COMPRISING|CONSISTING OF)\b(?:(?!BONUS|SPLI?T|SUB[- ]?DIV|FACE|RIGHT)[^()/;])*\)?/g;
/** A dividend in brackets behind an amount. */
const IN_BRACKETS = /\(([^()]*\bDIV[^()]*)\)/;
const AMOUNTS = /\bR[ES] ?-? ?(\d{1,7}(?:\.\d{1,4})?)|(\d{1,7}(?:\.\d{1,4})?) ?(?:%|PER ?CENT)/g;
/** Securities of the same company whose owners are others. */
const NOT_SHARES = /\bPREF(?:ERENCE)?\b|\bNC?RPS\b|DEBENTURE|WARRANT/;
const FACE_VALUES = /\bR[ES] ?(\d{1,3}(?:\.\d{1,2})?)\b/g;
/** Words of actions that move the price, and are no dividend, split or bonus issue of shares. */
const MOVES =
  /\bRIGHTS?\b|DEMERGER|SPIN ?-?OFF|SCHEME|ARRANGEMENT|AMALGAMATION|REDUCTION|RETURN OF CAPITAL|CONSOLIDATION|HIVE ?-?OFF|\bBONUS\b/;

/**
 * Reads a purpose. @param faceValue rupees, for dividends in percent of it; undefined where it is not known
 * @returns a text that says what is not understood, where something of it is a dividend, a split or a bonus issue and has no known form
 */
export function readPurpose(text: string, faceValue: number | undefined): ActionPurpose | string {
  const purpose: ActionPurpose = { dividend: 0, ratio: undefined, others: [] };
  if (text.length > MAX_LENGTH) return `the purpose has more than ${MAX_LENGTH} characters`;
  const plain = statedOnce(plainText(text));
  if (plain === undefined) return 'it does not say whether the dividend in brackets is a part of the other';
  for (const part of partsOf(plain)) {
    const wrong = take(part, faceValue, purpose);
    if (wrong !== undefined) return wrong;
  }
  return purpose;
}

/** In capitals, without "/-" behind amounts and without what is told twice. */
function plainText(text: string): string {
  return text
    .toUpperCase()
    .replace(/\/-/g, ' ')
    .replace(/(?<=\d),(?=\d{2,3}(?:\D|$))/g, '')
    .replace(/₹|\bINR\b/g, ' RS ')
    .replace(/\bR([ES])\. ?/g, 'R$1 ')
    .replace(REVISED, ' ')
    .replace(INCLUDED, ' ');
}

/**
 * A text without brackets whose amounts come to the amount before them: RS 24 (INTERIM DIVIDEND RS 10 AND FINAL DIVIDEND RS 14).
 * @returns undefined where they may be a part of it or more
 */
function statedOnce(text: string): string | undefined {
  const match = IN_BRACKETS.exec(text);
  const total = match && hundredthsIn(text.slice(0, match.index)).at(-1);
  if (match === null || total === null || total === undefined) return text;
  const sum = hundredthsIn(match[1]!).reduce((all, amount) => all + amount, 0);
  return sum === total ? text.replace(match[0], ' ') : undefined;
}

/** Hundredths of all rupees and percents in a text. */
function hundredthsIn(text: string): number[] {
  return [...text.matchAll(AMOUNTS)].map((amount) => Math.round(Number(amount[1] ?? amount[2]) * 100));
}

/** The matters of a purpose, cut where a new one begins. */
function partsOf(plain: string): string[] {
  return plain
    .replace(/[()]/g, ' ')
    .replace(/\s+/g, ' ')
    .split(/[/&+;,]| AND /)
    .flatMap((part) => part.split(PARTS))
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Adds a part to what was found. @returns why it is not understood */
function take(part: string, faceValue: number | undefined, purpose: ActionPurpose): string | undefined {
  if (SPLIT.test(part)) {
    const [from, to, ...more] = [...part.matchAll(FACE_VALUES)].map((value) => Number(value[1]));
    const isWhole = from !== undefined && to !== undefined && to > 0 && more.length === 0;
    if (!isWhole || from <= to || !Number.isInteger(from / to))
      return `"${part}" does not say from which face value to which`;
    return addRatio(purpose, 'split', 1, from / to);
  }
  const bonus = BONUS.exec(part);
  if (bonus !== null) {
    const [issued, held] = [Number(bonus[1]), Number(bonus[2])];
    return issued === 0 || held === 0 ? `"${part}" is no ratio` : addRatio(purpose, 'bonus', held, held + issued);
  }
  if (DIVIDEND.test(part) && NOT_SHARES.test(part)) return undefined;
  if (DIVIDEND.test(part) && !MOVES.test(part)) {
    const amount = RUPEES.exec(part) ?? AMOUNT.exec(part.replace(YEARS, ' '));
    const rupees = amount === null ? NaN : Number(amount[1]) * unitOf(amount[2], faceValue);
    if (!(rupees > 0) || BOTH_UNITS.test(part)) return `"${part}" does not say how many rupees a share`;
    purpose.dividend += Math.round(rupees * 100);
    return undefined;
  }
  if (MOVES.test(part)) purpose.others.push(part);
  return undefined;
}

/** Rupees of one unit of an amount: paise, percent of the face value, or rupees. */
function unitOf(unit: string | undefined, faceValue: number | undefined): number {
  if (unit === undefined) return 1;
  return unit.startsWith('PAIS') ? 0.01 : (faceValue ?? NaN) / 100;
}

function addRatio(purpose: ActionPurpose, kind: 'split' | 'bonus', before: number, after: number): undefined {
  const so = purpose.ratio ?? { kind, before: 1, after: 1 };
  purpose.ratio = { kind: so.kind, before: so.before * before, after: so.after * after };
}
