import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The version of this package. */
export const VERSION = (
  JSON.parse(readFileSync(path.join(__dirname, '..', '..', 'package.json'), 'utf8')) as { version: string }
).version;
