#!/usr/bin/env node
const { existsSync } = require('node:fs');
const path = require('node:path');

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(`brokerage-sandbox needs Node.js 24 or later; this is ${process.version}.`);
  process.exit(1);
}
const entry = path.join(__dirname, '..', 'dist', 'cli', 'main.js');
if (!existsSync(entry)) {
  console.error('brokerage-sandbox is not built yet: run "npm run build" in the root of the project.');
  process.exit(1);
}
// Memory for new objects, of which V8 sets aside up to 110 MB, and for what is no longer used but not yet collected: up to three times as
// much as is used. With these a sandbox is as quick, or a twentieth slower beside many listeners, and takes much less. They can be chosen
// at the start of a process only, so the process begins again in its own place. A parent's channel would not outlive that.
const FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=100'];
const chosen = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ');
const missing = FLAGS.filter((flag) => !chosen.includes(flag.split('=')[0]));
if (process.platform !== 'win32' && process.channel === undefined && missing.length > 0) {
  process.execve(process.execPath, [process.execPath, ...missing, ...process.execArgv, ...process.argv.slice(1)]);
}
void require(entry).main(process.argv.slice(2));
