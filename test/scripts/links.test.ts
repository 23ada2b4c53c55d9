import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { RepeatedScript, type Ended } from './repeated-script';

const PAGE = '# Orders\n\n## Order record\n';

/** Citations, with a ~ in each that is left out, so that this file cites nothing itself. */
const WRONG: [text: string, said: string][] = [
  [
    '/** One (docs/~service/orders.md#tags). */',
    'client/one.ts:1: docs/~service/orders.md#tags: that page has no such',
  ],
  ['/** One (docs/~service/none.md). */', 'client/one.ts:1: docs/~service/none.md: there is no such file'],
  ['\n// One (wire~-facts 3.8).', 'client/one.ts:2: wire~-facts: is no document of the repository'],
  ['/**\n * One (wire\n * ~facts, section 2).\n */', 'client/one.ts:2: wire ~facts: is no document of the repository'],
  ['/** Specification~: Order record. */', 'client/one.ts:1: Specification~: O: is no document'],
  ["it('exchange~-rules: Prices', () => {});", 'client/one.ts:1: exchange~-rules: : is no document'],
  ['/** (intent orders~,\n * section 2) */', 'client/one.ts:1: intent orders~, section 2: is no document'],
  [
    '/** (service facts~ of October 2026, section 4) */',
    'client/one.ts:1: service facts~ of October 2026, section: is',
  ],
  ['/** One (design~: Names). */', 'client/one.ts:1: (design~: : is no document'],
];

const RIGHT = [
  '/** One (docs/README.md), and the names of the specification, `one` of them; (docs/versions.md). */',
  "export const as = { specification: 'docs' };",
  '/** Places an intent order; two intent orders of three. */',
];

describe('The check of links', () => {
  const script = new RepeatedScript('check-links.mjs');
  afterAll(() => script.close());
  let folder: string;

  beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'links-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function check(code: string, page = PAGE, developers = ''): Promise<Ended> {
    const files = {
      'client/one.ts': code,
      'docs/~service/orders.md': page,
      'docs/README.md': '',
      'docs/development/testing.md': developers,
      'docs/versions.md': '',
    };
    for (const [name, text] of Object.entries(files)) {
      const file = name.replace('~', '');
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text.replaceAll('~', ''));
    }
    return await script.run(folder);
  }

  it.each(WRONG)('refuses the citation %s', async (code, said) => {
    expect(await check(code)).toEqual({ status: 1, said: expect.stringContaining(said.replaceAll('~', '')) });
  });

  it.each(RIGHT)('takes %s', async (code) => {
    expect(await check(code)).toEqual({ status: 0, said: expect.stringContaining('1 files of code') });
  });

  it('refuses a path that is no file in a page for developers', async () => {
    expect((await check('', PAGE, 'Written in `client/one.ts`.')).status).toBe(0);
    expect(await check('', PAGE, 'Written in `client/two.ts`.')).toEqual({
      status: 1,
      said: expect.stringContaining('testing.md: client/two.ts: there is no such file'),
    });
  });

  it('takes a heading that exists, and refuses a broken link of a page', async () => {
    expect((await check('/** One (docs/~service/orders.md#order-record). */')).status).toBe(0);
    expect(await check('', `${PAGE}[here](#nowhere)`)).toEqual({
      status: 1,
      said: expect.stringContaining('orders.md: #nowhere: that page has no such heading'),
    });
  });
});
