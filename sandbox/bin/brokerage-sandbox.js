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
void require(entry).main(process.argv.slice(2));
