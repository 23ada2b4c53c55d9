/** Options of a script on the command line, with `--help`. */
import { parseArgs } from 'node:util';

/**
 * Reads the options of the command line. `--help` prints the help and ends the process; an unknown option ends it with status 1 and both, in
 * words.
 * @template {NonNullable<import('node:util').ParseArgsConfig['options']>} T
 * @param {string} help
 * @param {T} options as `parseArgs` takes them.
 * @returns {ReturnType<typeof parseArgs<{ options: T }>>['values']}
 */
export function readOptions(help, options) {
  let values;
  try {
    ({ values } = parseArgs({ options: { ...options, help: { type: 'boolean', default: false } } }));
  } catch (error) {
    console.error(`${error.message}\n\n${help}`);
    process.exit(1);
  }
  if (!values.help) return values;
  console.log(help);
  process.exit(0);
}
