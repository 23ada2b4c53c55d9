/**
 * Texts that make a regular expression try as much as it can: what leads to one of its parts, that part again and again, and an
 * end at which it fails.
 */
import { RegExpParser, visitRegExpAST, type AST } from '@eslint-community/regexpp';

/** A text of any length: `prefix`, `pump` as often as it fits, `suffix`. */
export interface Attack {
  prefix: string;
  pump: string;
  suffix: string;
}

/** The text of an attack, of about so many characters. */
export function textOfAttack({ prefix, pump, suffix }: Attack, length: number): string {
  return prefix + pump.repeat(Math.max(1, Math.ceil(length / pump.length))) + suffix;
}

/** Characters of every kind that expressions tell apart. */
const POOL = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  'é',
  'न',
  '١',
  '\u2028',
  '\u200b',
];
/** Greatest number of kinds of characters that are tried in pairs. */
const MAX_PAIRED = 6;

/** Every attack on an expression that its parts suggest. */
export function attacksOn(source: string, flags: string): Attack[] {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const kinds = kindsOfCharacters(pattern, flags);
  const pumps = new Set(kinds);
  const prefixes = new Set(['']);
  for (const first of kinds.slice(0, MAX_PAIRED))
    for (const second of kinds.slice(0, MAX_PAIRED)) pumps.add(first + second);
  const groups: string[] = [];
  const addPart = (part: AST.Element): void => {
    const before = sampleBefore(part, groups);
    prefixes.add(before);
    for (const sample of samplesOf(part, groups)) {
      pumps.add(sample);
      pumps.add(before + sample);
    }
  };
  visitRegExpAST(pattern, {
    onCapturingGroupLeave: (group) => void groups.push(samplesOf(group, groups)[0] ?? ''),
    onQuantifierLeave: (quantifier) => addPart(quantifier.element),
  });
  for (const alternative of pattern.alternatives) {
    const whole = sampleOf(alternative.elements, groups);
    for (const sample of [whole, whole.slice(0, -1)]) pumps.add(sample);
  }
  pumps.delete('');
  const suffixes = ['', '\n', '\u0001', '\u0001\n'];
  return [...prefixes].flatMap((prefix) =>
    [...pumps].flatMap((pump) => suffixes.map((suffix) => ({ prefix, pump, suffix }))),
  );
}

/** One character for each set of characters that the expression cannot tell apart. */
function kindsOfCharacters(pattern: AST.Pattern, flags: string): string[] {
  const parts = new Set<string>();
  visitRegExpAST(pattern, {
    onCharacterClassEnter: (part) => void parts.add(part.raw),
    onCharacterSetEnter: (part) => void parts.add(part.raw),
    onCharacterEnter: (part) => {
      if (part.parent.type === 'Alternative') parts.add(part.raw);
    },
  });
  const tests = [...parts].map((part) => new RegExp(`^(?:${part})$`, flags.replace(/[gy]/g, '')));
  const kinds = new Map<string, string>();
  for (const character of POOL) {
    const kind = tests.map((test) => (test.test(character) ? '1' : '0')).join('');
    if (!kinds.has(kind)) kinds.set(kind, character);
  }
  return [...kinds.values()];
}

/** Returns the text that must come before a part for it to be tried. */
function sampleBefore(part: AST.Node, groups: readonly string[]): string {
  const { parent } = part;
  if (parent === null || parent === undefined) return '';
  const before = sampleBefore(parent, groups);
  if (parent.type !== 'Alternative') return before;
  return before + sampleOf(parent.elements.slice(0, parent.elements.indexOf(part as AST.Element)), groups);
}

const sampleOf = (elements: readonly AST.Element[], groups: readonly string[]): string =>
  elements.map((element) => samplesOf(element, groups)[0] ?? '').join('');

/** Texts that a part takes, as different as its alternatives are. */
function samplesOf(element: AST.Element, groups: readonly string[]): string[] {
  switch (element.type) {
    case 'Character':
      return [String.fromCodePoint(element.value)];
    case 'CharacterClass':
    case 'CharacterSet':
      return charactersOf(element.raw);
    case 'Group':
    case 'CapturingGroup':
      return element.alternatives.map(({ elements }) => sampleOf(elements, groups));
    case 'Quantifier':
      return samplesOf(element.element, groups).map((sample) => sample.repeat(Math.max(1, element.min)));
    case 'Backreference':
      return [groups[Number(element.ref) - 1] ?? ''];
    default:
      return [''];
  }
}

/** A few characters that a class takes. */
function charactersOf(raw: string): string[] {
  const test = new RegExp(`^${raw}$`, raw.includes('\\p') ? 'u' : '');
  const own = POOL.filter((character) => test.test(character));
  return [...new Set([own.find((character) => /\w/.test(character)), own[0], own.at(-1)])].filter(
    (character) => character !== undefined,
  );
}
