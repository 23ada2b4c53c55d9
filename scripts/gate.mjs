/** Runs n8n's own community-package scanner, as a library, over the source and over the packed tarball. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { npm, unpack } from './platform.mjs';
import { buildIfChanged, root } from './support.mjs';

/** Files that may be in the tarball; anything else is a mistake of packaging. */
const EXPECTED =
  /^(package\.json|README\.md|LICENSE|THIRD-PARTY-NOTICES|index\.js|dist\/(nodes|credentials|client|proto)\/.+\.(js|svg|json))$/;

/** Files that must be in it: the licences, and the list of public suffixes. */
const NEEDED = ['LICENSE', 'THIRD-PARTY-NOTICES', 'dist/client/generated/public-suffixes.js'];

async function scan(name, dir, patterns) {
  const result = await analyzePackage(dir, patterns);
  console.log(`${result.passed ? 'passed' : 'FAILED'}: ${name}`);
  if (!result.passed) console.log(result.details ?? result.message);
  return result.passed;
}

await buildIfChanged();
const folder = mkdtempSync(path.join(tmpdir(), 'brokerage-gate-'));
try {
  const source = await scan('source', root, SOURCE_FILE_PATTERNS);

  execFileSync(...npm(['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]), { cwd: root });
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  const unpacked = path.join(folder, 'package');
  mkdirSync(unpacked);
  unpack(path.join(folder, tarball), unpacked);
  const files = readdirSync(unpacked, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(unpacked, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
  const strangers = files.filter((file) => !EXPECTED.test(file));
  if (strangers.length > 0) console.log(`FAILED: the tarball holds what does not belong:\n  ${strangers.join('\n  ')}`);
  const missing = NEEDED.filter((file) => !files.includes(file));
  if (missing.length > 0) console.log(`FAILED: the tarball lacks ${missing.join(', ')}`);
  const packed = await scan(`tarball (${files.length} files)`, unpacked);

  if (!source || !packed || strangers.length > 0 || missing.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
