import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { BrokerageApi } from '../../credentials/BrokerageApi.credentials';
import { resources } from '../../nodes/Brokerage/actions/resources';
import { BrokerageTrigger } from '../../nodes/BrokerageTrigger/BrokerageTrigger.node';
import { COMMAND_LINE_HELP } from '../../sandbox/src/simulation/command-line-help';
import { withOperations } from '../../scripts/operations-table.mjs';

/** The pages of docs against what the nodes and the sandbox really have: names of operations, fields, options and error texts. */
const root = path.resolve(__dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const page = (name: string) => read(`docs/${name}.md`);
/** A page as one line, with the one on order safety, to which those on orders lead for their limits. */
const flat = (...names: string[]) => names.map(page).join(' ').replace(/\s+/g, ' ');
/** A field's name without its unit. */
const plain = (name: string) => name.replace(/ \([^)]*\)$/, '');

/** Every field of a list, with those of its collections; choices of a field are not fields. */
function fields(properties: INodeProperties[]): INodeProperties[] {
  return properties.flatMap((property) => {
    if (property.type === 'notice' || property.type === 'hidden') return [];
    if (property.type === 'collection') return fields(property.options as INodeProperties[]);
    if (property.type === 'fixedCollection')
      return [property, ...(property.options as INodePropertyCollection[]).flatMap(({ values }) => fields(values))];
    return [property];
  });
}

describe.each(Object.entries(resources))('docs/%s.md', (name, resource) => {
  const text = page(name);
  const operations = Object.values(resource.operations);

  it('has each operation, and no other', () => {
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!);
    expect(operations.map((operation) => operation.name).filter((operation) => !headings.includes(operation))).toEqual(
      [],
    );
  });

  it('names each field', () => {
    const reported = flat(name, 'order-safety');
    const missing = operations
      .flatMap((operation) => fields(operation.properties).map((field) => plain(field.displayName)))
      .filter((field) => !reported.includes(field));
    expect([...new Set(missing)]).toEqual([]);
  });

  it('begins with a picture', () => {
    expect(text).toContain(`](pictures/${name}.png)`);
  });
});

it('README lists each operation, as npm run operations writes the table', () => {
  expect(read('README.md')).toBe(withOperations(read('README.md'), resources));
});

it('docs/trigger.md names each field and each event', () => {
  const text = flat('trigger');
  const all = fields(new BrokerageTrigger().description.properties);
  const events = all
    .filter(({ name }) => name === 'events')
    .flatMap(({ options }) => (options as INodePropertyOptions[]).map((option) => option.name));
  expect(events.length).toBeGreaterThan(10);
  expect([...all.map((field) => plain(field.displayName)), ...events].filter((word) => !text.includes(word))).toEqual(
    [],
  );
});

it('docs/login.md and docs/order-safety.md name each field of the credential', () => {
  const text = flat('login', 'order-safety', 'trigger');
  const names = fields(new BrokerageApi().properties).map(({ displayName }) => plain(displayName));
  expect(names.length).toBeGreaterThan(12);
  expect(names.filter((name) => !text.includes(name))).toEqual([]);
});

it('the sandbox pages name each of its options', () => {
  const options = [...COMMAND_LINE_HELP.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option]) => option!);
  expect(options.length).toBeGreaterThan(12);
  for (const text of [page('sandbox'), read('sandbox/README.md')])
    expect(options.filter((option) => option !== '--help' && !text.includes(option))).toEqual([]);
});

it('pictures are of pages, and pages of pictures', () => {
  const pages = [
    'README.md',
    ...readdirSync(path.join(root, 'docs'))
      .filter((file) => file.endsWith('.md'))
      .map((file) => `docs/${file}`),
  ];
  const shown = new Set(
    pages.flatMap((file) =>
      [...read(file).matchAll(/pictures\/([\w-]+\.(?:png|gif))/g)].map(([, picture]) => picture!),
    ),
  );
  expect([...shown].filter((picture) => !existsSync(path.join(root, 'docs/pictures', picture)))).toEqual([]);
  expect(readdirSync(path.join(root, 'docs/pictures')).filter((picture) => !shown.has(picture))).toEqual([]);
});

/** Pairs of words that follow each other. */
function pairs(text: string): string[] {
  const words = text
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);
  return words.slice(1).map((word, index) => `${words[index]} ${word}`);
}

describe('the error texts that a page explains', () => {
  const sources = ['client', 'nodes', 'credentials']
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        path.join(folder, file),
      ),
    )
    .filter((file) => file.endsWith('.ts'))
    .map(read)
    .join('\n')
    .replace(/\/\*[^]*?\*\/|\/\/ .*$/gm, '')
    .replace(/\$\{[^{}]*\}/g, '');
  const known = new Set(pairs(sources));
  const tables = readdirSync(path.join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [...read(`docs/${file}`).matchAll(/^\| Text \|[^\n]*\n\|[-| ]+\n((?:\|[^\n]*\n)+)/gm)].map(
        ([, rows]) => [file, rows!] as const,
      ),
    );

  // A page shows an example for what a text fills in (a name, a number): so not every pair of words is in the code.
  it.each(tables)('are those of the code: %s', (_file, rows) => {
    const texts = rows
      .trim()
      .split('\n')
      .flatMap((row) => row.split('|')[1]!.split(';'));
    const strange = texts.filter(
      (text) => pairs(text).filter((pair) => known.has(pair)).length < 0.6 * pairs(text).length,
    );
    expect(strange).toEqual([]);
  });
});
