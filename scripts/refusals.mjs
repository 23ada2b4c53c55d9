/** Writes docs/refusals.md of the table in client/refusal-rules.ts: what the service says, what it means, what to do. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfChanged } from './support.mjs';

const require = createRequire(import.meta.url);
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
await buildIfChanged();
const { REFUSALS } = require(join(root, 'dist/client/refusal-rules.js'));
const writeIfChanged = require('./write-if-changed.cjs');

/** A cell of a table. */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
/** The words of the service, with the status where that tells it. */
const wordsOf = ({ status, said }) => `${status === undefined ? '' : `status ${status}: `}${cell(said)}`;

const FILE = join(root, 'docs/refusals.md');
const before = `# Refusals

What the service, the exchange or the risk check says when it refuses an order or a request, and what it means. The node and the trigger say it
in the words of the panel, with the service's own words beside it. Where the service gives figures, the sentence has them, in
rupees: "The price must be between ₹1,065.50 and ₹1,302.10 today".

This table is made by \`npm run refusals\` of the translator that the nodes use. The first row whose words are in the text counts; a text about one
field (\`order_price\`, \`goodTillDate\`) that has no row is told with the label of the field.

| Words of the service | Means | What to do |
|---|---|---|
`;
const rows = REFUSALS.map((rule) => `| ${wordsOf(rule)} | ${cell(rule.message)}. | ${cell(rule.hint)} |`);
const text = `${before}${rows.join('\n')}\n`;
writeIfChanged(FILE, text);
