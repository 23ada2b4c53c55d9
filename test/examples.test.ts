/** The example workflows as files: complete, and free of what belongs to one person. Their runs are in e2e. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { resources } from '../nodes/Brokerage/actions/resources';

interface Node {
  name: string;
  type: string;
  position: [x: number, y: number];
  parameters: Record<string, unknown>;
  credentials?: unknown;
  webhookId?: string;
}

/** Size in the parameters of an order step. */
interface Size {
  resource?: string;
  operation?: string;
  quantity?: unknown;
  options?: { path?: string };
  path?: string;
  safety?: Record<string, unknown>;
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
/** The types that anybody who knows their address can start. */
const OPEN_TO_ALL = ['n8n-nodes-base.webhook', 'n8n-nodes-base.formTrigger'];
/** The limits of the examples that trade one lot of a contract: units, and rupees of the order. */
const MAX_ORDER: Record<string, { quantity: number; value: number }> = {
  'alert-to-option.json': { quantity: 75, value: 40_000 },
  'covered-call.json': { quantity: 400, value: 50_000 },
  'roll-future.json': { quantity: 75, value: 25_00_000 },
};
/** Places, or can place. */
const places = ({ type, parameters }: Node): boolean =>
  /^n8n-nodes-brokerage\.brokerage(Tool)?$/.test(type) &&
  /^(order|basket)$/.test(String(parameters.resource)) &&
  /^(place|placeMany|modify)$/.test(String(parameters.operation));
const isNote = ({ type }: Node): boolean => type === 'n8n-nodes-base.stickyNote';

it('the examples are all told in the table of their README, and nothing else is', () => {
  const reported = readFileSync(path.join(folder, 'README.md'), 'utf8').matchAll(/^\| \[([\w-]+\.json)\]\(\1\)/gm);
  expect([...reported].map(([, file]) => file).sort()).toEqual([...files].sort());
});

it('the examples are all in the template gallery, with a picture each', () => {
  const gallery = readFileSync(path.join(folder, '..', 'docs', 'templates.md'), 'utf8');
  const shown = [...gallery.matchAll(/^!\[[^\]]+\]\(pictures\/template-([\w-]+)\.png\)/gm)].map(
    ([, name]) => `${name}.json`,
  );
  expect(shown.sort()).toEqual([...files].sort());
  expect(files.filter((file) => !gallery.includes(`(../examples/${file})`))).toEqual([]);
});

/** Width and height of a step on n8n's canvas, dots; a note says its own. */
const STEP_SIZE = 100;

describe.each(files)('%s', (file) => {
  it('has no step that lies over a note', () => {
    const { nodes } = read(file);
    const notes = nodes.filter(isNote);
    const over = nodes
      .filter((node) => !isNote(node))
      .flatMap(({ name, position: [x, y] }) =>
        notes
          .filter(({ position: [left, top], parameters: { width, height } }) => {
            const [right, bottom] = [left + Number(width), top + Number(height)];
            return x < right && x + STEP_SIZE > left && y < bottom && y + STEP_SIZE > top;
          })
          .map((note) => `${name} over ${note.name}`),
      );
    expect(over).toEqual([]);
  });

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

  it('lets no order out that is larger than its limit: fixed limits in each step that places one', () => {
    for (const { name, parameters } of steps.filter(places)) {
      const { quantity, safety = {} } = parameters as Size;
      if (safety.dryRun === true) continue;
      // A stop loss is as large as the fill: a limit that stops it would leave the person without one.
      if (String(quantity).includes('filled_qty')) continue;
      expect([name, safety]).toEqual([name, expect.objectContaining({ maxQuantity: expect.any(Number) as number })]);
      const max = MAX_ORDER[file] ?? { quantity: Math.max(Number(quantity) || 0, 75), value: 20_000 };
      expect(safety.maxQuantity).toBeLessThanOrEqual(max.quantity);
      expect(JSON.stringify(safety)).not.toContain('={{');
      if (parameters.resource === 'order') expect(safety.maxOrderValue).toBeLessThanOrEqual(max.value);
    }
  });

  it('gives whoever can be started from outside a separate address, which n8n makes again at an import', () => {
    for (const { webhookId, type, parameters } of steps.filter((step) => OPEN_TO_ALL.includes(step.type))) {
      const { path: address, options } = parameters as Size;
      expect(webhookId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(type.endsWith('webhook') ? address : options?.path).toBe(webhookId);
    }
  });

  it('asks for a secret before anything else where an order can be started from outside', () => {
    if (!steps.some(places)) return;
    for (const { name } of steps.filter(({ type }) => OPEN_TO_ALL.includes(type))) {
      const asks = (workflow.connections[name]!['main'] as { node: string }[][])[0]?.[0];
      expect(workflow.connections[name]).toEqual({ main: [[asks]] });
      const step = steps.find((step) => step.name === asks!.node)!;
      expect(step.type).toBe('n8n-nodes-base.if');
      const { conditions } = step.parameters as { conditions: { combinator: string; conditions: object[] } };
      expect(conditions.combinator).toBe('and');
      expect(conditions.conditions).toEqual([
        expect.objectContaining({
          leftValue: "={{ String($json.body?.secret ?? '').length }}",
          rightValue: 16,
          operator: { type: 'number', operation: 'gte' },
        }),
        // No secret of the maker, and none that fits the first line: whoever imports it enters one, or nothing passes.
        expect.objectContaining({
          leftValue: '={{ $json.body?.secret }}',
          rightValue: '',
          operator: { type: 'string', operation: 'equals' },
        }),
      ]);
      const [, refused] = workflow.connections[step.name]!['main'] as { node: string }[][];
      for (const { node } of refused!) {
        expect(workflow.connections[node]).toBeUndefined();
        expect(steps.find((step) => step.name === node)!.type).toBe('n8n-nodes-base.set');
      }
    }
  });

  it('takes commands of a chat only from one sender, whom nobody is before it is set', () => {
    for (const { name } of steps.filter(({ type }) => type === 'n8n-nodes-base.telegramTrigger')) {
      const [[asks]] = workflow.connections[name]!['main'] as [[{ node: string }]];
      const { conditions } = steps.find((step) => step.name === asks.node)!.parameters as {
        conditions: { combinator: string; conditions: object[] };
      };
      const from = "={{ String($json.message?.from?.id ?? '') }}";
      expect(conditions.combinator).toBe('and');
      expect(conditions.conditions).toEqual([
        expect.objectContaining({ leftValue: from, operator: expect.objectContaining({ operation: 'notEmpty' }) }),
        expect.objectContaining({ leftValue: from, rightValue: '', operator: { type: 'string', operation: 'equals' } }),
        expect.objectContaining({ leftValue: '={{ $json.message?.chat?.type }}', rightValue: 'private' }),
      ]);
    }
  });

  it('writes amounts with two decimals, grouped as in India, and says so where one is not known', () => {
    const texts = steps.map(({ name, parameters }) => [name, JSON.stringify(parameters)] as const);
    const written = "?.toLocaleString('en-IN', { style: 'currency', currency: 'INR' }) ?? 'not known' ";
    const ratio = "toLocaleString('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })";
    const wrong = texts.flatMap(([name, text]) =>
      [...text.matchAll(/\{\{(.*?)\}\}/g)]
        .filter(([, expression]) => expression!.includes('toLocale'))
        .filter(([, expression]) => !expression!.endsWith(written) && !expression!.includes(ratio))
        .map(([expression]) => [name, expression]),
    );
    // A sign before an expression leaves decimals, groups and the minus of a loss to chance.
    const bare = texts.filter(([, text]) => /₹\s*\{\{|(?:\bRs\.?|\bINR)\s*\{\{/.test(text));
    expect([wrong, bare]).toEqual([[], []]);
  });

  it('has no code in its expressions: n8n has nodes that filter, sort and join', () => {
    const code = steps.flatMap(({ name, parameters }) =>
      [...JSON.stringify(parameters).matchAll(/\{\{(.*?)\}\}/g)]
        .filter(([, expression]) => /=>|\bfunction\b|\.(map|filter|reduce|forEach|sort|join|split)\(/.test(expression!))
        .map(([expression]) => `${name}: ${expression}`),
    );
    expect(code).toEqual([]);
  });

  it('connects and mentions only steps that it has, each with a separate name', () => {
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

  it('sends no e-mail that leaves its background to the reader: dark text on a dark one cannot be read', () => {
    const pages = workflow.nodes.flatMap(({ parameters }) =>
      Object.values(parameters).filter((value) => typeof value === 'string' && /^=?\s*<\w/.test(value)),
    );
    for (const page of pages) {
      const [outermost] = /<[^>]*>/.exec(String(page)) ?? [];
      expect(outermost).toMatch(/style="[^"]*\bcolor: #/);
      expect(outermost).toMatch(/style="[^"]*\bbackground: #/);
    }
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

/** Returns the text that a step makes HTML of, with its expressions. */
const htmlOf = ({ type, parameters }: Node): string | undefined => {
  if (type === 'n8n-nodes-base.html') return String(parameters['html']);
  const { parse_mode: mode } = (parameters['additionalFields'] ?? {}) as { parse_mode?: string };
  if (mode === 'HTML') return String(parameters['text']);
  if (parameters['emailFormat'] === 'html') return String(parameters['html']);
  return undefined;
};
const building = files.flatMap((file) =>
  read(file).nodes.flatMap((node): [string, string][] => {
    const html = htmlOf(node);
    return html === undefined ? [] : [[`${file}: ${node.name}`, html]];
  }),
);

it('the steps that build HTML are found', () => {
  expect(building.map(([name]) => name)).toEqual([
    'report-by-email.json: Send the E-mail',
    'telegram-bot.json: Reply',
    'weekly-companies.json: A Row Each',
    'weekly-companies.json: A Row for Each Event',
    'weekly-companies.json: Write the E-mail',
    'weekly-companies.json: Send the E-mail',
  ]);
});

it.each(building)('%s puts no sign of HTML from its data into it', (_name, html) => {
  const hostile = `</td><img src=x onerror="alert('1')"> & "a" 'b'`;
  // Whatever is asked of the data is that text; a date is no text.
  const data: unknown = new Proxy(
    {},
    { get: (_target, name) => (name === Symbol.toPrimitive ? () => hostile : hostile) },
  );
  const step = () => ({ first: () => ({ json: data }) });
  const date = { fromISO: () => ({ toFormat: () => '25 November 2026' }) };
  const expressions = [...html.matchAll(/\{\{(.*?)\}\}(?!\))/gs)].map(([, code = '']) => code.trim());
  expect(expressions.length).toBeGreaterThan(0);
  // HTML that a step before has made.
  const made = ['$json.concatenated_html', '$json.html'];
  for (const code of expressions.filter((one) => !made.includes(one))) {
    const text = String(new Function('$json', '$', 'DateTime', `return (${code});`)(data, step, date));
    expect([code, text]).toEqual([code, expect.not.stringMatching(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/)]);
  }
});
