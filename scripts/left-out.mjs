/** A reporter of jest: says at the end which tests were left out, and what they need (test/support/needs.ts). */
import path from 'node:path';

/** The title of the one test that replaces tests whose need is missing. */
const NEED = /^needs (.+), which is not here$/;

export default class LeftOut {
  constructor({ rootDir, testNamePattern }) {
    this.rootDir = rootDir;
    this.chosen = Boolean(testNamePattern);
  }

  onRunComplete(_contexts, { testResults }) {
    const lines = new Set();
    for (const { testFilePath, testResults: tests } of testResults) {
      const file = path.relative(this.rootDir, testFilePath);
      for (const { status, title, fullName, ancestorTitles } of tests) {
        if (status !== 'pending' && status !== 'todo') continue;
        const [, need] = NEED.exec(title) ?? [];
        if (need !== undefined) lines.add(`  no ${need}: ${ancestorTitles.join(' › ')} (${file})`);
        // With -t, what does not match is left out because it was not asked for.
        else if (!this.chosen) lines.add(`  without a reason: ${fullName} (${file})`);
      }
    }
    if (lines.size > 0) process.stderr.write(`\nLeft out:\n${[...lines].sort().join('\n')}\n`);
  }
}
