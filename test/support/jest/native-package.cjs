/** A transformer that puts in a module's place what Node.js loads for it: see `environment.cjs`. */
module.exports = {
  process: (_source, file) => ({ code: `module.exports = requireNative(${JSON.stringify(file)});` }),
};
