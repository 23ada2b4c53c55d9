/**
 * Checks that every relative link, picture and anchor of the project's pages leads somewhere, and every page with its heading that code
 * cites (`docs/order.md#place`): `npm run links`. Refuses citations of documents that are not in the repository. Another
 * folder may be given.
 */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { root as project } from './support.mjs';

const root = process.argv[2] === undefined ? project : resolve(process.argv[2]);

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'CODE_OF_CONDUCT.md',
  '.github/PULL_REQUEST_TEMPLATE.md',
  'examples/README.md',
  'sandbox/README.md',
].filter((page) => existsSync(join(root, page)));

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

/** Returns the reason for a broken link; undefined for a working link, and for one to another site. */
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

/** Folders of code whose comments and texts are read, and files beside them. */
const CODE = [
  'client',
  'nodes',
  'credentials',
  'proto',
  'sandbox',
  'test',
  'e2e',
  'scripts',
  'bench',
  '.github',
  'docker',
];
const ENDINGS = /\.(ts|mjs|cjs|js|proto|yml|sh)$/;
const NOT_OURS = /(^|[\\/])(node_modules|dist|generated|runtime)([\\/]|$)/;

/** A page of docs that code names, with or without a heading. */
const CITED = /\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g;

/** Former forms of citing documents outside of the repository; `docs/service` replaces them. */
const OUTSIDE = [
  /\b[Ww]ire[-\s]facts\b/g,
  /\b[Ee]xchange[-\s]rules[:,]\s/g,
  /\b[Ss]pecification(:\s[A-Z`]|,\s[A-Z])/g,
  /\b[Ii]ntent\sorders,?\s(sections?\s|§)?\d/g,
  /\b[Ss]ervice\s(facts\s)?of\s[A-Z][a-z]+\s\d{4},\ssection/g,
  /\bservice-\d{4}-\d\d\b/g,
  /[(;]\s?design:\s/g,
];

/** The code that this file does not leave out, by its path in the project. */
function codeFiles() {
  const inside = CODE.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
  );
  const beside = readdirSync(root).filter((name) => ENDINGS.test(name));
  return [...inside, ...beside].filter((name) => ENDINGS.test(name) && !NOT_OURS.test(name)).sort();
}

/** @returns how many pages a file of code cites, and what is wrong with its citations, each with its line. */
function citationsOf(file) {
  // A citation may go on in the next line of its comment: `\r` is such a line break.
  const text = readFileSync(join(root, file), 'utf8').replace(/\n *(?:\*|\/\/) /g, '\r');
  const at = (index) => `${file}:${text.slice(0, index).split(/[\n\r]/).length}`;
  const cited = [...text.matchAll(CITED)];
  const wrong = cited.map(({ 0: link, index }) => [index, link, wrongWith('README.md', link)]);
  const outside = OUTSIDE.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 0: words, index }) => [
      index,
      words.replaceAll('\r', ' '),
      'is no document of the repository: cite a heading of docs/service',
    ]),
  );
  const found = [...wrong, ...outside].filter(([, , why]) => why !== undefined);
  return { count: cited.length, wrong: found.map(([index, what, why]) => `${at(index)}: ${what}: ${why}`) };
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
/** Pages for developers, in which a path in code letters is that of a file or a folder, of the project or of the sandbox's rooms. */
const FOR_DEVELOPERS = /^(CONTRIBUTING\.md|docs[\\/]development[\\/].*)$/;
const PATH = /`((?:client|nodes|test|scripts|sandbox|e2e|\.ci)\/[\w./-]+|[\w-]+\/[\w./-]+\.ts)`/g;

for (const page of pages.filter((name) => FOR_DEVELOPERS.test(name))) {
  for (const [, path] of readFileSync(join(root, page), 'utf8').matchAll(PATH)) {
    checked += 1;
    const places = [path, `${path}.ts`, `${path}.test.ts`, `sandbox/src/${path}`];
    if (!places.some((place) => existsSync(join(root, place)))) broken.push(`${page}: ${path}: there is no such file`);
  }
}
const code = codeFiles();
for (const { count, wrong } of code.map(citationsOf)) {
  checked += count;
  broken.push(...wrong);
}
if (broken.length > 0) {
  console.error(broken.join('\n'));
  process.exitCode = 1;
} else {
  console.log(`${checked} links in ${pages.length} pages and ${code.length} files of code lead somewhere.`);
}
