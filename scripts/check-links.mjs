/** Checks that every relative link, picture and anchor of the project's pages leads somewhere: `npm run links`. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { root } from './support.mjs';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'examples/README.md',
  'sandbox/README.md',
];

const docs = readdirSync(join(root, 'docs'), { recursive: true })
  .filter((name) => name.endsWith('.md'))
  .map((name) => join('docs', name));

const pages = [...PAGES, ...docs.sort()];

/** A page without its code, in which brackets are no links. */
function proseOf(text) {
  return text
    .replace(/^(```|~~~)[\s\S]*?^\1.*$/gm, '')
    .replace(/(`+)[^`]*?\1/g, (code) => code.replace(/[[\]()]/g, ' '));
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(text) {
  const used = new Map();
  const anchors = new Set();
  for (const [, heading] of text.replace(/^(```|~~~)[\s\S]*?^\1.*$/gm, '').matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const plain = heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
    const slug = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-');
    const before = used.get(slug) ?? 0;
    used.set(slug, before + 1);
    anchors.add(before === 0 ? slug : `${slug}-${before}`);
  }
  return anchors;
}

/** The targets of inline links, pictures and reference definitions. */
function linksOf(text) {
  const prose = proseOf(text);
  return [
    ...[...prose.matchAll(/\]\(\s*<?([^()\s>]*(?:\([^()\s]*\)[^()\s>]*)*)>?(?:\s+["'][^)]*)?\)/g)].map(
      (match) => match[1],
    ),
    ...[...prose.matchAll(/^\[[^\]]+\]:\s*<?(\S+?)>?(?:\s|$)/gm)].map((match) => match[1]),
  ];
}

/** Why a link leads nowhere; undefined where it leads somewhere or to another site. */
function wrongWith(page, link) {
  if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return undefined;
  const [path = '', anchor] = link.split('#', 2);
  const file = path === '' ? join(root, page) : resolve(root, dirname(page), decodeURIComponent(path));
  if (relative(root, file).startsWith('..')) return 'leads out of the project';
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return 'there is no such file';
  if (anchor === undefined) return undefined;
  if (!found.isFile() || !file.endsWith('.md')) return 'only a page has anchors';
  return anchorsOf(readFileSync(file, 'utf8')).has(decodeURIComponent(anchor).toLowerCase())
    ? undefined
    : 'that page has no such heading';
}

let checked = 0;
const broken = [];
for (const page of pages) {
  for (const link of linksOf(readFileSync(join(root, page), 'utf8'))) {
    checked += 1;
    const why = wrongWith(page, link);
    if (why !== undefined) broken.push(`${page}: ${link || '(empty)'}: ${why}`);
  }
}
for (const line of broken) console.error(line);
if (broken.length > 0) process.exit(1);
console.log(`${checked} links in ${pages.length} pages lead somewhere.`);
