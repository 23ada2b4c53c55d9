/** The folder of real exchange data beside the project, where there is one: above the root, or above a worktree of it. */
import { existsSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const found = ['../shared/data', '../../shared/data']
  .map((folder) => path.resolve(root, folder))
  .find((folder) => existsSync(folder));

/** Undefined where the data is not there. */
export const sharedData: string | undefined = found;

/** `describe` where the data is there; a skipped one that says so where it is not. */
export function describeWithSharedData(title: string, tests: (folder: string) => void): void {
  if (found === undefined)
    describe.skip(`${title} (left out: ../shared/data is not here)`, () => it('needs ../shared/data', () => undefined));
  else describe(title, () => tests(found));
}
