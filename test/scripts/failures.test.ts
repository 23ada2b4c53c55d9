import path from 'node:path';
import { describeFailure, showCommand } from '../../scripts/failures.mjs';

const FOLDER = path.resolve('/project');
const COMMAND = 'npm run tables --';
const error = new Error('node scripts/test.mjs ended with status 1');
const file = (name: string, status: string) => ({ name: path.join(FOLDER, 'test', name), status });

describe('The end of a failed run of many test files', () => {
  it('names each file that failed on its own line, and how to run one of them', () => {
    const testResults = [file('b.test.ts', 'failed'), file('c.test.ts', 'passed'), file('a.test.ts', 'failed')];
    expect(describeFailure({ results: { testResults }, error, folder: FOLDER, command: COMMAND }).split('\n')).toEqual([
      '2 of 3 files failed:',
      '  test/a.test.ts',
      '  test/b.test.ts',
      'To run one alone: npm run tables -- test/a.test.ts',
    ]);
  });

  it.each([
    ['wrote no results', undefined],
    ['failed, though none of its files did', { testResults: [file('a.test.ts', 'passed')] }],
  ])('is the error itself where the run %s', (_, results) => {
    expect(describeFailure({ results, error, folder: FOLDER, command: COMMAND })).toBe(error.message);
  });
});

describe('A command in an error', () => {
  it('is shown by its beginning where it has hundreds of arguments, and whole where it is short', () => {
    const files = Array.from({ length: 300 }, (_, index) => `test/${index}.test.ts`);
    expect(showCommand('/usr/bin/node', files)).toMatch(/^node test\/0\.test\.ts .{70,90} …$/);
    expect(showCommand('/usr/bin/npm', ['ci'])).toBe('npm ci');
  });
});
