/** Every error text of the package names things as the panels do: fields, choices, operations; and the parameter of an error is a field. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import ts from 'typescript';
import { BrokerageApi } from '../../credentials/BrokerageApi.credentials';
import { Brokerage } from '../../nodes/Brokerage/Brokerage.node';
import { resources } from '../../nodes/Brokerage/actions/resources';
import { BrokerageTrigger } from '../../nodes/BrokerageTrigger/BrokerageTrigger.node';

const root = path.resolve(__dirname, '../..');

/** An error as the source makes it. */
interface ErrorText {
  /** File and line. */
  at: string;
  /** Message and remedy; what is filled in is `…`. */
  text: string;
  /** True if it says what to do. */
  hasHint: boolean;
  /** True if something entered is refused. */
  isInput: boolean;
  /** Names of fields that it gives as literals. */
  parameters: string[];
}

const sources = ['client', 'credentials', 'nodes'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('generated') && !file.endsWith('.data.ts'))
    .map((file) => path.join(folder, file)),
);

/** Returns the literal texts of an expression: those of both ends of a condition, and of what is joined. */
function textsOf(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [
      node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join(''),
      ...node.templateSpans.flatMap(({ expression }) => textsOf(expression)),
    ];
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  return [];
}

function errorsIn(file: string): ErrorText[] {
  const source = ts.createSourceFile(file, readFileSync(path.join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const found: ErrorText[] = [];
  const visit = (node: ts.Node): void => {
    const isMade = ts.isNewExpression(node) && /Error$/.test(node.expression.getText());
    // Functions that add to a text what is the same for several errors.
    const isHelped =
      ts.isCallExpression(node) && /^(?:refuse|refused|[a-z]\w*Error|unsupported\w*)$/.test(node.expression.getText());
    if (isMade || isHelped) {
      const options = [...(node.arguments ?? [])].filter((argument) => ts.isObjectLiteralExpression(argument));
      const valuesOf = (names: string[]) =>
        options
          .flatMap(({ properties }) => [...properties])
          .filter(ts.isPropertyAssignment)
          .filter(({ name }) => names.includes(name.getText()))
          .flatMap(({ initializer }) => textsOf(initializer));
      const words = [...(node.arguments ?? [])]
        .filter((argument) => ts.isStringLiteral(argument))
        .map(({ text }) => text)
        .filter((text) => /^[a-z]\w*$/.test(text));
      const given = [...(node.arguments ?? [])].flatMap(textsOf);
      found.push({
        at: `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`,
        text: [...given.filter((text) => text.includes(' ')), ...valuesOf(['hint', 'description'])].join(' '),
        hasHint:
          options.some(({ properties }) => properties.some(({ name }) => name?.getText() === 'hint')) || isHelped,
        isInput: isMade && node.expression.getText() === 'InputError',
        // A helper gets the name of its field as a word.
        parameters: [...valuesOf(['parameter']), ...(isHelped ? words : [])],
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** A sentence of the source, in whatever it is used: errors, remedies, panels, hints, messages. */
function sentencesIn(file: string): { at: string; text: string }[] {
  const source = ts.createSourceFile(file, readFileSync(path.join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const found: { at: string; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const [text] = textsOf(node);
      const at = `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
      if (/^[A-Z“"'…]\S* \S+ \S+ /.test(text!)) found.push({ at, text: text! });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const errors = sources.flatMap(errorsIn);
const sentences = sources.flatMap(sentencesIn);

/** All fields of a list, those of collections too. */
const fieldsIn = (properties: readonly INodeProperties[]): INodeProperties[] =>
  properties.flatMap((property) => {
    const inner = (property.options ?? []) as (INodeProperties | INodePropertyCollection | INodePropertyOptions)[];
    return [
      property,
      ...inner.flatMap((option) =>
        'values' in option ? fieldsIn(option.values) : 'type' in option ? fieldsIn([option]) : [],
      ),
    ];
  });
const panels = fieldsIn([
  ...new Brokerage().description.properties,
  ...new BrokerageTrigger().description.properties,
  ...new BrokerageApi().properties,
]);
const choicesOf = ({ options = [] }: INodeProperties): string[] => options.map((option) => option.name);
const modesOf = ({ modes = [] }: INodeProperties): string[] => modes.map((mode) => mode.displayName);
/** A name without its unit. */
const plain = (name: string): string => name.replace(/ \([^)]*\)$/, '');
const operations = Object.values(resources).flatMap(({ name, operations }) =>
  Object.values(operations).map((operation) => `${name}: ${operation.name}`),
);
/** Whatever a panel shows. */
const names = new Set(
  [
    ...panels.flatMap((field) => [field.displayName, ...choicesOf(field), ...modesOf(field)]),
    ...operations,
    ...operations.map((operation) => operation.split(': ')[1]!),
    'Brokerage',
    'Brokerage Trigger',
  ].flatMap((name) => [name, plain(name)]),
);

/** Words in quotes that are no names of a panel: of n8n, headings of docs, commands, fields of items, and parts of an address. */
const OF_OTHERS = new Set([
  'Bearer',
  'Execute step',
  'Test logins',
  'The rules since April 2026',
  'legs',
  'npx brokerage-sandbox',
  '#',
  '?',
]);

it('the source has hundreds of errors', () => {
  expect(errors.length).toBeGreaterThan(400);
});

it('a text in quotes is the name of something in a panel', () => {
  const wrong = [...errors, ...sentences].flatMap(({ at, text }) =>
    [...text.matchAll(/"([^"…\s][^"…]*)"/g)]
      .map(([, quoted]) => quoted!)
      .filter((quoted) => !names.has(quoted) && !OF_OTHERS.has(quoted))
      .map((quoted) => `${at}: "${quoted}"`),
  );
  expect(wrong).toEqual([]);
});

it('an operation in a text exists', () => {
  const resourceNames = Object.values(resources).map(({ name }) => name);
  const named = new RegExp(`\\b(?:${resourceNames.join('|')}): [A-Z][A-Za-z ]*`, 'g');
  const wrong = [...errors, ...sentences].flatMap(({ at, text }) =>
    [...text.matchAll(named)]
      .map(([found]) => found)
      .filter((found) => !operations.some((operation) => found.startsWith(operation)))
      .map((found) => `${at}: ${found}`),
  );
  expect(wrong).toEqual([]);
});

it('a field to set, add or remove exists, and so does its value', () => {
  const labels = [...names].sort((a, b) => b.length - a.length);
  const beginsWithName = (text: string): string | undefined => labels.find((label) => text.startsWith(label));
  const wrong = [...errors, ...sentences].flatMap(({ at, text }) =>
    [...text.matchAll(/\b(?:[Ss]et|[Aa]dd|[Rr]emove|[Cc]hoose|[Uu]nder) ([A-Z][a-z].*)/g)].flatMap(([whole, rest]) => {
      const name = beginsWithName(rest!);
      if (name === undefined) return [`${at}: ${whole.slice(0, 60)}`];
      const value = /^ to ([A-Z].*)/.exec(rest!.slice(name.length))?.[1];
      return value === undefined || beginsWithName(value) !== undefined
        ? []
        : [`${at}: ${name} to ${value.slice(0, 40)}`];
    }),
  );
  expect(wrong).toEqual([]);
});

it('a name of two or more words is that of a panel', () => {
  const verb = /^(?:A|Add|Choose|Enter|In|Move|No|Remove|Set|The|Under|Use|Where) (?:the )?/;
  const name =
    /(?<![\w$"])[A-Z][a-z]+(?:-[A-Z][a-z]+)?(?:(?: (?:of the|of|for|to|in|the|and|a))? [A-Z][A-Za-z]*(?:-[A-Z][a-z]+)?)+/g;
  const isName = (found: string): boolean =>
    OF_OTHERS.has(found) || [...names].some((name) => found.includes(name) || name.includes(found));
  const wrong = [...errors, ...sentences].flatMap(({ at, text }) =>
    [...text.matchAll(name)]
      .map(([found]) => found.replace(verb, ''))
      .filter((found) => /[A-Z].* [A-Z]/.test(found) && !isName(found))
      .map((found) => `${at}: ${found}`),
  );
  expect(wrong).toEqual([]);
});

it('a label of a field is in a panel', () => {
  /** Words of a table for people, and of fields that two panels call differently. */
  const others = new Set([
    'Change',
    'Closed trades',
    'Field',
    'IV',
    'Open positions',
    'Price',
    'Quantity of the leg',
    'Symbol',
  ]);
  const wrong = sources
    .filter((file) => !file.startsWith('client/portfolio/report'))
    .flatMap((file) =>
      [...readFileSync(path.join(root, file), 'utf8').matchAll(/\blabel: '([A-Z][^']*)'/g)]
        .map(([, label]) => label!)
        .filter((label) => !names.has(label) && !others.has(label))
        .map((label) => `${file}: ${label}`),
    );
  expect(wrong).toEqual([]);
});

it('a parameter is a field of a panel', () => {
  const fields = new Set(panels.map(({ name }) => name));
  const wrong = errors.flatMap(({ at, parameters }) =>
    parameters
      .filter((parameter) => !parameter.includes('…') && !fields.has(parameter))
      .map((name) => `${at}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

it('no text has a word for programmers', () => {
  const wrong = errors.flatMap(({ at, text }) =>
    [
      ...text.matchAll(
        /\b(?:invalid|illegal|malformed|null|undefined|NaN|boolean|integer|enum|parameters?|payload|instrument master)\b/gi,
      ),
    ].map(([word]) => `${at}: ${word}`),
  );
  expect(wrong).toEqual([]);
});

it('no text has a name of the source', () => {
  /** Fields of items, and what the reader writes in an expression. */
  const shown = /\{\{.*?\}\}|\b(?:ref_ids?|order_id|basket_id|user_funds\w*|fincode)\b|https?:\S+|GET \S+|n8n/g;
  const wrong = errors.flatMap(({ at, text }) =>
    [...text.replace(shown, '').matchAll(/\b[a-z]+[A-Z]\w*\b|\b[a-zA-Z]+_\w+\b/g)].map(([word]) => `${at}: ${word}`),
  );
  expect(wrong).toEqual([]);
});

it('a refusal of what was entered has a rule or a remedy', () => {
  const wrong = errors
    .filter(({ isInput, hasHint, text }) => isInput && !hasHint && text.trim() !== '')
    .filter(
      ({ text }) =>
        !/^…|^Only|must|may|needs?|at most|longer than|is empty|no more than|more than|too large|is missing|cannot/.test(
          text,
        ),
    )
    .map(({ at, text }) => `${at}: ${text}`);
  expect(wrong).toEqual([]);
});
