const { spawn } = require('node:child_process');
const { rm } = require('node:fs/promises');
const path = require('node:path');
const { dest, parallel, series, src } = require('gulp');

/** Runs a program of a dev dependency on the Node.js that runs gulp and waits for it. */
function run(module, ...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [require.resolve(module), ...args], { stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`${path.basename(module)} ${args.join(' ')} ended with status ${code}`)),
    );
  });
}

/** What is made of what others keep: never in git, and made anew by each build. */
const GENERATED = ['client/generated', 'proto/generated'];

const clean = () =>
  Promise.all(['dist', 'sandbox/dist', ...GENERATED].map((folder) => rm(folder, { recursive: true, force: true })));
clean.description = 'Removes everything that the build makes';

const proto = () => run('./proto/generate.js');
proto.description = 'Generates the dependency-free decoders in proto/generated from proto/*.proto';

const suffixes = () => run('./scripts/public-suffixes.mjs');
suffixes.description = 'Writes the public suffix list to client/generated';

const generate = parallel(proto, suffixes);

const compile = () => run('typescript/bin/tsc', '-p', 'tsconfig.build.json');
compile.description = 'Compiles nodes, credentials and what they use to dist';

const icons = () =>
  src(['nodes/**/*.svg', 'nodes/**/*.node.json', 'credentials/**/*.svg'], { base: '.', encoding: false }).pipe(
    dest('dist'),
  );
icons.description = 'Copies icons and codex files to dist';

const compileSandbox = () => run('typescript/bin/tsc', '-p', 'sandbox/tsconfig.json');
compileSandbox.description = 'Compiles the sandbox to sandbox/dist';

const sandboxFiles = () =>
  src(['proto/*.proto', 'sandbox/src/page/assets/**/*', 'sandbox/src/**/data/*.csv'], {
    allowEmpty: true,
    encoding: false,
    base: '.',
  })
    .pipe(
      // proto/x.proto → dist/proto/x.proto; sandbox/src/a/b → dist/a/b
      require('node:stream').Transform.from(async function* (files) {
        for await (const file of files) {
          const relative = file.relative.replace(/^sandbox[\\/]src[\\/]/, '');
          file.base = path.resolve('sandbox/dist');
          file.path = path.resolve('sandbox/dist', relative);
          yield file;
        }
      }),
    )
    .pipe(dest('sandbox/dist'));
sandboxFiles.description = 'Copies what the sandbox reads at run time to sandbox/dist';

/** Modules of the client that the sandbox's page runs, too: for a browser. They import each other only. */
const PAGE_MODULES = [
  'refusals',
  'refusal-rules',
  'exchange-rejections',
  'order-rejections',
  'refusal-remedies',
  'refusal-words',
];

const pageModules = async () => {
  const { readFile, writeFile } = require('node:fs/promises');
  const { ModuleKind, ScriptTarget, transpileModule } = require('typescript');
  const compilerOptions = { module: ModuleKind.ES2022, target: ScriptTarget.ES2022 };
  for (const name of PAGE_MODULES) {
    const source = await readFile(`client/${name}.ts`, 'utf8');
    const { outputText } = transpileModule(source, { compilerOptions });
    // A browser wants the whole name of a file.
    const browserText = outputText.replace(/ from '(\.\/[\w-]+)'/g, " from '$1.js'");
    await writeFile(`sandbox/dist/page/assets/${name}.js`, browserText);
  }
};
pageModules.description = "Compiles the modules of the client that the sandbox's page runs to sandbox/dist";

const sandbox = series(compileSandbox, sandboxFiles, pageModules);

const build = series(clean, generate, parallel(series(compile, icons), sandbox));

module.exports = {
  clean,
  proto,
  suffixes,
  generate,
  icons,
  build,
  sandbox,
  default: build,
};
