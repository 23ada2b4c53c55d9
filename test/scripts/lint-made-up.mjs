/** Lints files that do not exist with the project's own rules: JSON of path → source comes in, of path → messages goes out. */
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { ESLint } from 'eslint';

const root = path.join(import.meta.dirname, '../..');
const eslint = new ESLint({ cwd: root });
const found = {};
for (const [file, source] of Object.entries(JSON.parse(await text(process.stdin)))) {
  const [result] = await eslint.lintText(source, { filePath: path.join(root, file) });
  found[file] = result.messages.map(({ ruleId, line, message }) => ({ ruleId, line, message }));
}
process.stdout.write(JSON.stringify(found));
