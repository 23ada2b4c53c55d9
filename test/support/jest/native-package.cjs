/**
 * A transformer that puts in a module's place what Node.js loads for it: `environment.cjs` tells why, `native-typescript.cjs` for the
 * sandbox.
 */
module.exports = {
  process: (_source, file) => ({ code: `module.exports = requireNative(${JSON.stringify(file)});` }),
};
