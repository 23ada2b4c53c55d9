/** Comments of a source, and the rules for their wording. */
import ts from 'typescript';

/** Words with which no docstring begins: it begins with a verb or a noun. */
const BEGINNINGS =
  /^(What|Whether|How|Why|Which|Whose|Who|Whom|Where|When|That|So (long|many|much|few|often)|(Of|In|To|From|With|By|For|On) (which|whom|what))\b/;

/** Names that people write in small letters, also where a sentence begins. */
const SMALL_NAMES = /^(n8n|npm|npx)\b/;

/** Further stiff words of comments, and what to write instead. */
export const COMMENT_WORDS = [
  [/\bof which\b/, 'whose, its or an own sentence'],
  [/\bthat (is|are|was|were) left\b(?! (out|open|alone))/, 'the rest, or remaining'],
  [/\bwh(o|ich) is none\b|\bthat (is|are) none\b/, 'is invalid, or is not one'],
];

/** The strings, templates and regular expressions of a source as blanks: they may hold what looks like a comment. */
function withoutLiterals(text) {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const spans = [];
  const visit = (node) => {
    if (ts.isLiteralExpression(node) || ts.isTemplateMiddleOrTemplateTail(node) || ts.isTemplateHead(node))
      spans.push([node.getStart(source), node.end]);
    ts.forEachChild(node, visit);
  };
  visit(source);
  let kept = '';
  let from = 0;
  for (const [start, end] of spans) {
    kept += text.slice(from, start) + text.slice(start, end).replace(/[^\n]/g, ' ');
    from = end;
  }
  return kept + text.slice(from);
}

/** Each comment of a source: the line on which it begins, its text, and `true` if it is a docstring. */
export function commentsOf(text) {
  const found = [];
  for (const match of withoutLiterals(text).matchAll(/\/\*[^]*?\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/g)) {
    const line = text.slice(0, match.index).split('\n').length;
    const comment = text.slice(match.index, match.index + match[0].length);
    const prose = comment
      .replace(/^\/\*\*?|\*\/$/g, '')
      .replace(/^[ \t]*(\*(?!\*)|\/\/)[ \t]?/gm, '')
      .replace(/`[^`\n]*`/g, (code) => code.replace(/[^`]/g, ' '));
    found.push({ line, prose, doc: comment.startsWith('/**') });
  }
  return found;
}

/** The fault of a docstring's beginning, or undefined. */
export function faultOfBeginning(prose) {
  const begin = prose.trim();
  const stiff = BEGINNINGS.exec(begin);
  if (stiff) return `"${stiff[0]}": begin the docstring with a verb or a noun`;
  if (/^[a-z]/.test(begin) && !SMALL_NAMES.test(begin))
    return `"${begin.split(/\s/, 1)[0]}": begin the docstring with a capital letter`;
  return undefined;
}
