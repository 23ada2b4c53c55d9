import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const script = path.join(__dirname, '../../scripts/check-words.mjs');

const note = (content: string): string =>
  JSON.stringify({ nodes: [{ type: 'n8n-nodes-base.stickyNote', name: 'Note 1', parameters: { content } }] });

/** Of each kind of text one with a calque: file, text, what is said of it. */
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

/** Of each kind of text one with the same words where nobody reads them, or as a name. */
const WITHOUT: [file: string, text: string][] = [
  ['docs/order.md', 'Run `git stand in` or\n\n```\nat first\n```\n'],
  ['nodes/Brokerage/place.ts', "// as it is\nexport const value = { name: 'at first', description: 'The order' };"],
  ['examples/alert.json', note('Rejected orders go to *Needs a Person*.')],
  ['sandbox/src/page/assets/index.html', '<p class="at first">Orders</p>'],
];

describe('The check of words', () => {
  let folder: string;

  beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'words-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function check(files: [file: string, text: string, ...rest: string[]][]): { status: number | null; said: string } {
    for (const [file, text] of files) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    }
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
    return { status, said: stdout + stderr };
  }

  it('finds a calque in every kind of text, and says where and a better word', () => {
    const { status, said } = check(WITH_CALQUES);
    for (const [, , found] of WITH_CALQUES) expect(said).toContain(found);
    expect(said.trim().split('\n')).toHaveLength(WITH_CALQUES.length);
    expect(status).toBe(1);
  });

  it('lets code, comments, values, attributes and the name of a step pass', () => {
    expect(check(WITHOUT)).toEqual({ status: 0, said: `${WITHOUT.length} texts, no calque.\n` });
  });
});
