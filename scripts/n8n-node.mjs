/**
 * `npm run n8n-node`: n8n's own tool for community nodes lints and builds the package, in strict mode with its default configuration. It
 * works on a copy, since it takes the whole folder for the package and has a separate configuration; the tool's version is pinned in
 * scripts/n8n-node.
 */
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  buildIfChanged,
  installIfMissing,
  node24,
  PlainError,
  root,
  run,
  runWithProgress,
  withNode24,
} from './support.mjs';

/** Files of the published package. */
const PACKAGE = [
  'package.json',
  'index.js',
  'README.md',
  'LICENSE',
  'THIRD-PARTY-NOTICES',
  'nodes',
  'credentials',
  'client',
  'proto',
];
const TEMPLATE = '@n8n/node-cli/dist/template/templates/shared/default/eslint.config.mjs';

/** A copy of the package beside the tool and with the tool's own configuration. */
function copyTo(folder, modules) {
  for (const name of PACKAGE) cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  cpSync(path.join(root, 'tsconfig.base.json'), path.join(folder, 'tsconfig.base.json'));
  const build = JSON.parse(readFileSync(path.join(root, 'tsconfig.build.json'), 'utf8'));
  const include = [...build.include, 'nodes/**/*.json'];
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ ...build, include }));
  cpSync(path.join(modules, TEMPLATE), path.join(folder, 'eslint.config.mjs'));
  symlinkSync(modules, path.join(folder, 'node_modules'), 'junction');
}

/** The files of a build, but those that are no part of the package. */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();

/** Refuses a build that has other files than ours. */
function requireSameFiles(theirs, ours) {
  const [built, expected] = [filesIn(theirs), filesIn(ours)];
  const different = [
    ...built.filter((file) => !expected.includes(file)),
    ...expected.filter((file) => !built.includes(file)),
  ];
  if (different.length > 0)
    throw new PlainError(`n8n-node builds other files than we do:\n  ${different.join('\n  ')}`);
}

const folder = mkdtempSync(path.join(tmpdir(), 'brokerage-n8n-node-'));
try {
  await installIfMissing();
  const { ensureNodeCli } = await import('./runtime.mjs');
  const modules = await ensureNodeCli();
  const env = withNode24();
  await buildIfChanged();
  copyTo(folder, modules);
  if (JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).n8n.strict !== true)
    throw new PlainError('package.json does not ask for the strict mode of n8n-node ("n8n": { "strict": true }).');
  const tool = path.join(modules, '@n8n', 'node-cli', 'bin', 'n8n-node.mjs');
  await run(node24, [tool, 'lint'], { cwd: folder, env });
  await runWithProgress('n8n-node build', node24, [tool, 'build'], { cwd: folder, env });
  requireSameFiles(path.join(folder, 'dist'), path.join(root, 'dist'));
  console.log('passed: n8n-node lint and n8n-node build');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
