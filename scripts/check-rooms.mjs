/**
 * Checks the order of the rooms, types counted, in client, nodes, credentials, proto and the sandbox: no folder and no file
 * imports another in a circle, and each room imports only what scripts/rooms.mjs lets it. Prints what is wrong and ends
 * with status 1, or prints how many files are in order.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { LAYERS, REFUSED, SANDBOX, SANDBOX_ROOMS } from './rooms.mjs';

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'));
const TREES = ['client', 'nodes', 'credentials', 'proto', SANDBOX];

/** Reads all imports of one file from another: file -> imported file -> the specifier. Paths are relative to the root. */
function readImports() {
  const imports = new Map();
  for (const tree of TREES) {
    for (const entry of readdirSync(path.join(root, tree), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
      const source = path.join(entry.parentPath, entry.name);
      const targets = new Map();
      for (const { fileName } of ts.preProcessFile(readFileSync(source, 'utf8')).importedFiles)
        if (fileName.startsWith('.')) targets.set(resolveImport(entry.parentPath, fileName), fileName);
      imports.set(relativePath(source), targets);
    }
  }
  return imports;
}

/** Returns the file that a specifier names; a folder means its index. */
function resolveImport(folder, specifier) {
  const target = path.resolve(folder, specifier);
  const candidates = [`${target}.ts`, path.join(target, 'index.ts')];
  return relativePath(candidates.find((candidate) => existsSync(candidate)) ?? `${target}.ts`);
}

const relativePath = (file) => path.relative(root, file).split(path.sep).join('/');

/** Joins the imports of files to imports of folders: folder -> folder -> the imports behind it, as "file imports specifier". */
function joinFolders(imports) {
  const folders = new Map();
  for (const [file, targets] of imports) {
    const folder = path.posix.dirname(file);
    if (!folders.has(folder)) folders.set(folder, new Map());
    const joined = folders.get(folder);
    for (const [target, specifier] of targets) {
      const other = path.posix.dirname(target);
      if (other !== folder) joined.set(other, [...(joined.get(other) ?? []), `${file} imports ${specifier}`]);
    }
  }
  return folders;
}

/** The nodes that can be reached from one; itself only by a circle. */
function reachable(graph, from) {
  const found = new Set();
  const waiting = [from];
  while (waiting.length > 0) {
    for (const next of graph.get(waiting.pop())?.keys() ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      waiting.push(next);
    }
  }
  return found;
}

/** Describes each import that is part of a circle, between folders or between files. */
function findCircles(graph, describe) {
  const wrong = [];
  for (const [node, targets] of graph)
    for (const [target, places] of targets)
      if (reachable(graph, target).has(node)) wrong.push(`${node} -> ${target} is part of a circle${describe(places)}`);
  return wrong;
}

/** Describes imports of the sandbox that its table does not allow, and rooms that are not in it. */
function findDisallowed(folders) {
  const wrong = [];
  for (const [folder, targets] of folders) {
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
  const relative = path.posix.relative(SANDBOX, folder);
  return relative.startsWith('..') ? undefined : relative || '.';
}

/** Describes imports that lead upwards in LAYERS, or that REFUSED names. */
function findRefused(folders) {
  const wrong = [];
  for (const [folder, targets] of folders)
    for (const [target, places] of targets) {
      const why = leadsUp(folder, target) ?? refusalOf(folder, target);
      if (why !== undefined)
        wrong.push(...places.map((place) => `${place}: ${folder} may not import ${target}: ${why}`));
    }
  return wrong;
}

function leadsUp(folder, target) {
  for (const [tower, floors] of Object.entries(LAYERS)) {
    const [from, to] = [folder, target].map((one) => floorOf(tower, floors, one));
    if (from >= 0 && to > from) return `${tower} goes down from ${[...floors].reverse().join(' to ')}`;
  }
  return undefined;
}

function floorOf(tower, floors, folder) {
  return folder.startsWith(`${tower}/`) ? floors.indexOf(folder.slice(tower.length + 1).split('/')[0]) : -1;
}

function refusalOf(folder, target) {
  for (const { from, to, why } of REFUSED) {
    const importer = from.exec(folder);
    const imported = to.exec(target);
    if (importer === null || imported === null) continue;
    if (importer.groups?.group !== undefined && importer.groups.group === imported.groups?.group) continue;
    return why;
  }
  return undefined;
}

const files = readImports();
const folders = joinFolders(files);
const wrong = [
  ...findDisallowed(folders),
  ...findRefused(folders),
  ...findCircles(folders, (places) => ` (${places[0]}${places.length > 1 ? `, and ${places.length - 1} more` : ''})`),
  ...findCircles(files, () => ''),
];
if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exitCode = 1;
} else {
  const count = [...folders.values()].reduce((sum, targets) => sum + targets.size, 0);
  console.log(
    `${files.size} files in ${folders.size} folders, ${count} pairs of folders that import one way, no circle (types counted).`,
  );
}
