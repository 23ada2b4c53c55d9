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
/** A number without RS in front, and in percent of the face value; 2ND INT DIV is no amount. */
const AMOUNT = /(?<![\d.])(\d{1,7}(?:\.\d{1,4})?)(?![\d.]|ST\b|ND\b|RD\b|TH\b) ?(%|PER ?CENT)?/;
const BONUS = /^BONUS(?: ISSUE)?(?: IN)?(?: THE)?(?: RATIO)?(?: OF)? ?-? ?(\d{1,3}) ?: ?(\d{1,3})$/;
const SPLIT = /\bSPLI?T\b|\bFV ?SPL\b|\bSUB-?DIVISION\b/;
const FACE_VALUES = /\bR[ES] ?(\d{1,3}(?:\.\d{1,2})?)\b/g;
/** Words of actions that move the price, and are no dividend, split or bonus issue of shares. */
const MOVES =
  /\bRIGHTS?\b|DEMERGER|SPIN ?-?OFF|SCHEME|ARRANGEMENT|AMALGAMATION|REDUCTION|RETURN OF CAPITAL|CONSOLIDATION|\bBONUS\b/;

/**
 * Reads a purpose. @param faceValue rupees, for dividends in percent of it; undefined where it is not known
 * @returns a text that says what is not understood, where something of it is a dividend, a split or a bonus issue and has no known form
 */
export function readPurpose(text: string, faceValue: number | undefined): ActionPurpose | string {
  const found: ActionPurpose = { dividend: 0, ratio: undefined, others: [] };
  if (text.length > MAX_LENGTH) return `the purpose has more than ${MAX_LENGTH} characters`;
  for (const part of partsOf(text)) {
    const wrong = take(part, faceValue, found);
    if (wrong !== undefined) return wrong;
  }
  return found;
}

/** In capitals, without "/-" behind amounts, cut where a new matter begins. */
function partsOf(text: string): string[] {
  const plain = text
    .toUpperCase()
    .replace(/\/-/g, ' ')
    .replace(/(?<=\d),(?=\d{2,3}(?:\D|$))/g, '')
    .replace(/₹|\bINR\b/g, ' RS ')
    .replace(/\bR([ES])\. ?/g, 'R$1 ')
    .replace(/[()]/g, ' ')
    .replace(/\s+/g, ' ');
  return plain
    .split(/[/&+;,]| AND /)
    .flatMap((part) => part.split(PARTS))
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Adds a part to what was found. @returns why it is not understood */
function take(part: string, faceValue: number | undefined, found: ActionPurpose): string | undefined {
  if (SPLIT.test(part)) {
    const [from, to, ...more] = [...part.matchAll(FACE_VALUES)].map((value) => Number(value[1]));
    const isWhole = from !== undefined && to !== undefined && to > 0 && more.length === 0;
    if (!isWhole || from <= to || !Number.isInteger(from / to))
      return `"${part}" does not say from which face value to which`;
    return addRatio(found, 'split', 1, from / to);
  }
  const bonus = BONUS.exec(part);
  if (bonus !== null) {
    const [issued, held] = [Number(bonus[1]), Number(bonus[2])];
    return issued === 0 || held === 0 ? `"${part}" is no ratio` : addRatio(found, 'bonus', held, held + issued);
  }
  if (DIVIDEND.test(part) && !MOVES.test(part)) {
    const amount = RUPEES.exec(part) ?? AMOUNT.exec(part);
    const rupees = amount === null ? NaN : Number(amount[1]) * (amount[2] === undefined ? 1 : (faceValue ?? NaN) / 100);
    if (!(rupees > 0)) return `"${part}" does not say how many rupees a share`;
    found.dividend += Math.round(rupees * 100);
    return undefined;
  }
  if (MOVES.test(part)) found.others.push(part);
  return undefined;
}

function addRatio(found: ActionPurpose, kind: 'split' | 'bonus', before: number, after: number): undefined {
  const so = found.ratio ?? { kind, before: 1, after: 1 };
  found.ratio = { kind: so.kind, before: so.before * before, after: so.after * after };
}
