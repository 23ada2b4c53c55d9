/** Tests that need what a machine may not have: they are left out there, and jest's reporter says so at the end. */
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Something that one machine has and another has not. */
export interface Need<T> {
  /** Name in the user's words. */
  readonly name: string;
  /** Undefined where it is not here. */
  readonly found: T | undefined;
}

const root = path.resolve(__dirname, '../..');

/** A folder that lies beside the project, or beside the folder of its worktrees. */
function beside(name: string): Need<string> {
  const found = ['..', '../..'].map((up) => path.resolve(root, up, name)).find((folder) => existsSync(folder));
  return { name: `../${name}`, found };
}

/** Real files of exchanges. */
export const SHARED_DATA = beside('shared/data');
/** Cases from public reports. */
export const SHARED_CASES = beside('shared/cases');
/** The specification of the service. */
export const SHARED_SPECIFICATION = beside('shared/spec');

/** `describe` where what is needed is here. Elsewhere one test that is skipped and names what is missing (scripts/left-out.mjs). */
export function describeWith<T>(need: Need<T>, title: string, tests: (found: T) => void): void {
  const { name, found } = need;
  if (found === undefined) describe.skip(title, () => it(`needs ${name}, which is not here`, () => undefined));
  else describe(title, () => tests(found));
}
