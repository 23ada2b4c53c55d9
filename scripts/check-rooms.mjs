/**
 * Checks the order of the rooms: no folder imports another in a circle, types counted, in client, nodes, credentials, proto
 * and the sandbox; and each room of the sandbox imports only what scripts/rooms.mjs lets it. Says what is wrong and ends
 * with status 1, or says how many folders are in order.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { SANDBOX, SANDBOX_ROOMS } from './rooms.mjs';

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'));
const TREES = ['client', 'nodes', 'credentials', 'proto', SANDBOX];

/** Every import from one folder to another: folder → folder → the imports that make it, as "file imports module". */
function readImports() {
  const imports = new Map();
  for (const tree of TREES) {
    for (const entry of readdirSync(path.join(root, tree), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
      const file = path.join(entry.parentPath, entry.name);
      const folder = path.relative(root, entry.parentPath);
      if (!imports.has(folder)) imports.set(folder, new Map());
      for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles) {
        if (!fileName.startsWith('.')) continue;
        const target = path.relative(root, path.dirname(moduleOf(path.resolve(entry.parentPath, fileName))));
        if (target === folder) continue;
        const to = imports.get(folder);
        to.set(target, [...(to.get(target) ?? []), `${path.relative(root, file)} imports ${fileName}`]);
      }
    }
  }
  return imports;
}

/** The file of an import without an ending: a folder stands for its index. */
function moduleOf(target) {
  return existsSync(`${target}.ts`)
    ? target
    : existsSync(path.join(target, 'index.ts'))
      ? path.join(target, 'index')
      : target;
}

/** The folders that can be reached from one, itself only by a circle. */
function reachable(imports, from) {
  const found = new Set();
  const waiting = [from];
  while (waiting.length > 0) {
    for (const next of imports.get(waiting.pop())?.keys() ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      waiting.push(next);
    }
  }
  return found;
}

/** Imports between folders that are part of a circle, with one file for each. */
function circles(imports) {
  const wrong = [];
  for (const [folder, targets] of imports) {
    for (const [target, places] of targets) {
      if (!reachable(imports, target).has(folder)) continue;
      const more = places.length > 1 ? `, and ${places.length - 1} more` : '';
      wrong.push(`${folder} -> ${target} is part of a circle (${places[0]}${more})`);
    }
  }
  return wrong;
}

/** Imports of the sandbox that its table does not allow, and rooms that are not in it. */
function outOfOrder(imports) {
  const wrong = [];
  for (const [folder, targets] of imports) {
    const room = roomOf(folder);
    if (room === undefined) continue;
    const allowed = SANDBOX_ROOMS[room];
    if (allowed === undefined) {
      wrong.push(`${folder} is no room of scripts/rooms.mjs: add it with what it may import`);
      continue;
    }
    for (const [target, places] of targets) {
      const other = roomOf(target);
      if (other === undefined || !allowed.includes(other))
        wrong.push(...places.map((place) => `${place}: ${folder} may not import ${target}`));
    }
  }
  return wrong;
}

/** The name of a folder in the table; undefined outside of the sandbox. */
function roomOf(folder) {
  const relative = path.relative(SANDBOX, folder).split(path.sep).join('/');
  return relative.startsWith('..') ? undefined : relative || '.';
}

const imports = readImports();
const wrong = [...outOfOrder(imports), ...circles(imports)];
if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exitCode = 1;
} else {
  const count = [...imports.values()].reduce((sum, targets) => sum + targets.size, 0);
  console.log(`${imports.size} folders, ${count} pairs that import one way, no circle (types counted).`);
}
