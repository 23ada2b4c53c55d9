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
// What V8 sets aside for new objects (up to 110 MB) is most of what a sandbox takes; with less it is as quick. It can be chosen at the
// start of a process only, so the process begins again in its own place. A parent's channel would not outlive that.
const NEW_SPACE = '--max-semi-space-size=8';
const flags = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ');
if (process.platform !== 'win32' && process.channel === undefined && !flags.includes('--max-semi-space-size')) {
  process.execve(process.execPath, [process.execPath, NEW_SPACE, ...process.execArgv, ...process.argv.slice(1)]);
}
void require(entry).main(process.argv.slice(2));
