/**
 * Runs a script of the project again and again in one process, where starting Node.js and loading the TypeScript compiler would take
 * longer than the script: each message of the parent is a list of arguments, and each reply what a separate process would have said.
 */
import { pathToFileURL } from 'node:url';

const [node, , script] = process.argv;
let runs = 0;

process.on('message', async (args) => {
  const said = { stdout: '', stderr: '' };
  const written = {};
  for (const stream of ['stdout', 'stderr']) {
    written[stream] = process[stream].write;
    process[stream].write = (text) => {
      said[stream] += text;
      return true;
    };
  }
  process.argv = [node, script, ...args];
  process.exitCode = undefined;
  runs += 1;
  let error;
  try {
    // A module is run once for each address.
    await import(`${pathToFileURL(script).href}?run=${runs}`);
  } catch (thrown) {
    error = String(thrown.stack);
  }
  const status = process.exitCode ?? 0;
  for (const stream of ['stdout', 'stderr']) process[stream].write = written[stream];
  process.exitCode = 0;
  process.send({ status, ...said, error });
});
