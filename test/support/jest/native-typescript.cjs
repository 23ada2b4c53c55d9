/**
 * Lets Node.js itself load the TypeScript of the sandbox, the client and the decoders, once for a process, where jest would load it again
 * for each test file: V8 would compile and optimize it again each time, and the market of a seed, the same for everybody, would be worked
 * out again. So no module of theirs can be mocked: what a test must choose is an option of the sandbox, or a port of the client.
 */
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { transformSync, version } = require('@swc/core');

const ROOT = path.resolve(__dirname, '../../..');
const CLIENT = path.join(ROOT, 'client') + path.sep;
const ROOMS = [CLIENT, path.join(ROOT, 'proto') + path.sep, path.join(ROOT, 'sandbox', 'src') + path.sep];

/** Functions that empty what modules of the client remember. */
const remembered = [];

/** Map or set of a module that is empty when the module is loaded: it remembers something while the process lives. */
const MEMORY = /^const (\w+) = new (?:Map|Set)\(\);$/gm;

/** Empties the client's memory, so that a test file begins with none of the file before it. */
exports.forget = () => remembered.forEach((empty) => empty());

/**
 * Folder in which JavaScript is kept from run to run. Jest finds the source map of a stack there, as the file is named
 * as that of the code.
 */
const CACHE = path.join(tmpdir(), `brokerage-tests-${process.getuid?.() ?? 'user'}`);
mkdirSync(CACHE, { recursive: true, mode: 0o700 });

/** The JavaScript of a source: the file that holds it, and what is in it. */
function compiled(file) {
  const source = readFileSync(file, 'utf8');
  const name = createHash('sha256').update(`${version}\0${file}\0${source}`).digest('hex');
  const cached = path.join(CACHE, `${name}.js`);
  if (existsSync(cached)) return { cached, code: readFileSync(cached, 'utf8') };
  const { code } = transformSync(source, {
    filename: file,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    module: { type: 'commonjs', lazy: true },
    sourceMaps: 'inline',
  });
  // Another worker may read it at this moment: it is there as a whole or not at all.
  const partial = `${cached}.${process.pid}`;
  writeFileSync(partial, code);
  renameSync(partial, cached);
  return { cached, code };
}

const loadTypeScript = Module._extensions['.ts'];
Module._extensions['.ts'] = (module, file) => {
  if (!ROOMS.some((room) => file.startsWith(room))) return loadTypeScript(module, file);
  const { cached, code } = compiled(file);
  const names = `"use strict"; __filename = ${JSON.stringify(file)}; __dirname = ${JSON.stringify(path.dirname(file))};`;
  const memories = file.startsWith(CLIENT)
    ? Array.from(code.matchAll(MEMORY), ([, name]) => `() => ${name}.clear()`)
    : [];
  module.remembers = remembered;
  module._compile(
    memories.length === 0 ? names + code : `${names}module.remembers.push(${memories.join(', ')});${code}`,
    cached,
  );
};
