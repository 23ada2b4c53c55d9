/** A replay refuses the runs that n8n's own schedule starts: they come at times of this machine, not of the recorded days. */
import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Engine } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const SCHEDULE = 'n8n-nodes-base.scheduleTrigger';
const OTHER = 'n8n-nodes-base.webhook';
const NAME = 'Every "Minute"';

/** A start that hands on what it is fed. */
const START = {
  description: { name: 'start', properties: [], inputs: ['main'], outputs: ['main'] },
  async execute(this: IExecuteFunctions) {
    return await Promise.resolve([this.getInputData()]);
  },
} as unknown as INodeType;

let sandbox: TestSandbox;
let engine: Engine;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'machine-time-'));
  const rows = ['2020-03-13 09:15,600,601,599.5,600.5,10', '2020-03-13 09:16,600.5,602,600,601,20'];
  writeFileSync(path.join(folder, 'INFY.csv'), ['time,open,high,low,close,volume', ...rows, ''].join('\n'));
  sandbox = await testSandbox({ start: undefined, replay: folder });
  engine = await open(sandbox);
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

const open = async ({ credential }: TestSandbox) =>
  await Engine.start(credential, { [SCHEDULE]: START, [OTHER]: START });

const price = { resource: 'quote', operation: 'getCurrentPrice', ...bySymbol('INFY') };
const order = orderForm({ priceType: 'MARKET', price: undefined, product: 'IDAY', waitFor: 'accepted' } as never);

/** Runs a node behind a schedule and another start; one of them has started the run. */
async function run(parameters: object, startedBy: 'schedule' | 'other', on = engine): Promise<string | undefined> {
  const start = (name: string, type: string) => ({ ...on.node('brokerage', {}), name, type, typeVersion: 1 });
  const nodes = [
    start(NAME, SCHEDULE),
    start('Other', OTHER),
    { ...on.node('brokerage', parameters as never), name: 'Ours' },
  ];
  const ours = { main: [[{ node: 'Ours', type: 'main' as const, index: 0 }]] };
  const first = startedBy === 'schedule' ? NAME : 'Other';
  const { data } = await on.runWorkflow(
    { nodes, connections: { [NAME]: ours, Other: ours } },
    { [first]: [{ json: {} }] },
  );
  const { error } = data.resultData;
  return error && [error.message, error.description].join(' ');
}

it.each([
  ['an order', order],
  ['a price', price],
])('%s is refused where a schedule has started it, in words that name "At Market Time"', async (_what, parameters) => {
  const text = await run(parameters, 'schedule');
  expect(text).toContain(`starts from "${NAME}", which keeps the time of this machine`);
  expect(text).toContain('"At Market Time"');
  expect((await sandbox.journal()).filter(({ kind }) => kind === 'order')).toEqual([]);
});

it('a step is served where another node has started it, though the workflow has a schedule too', async () => {
  expect(await run(price, 'other')).toBeUndefined();
});

it('a schedule is as good as any start without a replay', async () => {
  const live = await testSandbox();
  try {
    expect(await run(order, 'schedule', await open(live))).toBeUndefined();
  } finally {
    await live.close();
  }
});
