/** `npm run operations`: writes the table of operations into README, from the operations themselves. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { withOperations } from './operations-table.mjs';
import { buildIfChanged, root } from './support.mjs';

const require = createRequire(import.meta.url);
await buildIfChanged();
const { resources } = require(join(root, 'dist/nodes/Brokerage/actions/resources.js'));
const writeIfChanged = require('./write-if-changed.cjs');
const file = join(root, 'README.md');
writeIfChanged(file, withOperations(readFileSync(file, 'utf8'), resources));
