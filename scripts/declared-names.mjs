/** Declared names of a source, and the names that are refused: a name says what the thing is, in the field's words. */
import ts from 'typescript';

/** Whole names that say nothing of the thing, and what to write instead. */
const WHOLE =
  /^(?:is)?(?:told|untold|tells?|telling|earlier|wanted|unwant|wants?|looks|wish(?:es)?|meant|hears?|must|rehearsed?|tongue|keepers?)$/i;

/** Words that no name holds, its first letter a capital. */
const HELD = /(?:Wish|Meant|Tongue|Rehears(?:e|al|ed)|AsTold|Untold|Keeper)(?=[A-Z_]|$)/;

/** Beginnings of constants, each with the standard one. */
const CONSTANT = /^(?:(MOST|LONGEST|LARGEST)|LEAST|FEWEST)_/;

/** Returns why a name is refused, undefined if it is not. */
export function faultOfDeclared(name) {
  const constant = CONSTANT.exec(name);
  if (constant) return `"${name}": begin the constant with ${constant[1] === undefined ? 'MIN_' : 'MAX_'}`;
  if (WHOLE.test(name) || HELD.test(name[0].toUpperCase() + name.slice(1)))
    return `"${name}": name the thing, as previousOrder, requestedQuantity, reportedEvents`;
  return undefined;
}

/** Returns true if a node declares a name of ours: the keys of an object may be those of an output. */
const declares = (node) =>
  ts.isVariableDeclaration(node) ||
  ts.isParameter(node) ||
  ts.isBindingElement(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isEnumDeclaration(node) ||
  ts.isEnumMember(node) ||
  ts.isPropertySignature(node) ||
  ts.isPropertyDeclaration(node) ||
  ts.isMethodSignature(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isGetAccessorDeclaration(node);

/** The declared names of a source, each with its line. */
export function declaredNamesOf(text) {
  const source = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest);
  const names = [];
  const visit = (node) => {
    if (declares(node) && node.name && (ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name)))
      names.push({
        line: source.getLineAndCharacterOfPosition(node.name.getStart(source)).line + 1,
        name: node.name.text.replace(/^#/, ''),
      });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}
