/** n8n's own nodes, out of the real n8n that the end-to-end tests use, run by the engine of the tests. */
import { createRequire } from 'node:module';
import path from 'node:path';
import type { INodeType, IVersionedNodeType } from 'n8n-workflow';

/** Folder of the installed n8n, from scripts/bench.mjs. */
const installed = process.env.BENCH_N8N;

const FILES = {
  httpRequest: 'HttpRequest/HttpRequest.node.js',
  splitOut: 'Transform/SplitOut/SplitOut.node.js',
  filter: 'Filter/Filter.node.js',
} as const;

function load(file: string): INodeType | IVersionedNodeType {
  if (installed === undefined) throw new Error('this row needs the real n8n: start it with npm run bench');
  const exported = createRequire(__filename)(
    path.join(installed, 'node_modules', 'n8n-nodes-base', 'dist', 'nodes', file),
  ) as Record<string, new () => INodeType>;
  return new (exported[path.basename(file, '.node.js')] as new () => INodeType)();
}

/** HTTP Request, Split Out and Filter by their full names. */
export function builtInNodes(): Record<string, INodeType | IVersionedNodeType> {
  return Object.fromEntries(Object.entries(FILES).map(([name, file]) => [`n8n-nodes-base.${name}`, load(file)]));
}
