/** `npm run coverage`: writes docs/service/coverage.md. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { coverageSources, coverageTable } from './coverage-table.mjs';
import { buildIfChanged } from './support.mjs';

const require = createRequire(import.meta.url);
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
await buildIfChanged();
const { endpoints } = require(join(root, 'dist/client/endpoints/index.js'));
const { startSandbox } = require(join(root, 'sandbox/dist/index.js'));
const writeIfChanged = require('./write-if-changed.cjs');

const sandbox = await startSandbox({ clock: 'manual', port: 0 });
try {
  const openapi = await (await fetch(`${sandbox.url}/_sandbox/openapi.json`)).json();
  const sure = JSON.parse(readFileSync(join(root, 'test/service/sure.json'), 'utf8'));
  const text = coverageTable({ endpoints, openapi, sources: coverageSources(root), sure });
  writeIfChanged(join(root, 'docs/service/coverage.md'), text);
} finally {
  await sandbox.close();
}
