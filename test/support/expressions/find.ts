/** Finds the regular expressions of source files: literals, `new RegExp` of constant text, and patterns of JSON schemas. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** An expression, and its place. */
export interface FoundExpression {
  /** `file:line` */
  at: string;
  source: string;
  flags: string;
}

/** Findings in a file: its expressions, and the places of those that are made of text that only the run time knows. */
export interface Findings {
  expressions: FoundExpression[];
  madeAtRunTime: string[];
}

/**
 * Places where an expression can begin: a slash that opens no comment, after an operator, an opening bracket or a
 * keyword. The other files need not be parsed, which takes most of the time.
 */
const MAY_HOLD =
  /(?:^|[^\w$)\].'"`\s*/<])\s*\/(?![/*])|\b(?:return|case|typeof|of|in|do|else|yield|void|await|default)\s*\/(?![/*])|RegExp|pattern/m;

/** Constants of a file that hold text or a number, by name. */
type Constants = ReadonlyMap<string, ts.Expression>;

/** The expressions of a file. @param name how its places are called. */
export function expressionsIn(path: string, name: string): Findings {
  const text = readFileSync(path, 'utf8');
  return MAY_HOLD.test(text) ? expressionsOf(text, name) : { expressions: [], madeAtRunTime: [] };
}

/** The expressions of TypeScript or JavaScript. @param name how its places are called. */
export function expressionsOf(text: string, name: string): Findings {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, false);
  const constants = constantsOf(file);
  const found: Findings = { expressions: [], madeAtRunTime: [] };
  const visit = (node: ts.Node): void => {
    const at = `${name}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.expressions.push({ at, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (isMaking(node)) {
      const [pattern, flags] = (node.arguments ?? []).map((argument) => textOf(argument, constants));
      const isKnown = pattern !== undefined && (node.arguments!.length === 1 || flags !== undefined);
      if (isKnown) found.expressions.push({ at, source: pattern, flags: flags ?? '' });
      else found.madeAtRunTime.push(at);
    } else if (ts.isPropertyAssignment(node) && isNamed(node.name, 'pattern')) {
      const pattern = textOf(node.initializer, constants);
      // As Ajv makes it of a schema.
      if (pattern !== undefined) found.expressions.push({ at, source: pattern, flags: 'u' });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isMaking(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  return (
    (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'RegExp'
  );
}

const isNamed = (name: ts.PropertyName, text: string): boolean =>
  (ts.isIdentifier(name) || ts.isStringLiteral(name)) && name.text === text;

function constantsOf(file: ts.SourceFile): Constants {
  const constants = new Map<string, ts.Expression>();
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement) || !(statement.declarationList.flags & ts.NodeFlags.Const)) continue;
    for (const { name, initializer } of statement.declarationList.declarations)
      if (ts.isIdentifier(name) && initializer !== undefined) constants.set(name.text, initializer);
  }
  return constants;
}

/** The text of an expression that is constant; undefined for any other. */
function textOf(node: ts.Expression, constants: Constants): string | undefined {
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
  if (ts.isIdentifier(node)) {
    const constant = constants.get(node.text);
    return constant === undefined ? undefined : textOf(constant, constants);
  }
  if (!ts.isTemplateExpression(node)) return undefined;
  let text = node.head.text;
  for (const { expression, literal } of node.templateSpans) {
    const part = textOf(expression, constants);
    if (part === undefined) return undefined;
    text += part + literal.text;
  }
  return text;
}
