/**
 * Writes client/generated/public-suffixes.ts: the rules of the public suffix list (publicsuffix.org) in the edition that the dev dependency
 * `tldts` carries, as text without dependencies. Run by the gulp task `suffixes`.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import writeIfChanged from './write-if-changed.cjs';

const require = createRequire(import.meta.url);
const { version } = require('tldts/package.json');
const {
  edgeChild,
  edgeLength,
  edgeStart,
  exceptionsRoot,
  labelText,
  nodeFlags,
  rulesRoot,
} = require('tldts/dist/cjs/src/data/trie.js');

/** Start of each label in the text of all labels. */
const edgeOffset = [];
for (let edge = 0, offset = 0; edge < edgeLength.length; offset += edgeLength[edge], edge += 1) edgeOffset.push(offset);

/** The rules at and below a node of the library's tree, in which a flag marks the end of a rule. */
function* rulesBelow(node, suffix) {
  if (nodeFlags[node] !== 0) yield suffix;
  for (let edge = edgeStart[node]; edge < edgeStart[node + 1]; edge += 1) {
    const label = labelText.slice(edgeOffset[edge], edgeOffset[edge] + edgeLength[edge]);
    yield* rulesBelow(edgeChild[edge], suffix === '' ? label : `${label}.${suffix}`);
  }
}

/**
 * Returns the rules below a root. A URL has other scripts in ASCII only: the list repeats such rules in their own letters, and those are
 * left out.
 */
const rulesOf = (root) => [...rulesBelow(root, '')].filter((rule) => /^[a-z0-9*.-]+$/.test(rule)).sort();

writeIfChanged(
  path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', 'client', 'generated', 'public-suffixes.ts'),
  `/*!
 * The public suffix list, as tldts ${version} carries it; made by scripts/public-suffixes.mjs.
 * Source: https://publicsuffix.org/list/public_suffix_list.dat
 *
 * This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/.
 */
/** Names under which anybody can register one; \`*\` stands for any one label. */
export const SUFFIXES = '${rulesOf(rulesRoot).join(' ')}';
/** Names that \`*\` would take in, and that somebody registered. */
export const EXCEPTIONS = '${rulesOf(exceptionsRoot).join(' ')}';
`,
);
