/** Failures as scripts tell them: a command by its beginning, a run of many test files by those that failed. */
import path from 'node:path';

const MAX_COMMAND_SHOWN = 100;

/** Returns a command as an error names it: a list of hundreds of files would hide how it ended. */
export function showCommand(command, args) {
  const text = [path.basename(command), ...args].join(' ');
  return text.length > MAX_COMMAND_SHOWN ? `${text.slice(0, MAX_COMMAND_SHOWN)} …` : text;
}

/**
 * Returns the lines that close a failed run.
 * @param results as jest writes them with `--json`; undefined if jest wrote none, and then the error says why.
 * @param folder the project's, to which the names of the files are relative.
 * @param command runs one file when its name follows.
 */
export function describeFailure({ results, error, folder, command }) {
  const failed = results?.testResults.filter(({ status }) => status === 'failed') ?? [];
  if (failed.length === 0) return error.message;
  const names = failed.map(({ name }) => path.relative(folder, name).replaceAll(path.sep, '/')).sort();
  return [
    `${failed.length} of ${results.testResults.length} files failed:`,
    ...names.map((name) => `  ${name}`),
    `To run one alone: ${command} ${names[0]}`,
  ].join('\n');
}
