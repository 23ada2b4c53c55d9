/** Names of the tests of a source, and the rules for their wording: a name, read after that of its `describe`, is a sentence. */
import ts from 'typescript';

/** The largest length of a name, in characters. */
const MAX_LENGTH = 120;

/** Words with which a name does not begin: it begins with its subject, or with a verb if the `describe` names the subject. */
const BEGINNINGS =
  /^(and|but|or|nor|also|so|that|than|because|since|though|unless|whether|what|whatever|who|whoever|whom|whose|which|how|why|where|when|whenever|while|until|after|before|once|only|even|should|of|in|on|at|by|to|as|for|from|with|without|within|over|under|above|below|beyond|between|during|into|through)\b/;

/** Helping verbs, and verbs with an irregular third person. */
const HELPERS = 'is are was were has have had does do did can cannot may must will goes passes'.split(' ');

/** Base forms of the verbs of test names. A new verb is added here. */
const VERBS = `
  accept acknowledge add adjust agree alert allow announce answer appear apply arrive ask become begin belong bind bound break bring
  build buy call cancel carry change choose clean clear close collect come compile confirm connect copy cost count cover cut defer
  deliver depend describe differ draw drop earn end equal escape exist expect expire explain fail fall fetch fill filter find fire fit
  follow forget forgive format freeze gain generate get give go grow guard group guess halt hand happen have hear hedge hold ignore join
  judge keep know label last lead leave let lie limit list load log look lose lower make mark mask match mean measure mix modify move
  multiply name need note obey offer open order overtake pass pay pin place prefer preview print protect push put rank reach read reconcile recover
  refuse rehearse reject release remember remove renew reorder repeat replace report request require rest return risk round run save
  say see sell send serve set settle share show shrink simplify slow sort spell spend split start stay step stop store subscribe
  succeed survive switch take tell throw time total trade trigger trust try turn understand use wait walk want warn watch win
  withstand work write`
  .trim()
  .split(/\s+/);

/** Third persons of a verb. */
const thirdOf = (verb) =>
  /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : /(s|x|z|ch|sh)$/.test(verb) ? `${verb}es` : `${verb}s`;

const FORMS = new Set([...HELPERS, ...VERBS, ...VERBS.map(thirdOf), 'becomes', 'does']);

/** A name that is a placeholder of a table alone: the table has the sentence. */
const OF_TABLE = /^(%[a-z#]|\$\w+|\$\{[^}]*\})$/;

/** The function at the beginning of a call such as `it`, `it.each(rows)` or `describe.skip`. */
function rootOf(expression) {
  if (ts.isCallExpression(expression) || ts.isPropertyAccessExpression(expression))
    return rootOf(expression.expression);
  return ts.isTaggedTemplateExpression(expression) ? rootOf(expression.tag) : expression;
}

/** Each name of a test or of a `describe` in a source: the line on which it begins, its text, and `true` if it is of a test. */
export function namesOf(text) {
  const source = ts.createSourceFile('names.test.ts', text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    const [name] = ts.isCallExpression(node) ? node.arguments : [];
    if (name && node.arguments.length > 1 && (ts.isStringLiteralLike(name) || ts.isTemplateExpression(name))) {
      const [, isTest, isGroup] =
        /^(?:((?:it|test)(?:[A-Z]\w*)?)|(describe\w*))$/.exec(rootOf(node.expression).getText(source)) ?? [];
      if (isTest || isGroup)
        found.push({
          line: source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1,
          name: ts.isStringLiteralLike(name) ? name.text : name.getText(source).slice(1, -1),
          isTest: Boolean(isTest),
        });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The fault of a test's name, or undefined. */
export function faultOfName(name) {
  const plain = name.replace(/\$\{[^}]*\}/g, '%s');
  const begin = BEGINNINGS.exec(plain);
  if (begin) return `"${begin[1]}": begin the name of the test with its subject or its verb`;
  if (plain.length > MAX_LENGTH) return `the name of the test has ${plain.length} characters: at most ${MAX_LENGTH}`;
  if (!OF_TABLE.test(name) && !plain.split(/[^A-Za-z]+/).some((word) => FORMS.has(word)))
    return `"${name}": say in the name of the test what happens, with a verb`;
  return undefined;
}
