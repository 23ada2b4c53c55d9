/**
 * Finds calques and stiff words in everything that people read: the pages, the panels of nodes and credential, errors and log lines, the
 * notes of the examples, the sandbox's page, the names of tests, and the comments and declared names of the folders in `COMMENTED`:
 * `npm run words`. Prints each place with a better word, and exits with status 1 if there is one. Arguments: another root folder, then
 * folders whose comments and names are checked as well.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { COMMENT_WORDS, commentsOf, faultOfBeginning } from './comments.mjs';
import { declaredNamesOf, faultOfDeclared } from './declared-names.mjs';
import { faultOfName, namesOf } from './test-names.mjs';

/** Folders and files whose comments follow the rules of `comments.mjs`, and whose names those of `declared-names.mjs`. The list grows until it holds every folder of the project. */
const COMMENTED = ['client', 'nodes', 'credentials', 'proto', 'scripts', 'e2e', 'bench', 'sandbox/src', 'test'];

/** Stiff words (small and capital letters alike), and what to write instead. */
const WORDS = [
  [/\b(gives?|given|gave|giving) out\b/, 'returns, or starts the workflow'],
  [/\bputs? out\b/, 'returns'],
  [/\bstands\b|\bstand (in|on|there|behind)\b/, 'is, or matches'],
  [/\b(session|login|token|order)s? (still )?lives?\b|\blives on\b/, 'is valid, or stays open'],
  [/\b(session|login|token|it) dies\b|\bdead (session|login|token)\b/, 'expires'],
  [/\bat first\b/, 'by default'],
  [/\bas (it is|it was|it came|they are)\b/, 'unchanged, or leave it out'],
  [/\banew\b/, 'again'],
  [/\bof (its|their) own\b/, 'its, or separate'],
  [/\b(?<!Needs )a person\b/, 'you, or the user'],
  [/\bis bid and asked\b/, 'market depth'],
  [/\bworst price\b/, 'highest price you will pay, or lowest you will sell for'],
  [/\bso many (strikes|units|percent|on each)\b/, 'a number of, or how many'],
  [/\bwith commas between\b/, 'separated by commas'],
  [/\bnone chosen\b/, 'choose none for all'],
  [/\bunder way\b/, 'in progress, or waiting'],
  [/\bmend(s|ed|ing)?\b/, 'fix, or turn off'],
  [/\bin silence\b/, 'silently'],
  [/\ba hand on it\b/, 'unattended'],
  [/\bsomething to say\b/, 'not empty'],
  [/\bcomes? out (at|here)\b/, 'goes to, or appears here'],
  [/\bpeople look at\b/, 'most used'],
  [/\bin small or capital letters\b/, 'small and capital letters count as the same'],
  [/\bexchange (them|the two)\b/, 'swap'],
  [/\btell the makers\b/, 'open an issue'],
  [/\bfits? (all|the filters|your|what you)\b/, 'matches'],
  [/\bwas got\b|\bgot with\b/, 'created with'],
  [/\btimes? in India\b|\bday in India\b|\btime is India's\b|\bare India's\b/, 'IST'],
];

/** Properties of panels whose text people read. */
const PANEL_TEXTS = ['displayName', 'description', 'hint', 'placeholder', 'action', 'nothing', 'activationMessage'];

/** Properties that hold an error's text, the classes and functions that are given one, and those that write a log line. */
const ERROR_TEXTS = ['message', 'hint'];
const SAYS = /(Error|\.(info|warn|tell|saveFailure))$/;

/** Endings of the files whose comments are read. */
const SOURCES = ['.ts', '.mts', '.mjs', '.js', '.cjs'];

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'));
const read = (file) => readFileSync(path.join(root, file), 'utf8');

/** The files of a folder with an ending, in order. Empty if there is no such folder. */
function filesIn(folder, ending) {
  if (!existsSync(path.join(root, folder))) return [];
  return readdirSync(path.join(root, folder), { recursive: true })
    .filter((file) => file.endsWith(ending) && !/(^|\/)(node_modules|dist|generated|output)\//.test(file))
    .map((file) => path.posix.join(folder, file.split(path.sep).join('/')))
    .sort();
}

/** A text as blanks. It keeps its line breaks, so that the following text keeps its line. */
const blank = (text) => text.replace(/[^\n]/g, ' ');

/** A page without code. */
function proseOf(page) {
  return page.replace(/^```[^]*?^```/gm, blank).replace(/`[^`\n]*`/g, blank);
}

/** The strings of a source that people read, each with the line on which it begins. */
function stringsOf(file, isReadProperty) {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node, read) => {
    const next =
      read ||
      (ts.isPropertyAssignment(node) && isReadProperty(node.name.getText(source))) ||
      ((ts.isNewExpression(node) || ts.isCallExpression(node)) && SAYS.test(node.expression.getText(source)));
    if (next && (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)))
      found.push([source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1, node.text]);
    ts.forEachChild(node, (child) => visit(child, next));
  };
  visit(source, isReadProperty(undefined));
  return found;
}

/** Every text that people read: file, the line on which it begins, the text. */
function* texts() {
  const pages = ['README.md', 'examples/README.md', 'sandbox/README.md'].filter((file) =>
    existsSync(path.join(root, file)),
  );
  for (const file of [...pages, ...filesIn('docs', '.md')]) yield [file, 1, proseOf(read(file))];
  for (const file of ['nodes', 'credentials', 'client'].flatMap((folder) => filesIn(folder, '.ts')))
    for (const [line, text] of stringsOf(file, (name) => [...PANEL_TEXTS, ...ERROR_TEXTS].includes(name)))
      yield [file, line, text];
  for (const file of filesIn('examples', '.json'))
    for (const { type, name, parameters } of JSON.parse(read(file)).nodes)
      if (type.endsWith('.stickyNote')) yield [`${file} (${name})`, 1, proseOf(parameters.content)];
  const assets = 'sandbox/src/page/assets';
  for (const file of filesIn(assets, '.html')) yield [file, 1, read(file).replace(/<[^>]*>/g, blank)];
  for (const file of filesIn(assets, '.js'))
    for (const [line, text] of stringsOf(file, () => true)) yield [file, line, text];
}

/** Every comment of `COMMENTED` and of the folders of the command line: file, the line on which it begins, its prose, `true` if a docstring. */
function* comments() {
  for (const file of sources())
    for (const { line, prose, doc } of commentsOf(read(file))) yield [file, line, prose, doc];
}

/** Every file whose comments and declared names are checked. */
function* sources() {
  for (const place of [...COMMENTED, ...process.argv.slice(3)])
    for (const file of /\.\w+$/.test(place) ? [place] : SOURCES.flatMap((ending) => filesIn(place, ending)))
      if (existsSync(path.join(root, file))) yield file;
}

/** Every name of a test and of a `describe`: file, the line on which it begins, the name, `true` if it is of a test. */
function* testNames() {
  for (const file of filesIn('test', '.test.ts'))
    for (const { line, name, isTest } of namesOf(read(file))) yield [file, line, name, isTest];
}

/** The patterns with small and capital letters alike, and with any white space between their words: a line may break there. */
const acrossLines = (words) =>
  words.map(([pattern, better]) => [new RegExp(pattern.source.replaceAll(' ', '\\s+'), 'gi'), better]);

const TEXT_PATTERNS = acrossLines(WORDS);
const COMMENT_PATTERNS = acrossLines([...WORDS, ...COMMENT_WORDS]);
const found = [];
let count = 0;

/** Notes each stiff word of a text that begins on `line` of a file. */
function search(words, file, line, text) {
  count += 1;
  for (const [pattern, better] of words)
    for (const match of text.matchAll(pattern)) {
      const at = line + text.slice(0, match.index).split('\n').length - 1;
      found.push(`${file}:${at}: "${match[0].replace(/\s+/g, ' ')}": write ${better}`);
    }
}

for (const [file, line, text] of texts()) search(TEXT_PATTERNS, file, line, text);
for (const [file, line, prose, doc] of comments()) {
  search(COMMENT_PATTERNS, file, line, prose);
  const fault = doc && faultOfBeginning(prose);
  if (fault) found.push(`${file}:${line}: ${fault}`);
}
for (const [file, line, name, isTest] of testNames()) {
  search(TEXT_PATTERNS, file, line, name);
  const fault = isTest && faultOfName(name);
  if (fault) found.push(`${file}:${line}: ${fault}`);
}
for (const file of sources())
  for (const { line, name } of declaredNamesOf(read(file))) {
    const fault = faultOfDeclared(name);
    if (fault) found.push(`${file}:${line}: ${fault}`);
  }
if (found.length > 0) {
  console.error(found.join('\n'));
  process.exitCode = 1;
} else {
  console.log(`${count} texts, no calque.`);
}
