/** Transforms with swc, from the code with its mutants in place of a file's own. */
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { createTransformer } = require('@swc/jest');

const instrumented = JSON.parse(readFileSync(path.join(process.env.MUTANTS_FOLDER, 'instrumented.json'), 'utf8'));
const withMutants = (code, file) => instrumented[file] ?? code;

exports.createTransformer = (options) => {
  const swc = createTransformer(options);
  return {
    canInstrument: swc.canInstrument,
    process: (code, file, ...rest) => swc.process(withMutants(code, file), file, ...rest),
    getCacheKey: (code, file, ...rest) => swc.getCacheKey(withMutants(code, file), file, ...rest),
  };
};
