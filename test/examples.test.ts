/** The example workflows as files: complete, and free of what belongs to one person. Their runs are in e2e. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { resources } from '../nodes/Brokerage/actions/resources';

interface Node {
  name: string;
  type: string;
  parameters: Record<string, unknown>;
  credentials?: unknown;
}

interface Workflow {
  name: string;
  nodes: Node[];
  connections: Record<string, Record<string, { node: string }[][]>>;
  settings: { executionOrder?: string; timezone?: string };
}

const folder = path.join(__dirname, '..', 'examples');
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
const read = (file: string): Workflow => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Workflow;
const isNote = ({ type }: Node): boolean => type === 'n8n-nodes-base.stickyNote';

it('are all told in the table of their README, and nothing else is', () => {
  const told = readFileSync(path.join(folder, 'README.md'), 'utf8').matchAll(/^\| \[([\w-]+\.json)\]\(\1\)/gm);
  expect([...told].map(([, file]) => file).sort()).toEqual([...files].sort());
});

describe.each(files)('%s', (file) => {
  const workflow = read(file);
  const steps = workflow.nodes.filter((node) => !isNote(node));
  const names = new Set(steps.map(({ name }) => name));

  it('explains itself with notes, and has no credential of its maker', () => {
    expect(workflow.nodes.filter(isNote).length).toBeGreaterThan(1);
    expect(workflow.nodes.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
    expect(workflow.settings.executionOrder).toBe('v1');
    if (steps.some(({ type }) => type === 'n8n-nodes-base.scheduleTrigger'))
      expect(workflow.settings.timezone).toBe('Asia/Kolkata');
  });

  it('connects and mentions only steps that it has, each with a name of its own', () => {
    expect(names.size).toBe(steps.length);
    const connected = Object.entries(workflow.connections).flatMap(([from, kinds]) => [
      from,
      ...Object.values(kinds)
        .flat(2)
        .map(({ node }) => node),
    ]);
    const mentioned = steps.flatMap(({ parameters }) =>
      [...JSON.stringify(parameters).matchAll(/\$\((?:'([^']+)'|\\"([^"\\]+)\\")\)/g)].map(
        ([, single, double]) => single ?? double,
      ),
    );
    expect([...connected, ...mentioned].filter((name) => name === undefined || !names.has(name))).toEqual([]);
  });

  it('uses operations that there are', () => {
    for (const { type, parameters } of steps) {
      if (!/^n8n-nodes-brokerage\.brokerage(Tool)?$/.test(type)) continue;
      const { resource, operation } = parameters as { resource: string; operation: string };
      expect(Object.keys((resources as Record<string, { operations: object }>)[resource]?.operations ?? {})).toContain(
        operation,
      );
    }
  });
});
