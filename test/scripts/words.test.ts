import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { RepeatedScript, type Ended } from './repeated-script';

const note = (content: string): string =>
  JSON.stringify({ nodes: [{ type: 'n8n-nodes-base.stickyNote', name: 'Note 1', parameters: { content } }] });

/** One text of each kind with a calque: file, text, the line that the check prints. */
const WITH_CALQUES: [file: string, text: string, found: string][] = [
  ['docs/order.md', '# Order\n\nThe order is\ngiven out again.\n', 'docs/order.md:4: "given out": write returns'],
  ['README.md', 'It is off at first.', 'README.md:1: "at first": write by default'],
  [
    'nodes/Brokerage/place.ts',
    "export const field = {\n  description:\n    'Whether ' + 'to run the workflow anew',\n};",
    'nodes/Brokerage/place.ts:3: "anew": write again',
  ],
  [
    'credentials/fields.ts',
    'export const field = (name: string) => ({ hint: `${name} stands in front.` });',
    'credentials/fields.ts:1: "stands": write is',
  ],
  [
    'client/orders/model/order-rules.ts',
    'throw new InputError(`${label} stands in no list.`);',
    'client/orders/model/order-rules.ts:1: "stands": write is',
  ],
  ['nodes/host/http.ts', "log.warn('It is under way.');", 'nodes/host/http.ts:1: "under way": write in progress'],
  ['examples/alert.json', note('## Alert\nA person is told.'), 'examples/alert.json (Note 1):2: "A person": write you'],
  [
    'sandbox/src/page/assets/index.html',
    '<p>\n<button>Mend everything</button></p>',
    'index.html:2: "Mend": write fix, or turn off',
  ],
  [
    'sandbox/src/page/assets/faults.js',
    "const text = 'An OTP is under way';",
    'faults.js:1: "under way": write in progress',
  ],
];

/** One text of each kind with the same words where nobody reads them, or as a name. */
const WITHOUT: [file: string, text: string][] = [
  ['docs/order.md', 'Run `git stand in` or\n\n```\nat first\n```\n'],
  ['nodes/Brokerage/place.ts', "export const value = { name: 'at first', description: 'The order' };"],
  ['examples/alert.json', note('Rejected orders go to *Needs a Person*.')],
  ['sandbox/src/page/assets/index.html', '<p class="at first">Orders</p>'],
];

/** Comments with a fault each: file, text, the line that the check prints. */
const STIFF_COMMENTS: [file: string, text: string, found: string][] = [
  [
    'rooms/what.ts',
    '\n/** What an order costs. */\nconst a = 1;',
    'what.ts:2: "What": begin the docstring with a verb or a noun',
  ],
  ['rooms/which.mts', '/**\n * By which an order is found.\n */', 'which.mts:1: "By which": begin the docstring'],
  [
    'rooms/small.ts',
    'class A {\n  /** price of a unit */\n  a = 1;\n}',
    'small.ts:2: "price": begin the docstring with a capital',
  ],
  ['rooms/name.ts', '/** ref_id of an order. */', 'name.ts:1: "ref_id": begin the docstring with a capital letter'],
  ['rooms/calque.mjs', 'const a = 1; // Paise\n// It is\n// sent anew.', 'calque.mjs:3: "anew": write again'],
  ['rooms/whose.js', '/**\n * A list, the last\n * of\n * which counts. */', 'whose.js:3: "of which": write whose'],
  ['rooms/rest.cjs', 'f(`${a /* that is left */}`);', 'rest.cjs:1: "that is left": write the rest'],
  ['rooms/none.ts', '/** Refuses a price that is none. */', 'none.ts:1: "that is none": write is invalid'],
];

/** Declared names with a fault each: file, text, the line that the check prints. */
const REFUSED_NAMES: [file: string, text: string, found: string][] = [
  ['rooms/local.ts', "\nconst told = ['sent'];", 'local.ts:2: "told": name the thing'],
  ['rooms/binding.mjs', 'const { price: earlier } = order;', 'binding.mjs:1: "earlier": name the thing'],
  ['rooms/parameter.cjs', 'const f = (wanted) => 1;', 'parameter.cjs:1: "wanted": name the thing'],
  ['rooms/field.ts', 'interface A {\n  isMeant: boolean;\n}', 'field.ts:2: "isMeant": name the thing'],
  ['rooms/method.js', 'class A {\n  #looks() {}\n}', 'method.js:2: "looks": name the thing'],
  ['rooms/function.ts', 'function rehearsalOf() {}', 'function.ts:1: "rehearsalOf": name the thing'],
  ['rooms/class.ts', 'class ExitKeeper {}', 'class.ts:1: "ExitKeeper": name the thing'],
  ['rooms/most.ts', 'const MOST_ORDERS = 5;', 'most.ts:1: "MOST_ORDERS": begin the constant with MAX_'],
  ['rooms/least.ts', 'const LEAST_LOTS = 1;', 'least.ts:1: "LEAST_LOTS": begin the constant with MIN_'],
];

/** Names that hold such a word for what it is, and keys of outputs. */
const ACCEPTED_NAMES: [file: string, text: string][] = [
  ['rooms/accepted.ts', 'const earlierOrder = f({ told: 1, settled: true, "wanted": 2 });'],
];

/** A name of a test with a fault each: file, text, the line that the check prints. */
const STIFF_NAMES: [file: string, text: string, found: string][] = [
  [
    'test/and.test.ts',
    "\nit('and sends nothing', () => {});",
    'and.test.ts:2: "and": begin the name of the test with its subject',
  ],
  ['test/of.test.ts', "test.each([1])('of %s is sent', () => {});", 'of.test.ts:1: "of": begin the name of the test'],
  ['test/should.test.ts', "it('should send', () => {});", 'should.test.ts:1: "should": begin the name of the test'],
  [
    'test/long.test.ts',
    `it('sends ${'a'.repeat(115)}', () => {});`,
    'long.test.ts:1: the name of the test has 121 characters',
  ],
  [
    'test/noun.test.ts',
    "it('the price of a basket', () => {});",
    'noun.test.ts:1: "the price of a basket": say in the name',
  ],
  ['test/calque.test.ts', "describe('An order anew', () => {});", 'calque.test.ts:1: "anew": write again'],
];

/** Names of tests in which the check finds no fault. */
const PLAIN_NAMES: [file: string, text: string][] = [
  ['test/plain.test.ts', "describe('of an order', () => it('refuses a price', () => {}));"],
  ['test/table.test.ts', "it.each([['The price rises.']])('%s', () => {}); it.each`a${1}`('carries $a', () => {});"],
  ['test/length.test.ts', `it(\`sends ${'a'.repeat(100)} \${'b'.repeat(100)}\`, () => {});`],
  ['test/other.ts', "it('and sends nothing', () => {});"],
];

/** Comments and values in which the check finds no fault. */
const PLAIN_COMMENTS: [file: string, text: string][] = [
  ['rooms/plain.ts', '/** Returns what an order costs, or `as it is`. */'],
  ['rooms/n8n.ts', '/** n8n calls it when a workflow starts. */'],
  ['rooms/line.ts', '// What follows is no docstring.'],
  ['rooms/values.ts', "f('/** What */', `// anew ${1} // anew`, /\\/\\*\\* What *\\//);"],
  ['rooms/node_modules/other.ts', '/** What others write. */'],
];

describe('The check of words', () => {
  const script = new RepeatedScript('check-words.mjs');
  afterAll(() => script.close());
  let folder: string;

  beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'words-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function check(
    files: [file: string, text: string, ...rest: string[]][],
    ...commented: string[]
  ): Promise<Ended> {
    for (const [file, text] of files) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    }
    return await script.run(folder, ...commented);
  }

  it('finds a calque in every kind of text, and says where and a better word', async () => {
    const { status, said } = await check(WITH_CALQUES);
    for (const [, , found] of WITH_CALQUES) expect(said).toContain(found);
    expect(said.trim().split('\n')).toHaveLength(WITH_CALQUES.length);
    expect(status).toBe(1);
  });

  it('finds stiff comments in the folders of the command line, and says where and a better word', async () => {
    const { status, said } = await check(STIFF_COMMENTS, 'rooms');
    for (const [, , found] of STIFF_COMMENTS) expect(said).toContain(found);
    expect(said.trim().split('\n')).toHaveLength(STIFF_COMMENTS.length);
    expect(status).toBe(1);
  });

  it('accepts plain comments, values that look like comments, and what others wrote', async () => {
    expect(await check(PLAIN_COMMENTS, 'rooms')).toEqual({ status: 0, said: '3 texts, no calque.\n' });
  });

  it('refuses declared names that say nothing of the thing, and says where and how to name it', async () => {
    const { status, said } = await check(REFUSED_NAMES, 'rooms');
    for (const [, , found] of REFUSED_NAMES) expect(said).toContain(found);
    expect(said.trim().split('\n')).toHaveLength(REFUSED_NAMES.length);
    expect(status).toBe(1);
  });

  it('accepts a name that holds such a word for what it is, and keys of outputs', async () => {
    expect(await check(ACCEPTED_NAMES, 'rooms')).toEqual({ status: 0, said: '0 texts, no calque.\n' });
  });

  it('finds stiff names of tests, and says where and how to write them', async () => {
    const { status, said } = await check(STIFF_NAMES);
    for (const [, , found] of STIFF_NAMES) expect(said).toContain(found);
    expect(said.trim().split('\n')).toHaveLength(STIFF_NAMES.length);
    expect(status).toBe(1);
  });

  it('accepts names of tests that are sentences, and names that a table completes', async () => {
    expect(await check(PLAIN_NAMES)).toEqual({ status: 0, said: '5 texts, no calque.\n' });
  });

  it('leaves comments of other folders alone', async () => {
    expect(await check(STIFF_COMMENTS)).toEqual({ status: 0, said: '0 texts, no calque.\n' });
  });

  it('lets code, values, attributes and the name of a step pass', async () => {
    expect(await check(WITHOUT)).toEqual({ status: 0, said: `${WITHOUT.length} texts, no calque.\n` });
  });
});
