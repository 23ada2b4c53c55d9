/** Description of the two packages for npm and for n8n's nodes panel. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Package {
  version: string;
  license: string;
  author: object;
  homepage: string;
  repository: { url: string; directory?: string };
  publishConfig: object;
  keywords: string[];
  n8n: { nodes: string[] };
}

interface Codex {
  node: string;
  categories: string[];
  alias: string[];
  resources: Record<string, { url: string }[]>;
}

const root = path.resolve(__dirname, '..');
const text = (file: string) => readFileSync(path.join(root, file), 'utf8');
const read = <T>(file: string) => JSON.parse(text(file)) as T;

const nodes = read<Package>('package.json');
const sandbox = read<Package>('sandbox/package.json');

/** Products of other makers: people type them, and this package is none of them. */
const OTHER_MAKERS = /kite|zerodha|upstox|groww|angel|fyers|dhan|smartapi|icici|breeze|tradingview/i;

describe('The packages', () => {
  it('have one version, license, author and repository; the sandbox names its own folder and page', () => {
    expect(sandbox.version).toBe(nodes.version);
    expect(sandbox.license).toBe(nodes.license);
    expect(sandbox.author).toEqual(nodes.author);
    expect(sandbox.repository).toEqual({ ...nodes.repository, directory: 'sandbox' });
    expect(nodes.homepage).toBe(nodes.repository.url.replace(/^git\+/, '').replace(/\.git$/, '#readme'));
    expect(sandbox.homepage).toBe(nodes.homepage.replace('#readme', '/tree/main/sandbox#readme'));
  });

  it('cannot be published but with provenance, which only the workflow can make', () => {
    for (const { publishConfig } of [nodes, sandbox])
      expect(publishConfig).toEqual({ access: 'public', provenance: true });
  });

  it('both carry the license', () => {
    expect(text('sandbox/LICENSE')).toBe(text('LICENSE'));
  });

  it('are found in npm by what people type, and not by the product of another maker', () => {
    expect(nodes.keywords).toEqual(
      expect.arrayContaining(['n8n-community-node-package', 'india', 'stock-market', 'nse']),
    );
    expect(sandbox.keywords).toEqual(expect.arrayContaining(['exchange-simulator', 'paper-trading', 'india', 'nse']));
    expect([...nodes.keywords, ...sandbox.keywords].filter((word) => OTHER_MAKERS.test(word))).toEqual([]);
  });
});

describe.each(nodes.n8n.nodes.map((file) => file.replace(/^dist\/(.+)\.js$/, '$1')))('The codex of %s', (file) => {
  const codex = read<Codex>(`${file}.json`);

  it('belongs to the node, has a category, and leads to pages that there are', () => {
    const name = path.basename(file, '.node');
    expect(codex.node).toBe(`n8n-nodes-brokerage.${name.charAt(0).toLowerCase()}${name.slice(1)}`);
    expect(codex.categories).toContain('Finance & Accounting');
    const prefix = `${nodes.homepage.replace('#readme', '')}/blob/main/`;
    const pages = Object.values(codex.resources).flatMap((links) => links.map(({ url }) => url));
    expect(pages.length).toBeGreaterThan(0);
    for (const page of pages) {
      expect(page.startsWith(prefix)).toBe(true);
      expect(existsSync(path.join(root, page.slice(prefix.length)))).toBe(true);
    }
  });

  it('is found by the words that people type, and not by the product of another maker', () => {
    expect(codex.alias).toEqual(
      expect.arrayContaining(['algo', 'intraday', 'India', 'stock market', 'trading', 'broker', 'NSE', 'F&O']),
    );
    expect(new Set(codex.alias.map((word) => word.toLowerCase())).size).toBe(codex.alias.length);
    expect(codex.alias.filter((word) => OTHER_MAKERS.test(word))).toEqual([]);
  });
});
