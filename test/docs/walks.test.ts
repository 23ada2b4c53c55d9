/** The numbered walks of README and docs: each is run by what docs/development/testing.md names, and its words are those of the screen. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { BrokerageApi } from '../../credentials/BrokerageApi.credentials';
import { Brokerage } from '../../nodes/Brokerage/Brokerage.node';
import { resources } from '../../nodes/Brokerage/actions/resources';
import { BrokerageTrigger } from '../../nodes/BrokerageTrigger/BrokerageTrigger.node';

const root = path.resolve(__dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Names that n8n gives to its own buttons, fields and steps: no file of this package has them. */
const OF_N8N = new Set([
  ...[
    'Add first step',
    '+',
    'Execute workflow',
    'Execute step',
    'Manual Trigger',
    'Executions',
    'Publish',
    'More details',
    'Number',
    'Edit Fields (Set)',
  ],
  ...[
    'Data table',
    'Insert row',
    'Send Email',
    'Send an Email',
    'From Email',
    'To Email',
    'Subject',
    'Email Format',
    'Text',
  ],
  ...['SMTP', 'Google Sheets: Append or Update Row', 'Map Automatically', 'Column to Match On'],
]);
/** Names that the reader gives. */
const OF_THE_READER = new Set(['Fills']);

interface Walk {
  page: string;
  heading: string;
  /** In italics or bold: what the reader clicks or looks for. */
  words: string[];
}

/** Every numbered list of a page, under the heading that it follows. */
function walksOf(page: string): Walk[] {
  const walks: Walk[] = [];
  let heading = '';
  let steps: string[] = [];
  const end = (): void => {
    if (steps.length > 0) {
      const text = steps.join(' ').replace(/\s+/g, ' ');
      const words = [...text.matchAll(/\*\*([^*]+)\*\*|\*([^*]+)\*/g)].map(([, bold, italic]) => (bold ?? italic)!);
      walks.push({ page, heading, words });
    }
    steps = [];
  };
  let isCode = false;
  for (const line of read(page).split('\n')) {
    if (line.trim().startsWith('```')) isCode = !isCode;
    if (isCode) continue;
    if (/^#+ /.test(line)) {
      end();
      heading = line.replace(/^#+ /, '');
    } else if (/^1\. /.test(line)) {
      end();
      steps = [line];
    } else if (steps.length > 0) {
      if (/^(?:\d+\. | {3}|$|```)/.test(line)) steps.push(line);
      else end();
    }
  }
  end();
  return walks;
}

const pages = [
  'README.md',
  'examples/README.md',
  ...readdirSync(path.join(root, 'docs')).map((file) => `docs/${file}`),
];
const walks = pages.filter((file) => file.endsWith('.md')).flatMap(walksOf);

/** Names of fields, their choices and what is in them. */
function* namesOf(
  properties: readonly (INodeProperties | INodePropertyOptions | INodePropertyCollection)[],
): Generator<string> {
  for (const property of properties) {
    if ('displayName' in property) {
      yield property.displayName;
      yield property.displayName.replace(/ \([^)]*\)$/, '');
      if ('placeholder' in property && property.placeholder) yield property.placeholder;
    } else yield property.name;
    if ('action' in property && property.action) yield property.action;
    if ('values' in property) yield* namesOf(property.values);
    if ('options' in property && property.options) yield* namesOf(property.options);
    if ('modes' in property && property.modes) yield* property.modes.map(({ displayName }) => displayName);
  }
}

const nodes = [new Brokerage().description, new BrokerageTrigger().description];
const examples = readdirSync(path.join(root, 'examples'))
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(read(`examples/${file}`)) as { name: string; nodes: { name: string }[] });
const onScreen = new Set([
  ...nodes.flatMap(({ displayName, properties }) => [displayName, ...namesOf(properties)]),
  new BrokerageApi().displayName,
  ...namesOf(new BrokerageApi().properties),
  // n8n makes the name of a trigger's entry in its panel from the choice.
  ...[...namesOf(new BrokerageTrigger().description.properties)].map((name) => `On ${name.toLowerCase()}`),
  ...Object.values(resources).flatMap(({ name, operations }) =>
    Object.values(operations).flatMap((operation) => [operation.name, `${name}: ${operation.name}`]),
  ),
  ...examples.flatMap(({ name, nodes: steps }) => [name, ...steps.map((step) => step.name)]),
  ...[...read('sandbox/src/page/assets/index.html').matchAll(/>([^<>\n]+)</g)].map(([, text]) =>
    text!.replace('&amp;', '&').trim(),
  ),
]);

it('finds the walks', () => {
  expect(walks.length).toBeGreaterThan(12);
});

it.each(walks.map((walk) => [`${walk.page}: ${walk.heading}`, walk] as const))(
  'the words of the steps are on the screen: %s',
  (_, { words }) => {
    const isKnown = (word: string) => [onScreen, OF_N8N, OF_THE_READER].some((known) => known.has(word));
    expect(words.filter((word) => !isKnown(word))).toEqual([]);
  },
);

it('docs/development/testing.md says what runs each walk, and of nothing else', () => {
  const table = /^## Walks of the docs\n[^]*?\n((?:\|[^\n]*\n)+)/m.exec(read('docs/development/testing.md'))![1]!;
  const rows = table
    .trim()
    .split('\n')
    .slice(2)
    .map((row) => row.split('|').map((cell) => cell.trim()));
  expect(rows.map(([, page, heading]) => `${page}: ${heading}`).sort()).toEqual(
    walks.map(({ page, heading }) => `${page}: ${heading}`).sort(),
  );
  const files = rows.flatMap(([, , , by]) => [...by!.matchAll(/`([\w./-]+\.\w+)`/g)].map(([, file]) => file!));
  expect(files.length).toBeGreaterThan(8);
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});
