/** The item that a page shows for an operation has the fields that come out of it, in n8n's engine against the sandbox. */
import { readFileSync } from 'node:fs';
import type { IDataObject } from 'n8n-workflow';
import { resources } from '../../nodes/Brokerage/actions/resources';
import type { Engine } from '../support/engine';
import { openOperationWorld, operationCases, type OperationWorld } from '../support/operations';
import { share } from '../support/sample';
import type { TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;
let prepare: OperationWorld['prepare'];
beforeAll(async () => {
  ({ sandbox, engine, prepare } = await openOperationWorld());
});
afterAll(async () => await sandbox.close());

/** The first item that a page shows in the section of an operation; undefined where it shows none. */
function shownItem(resource: string, name: string): IDataObject | undefined {
  const sections = readFileSync(`docs/${resource}.md`, 'utf8').split('\n## ');
  const section = sections.find((section) => section.startsWith(`${name}\n`));
  const block = /```json\n([\s\S]*?)```/.exec(section ?? '')?.[1];
  return block === undefined ? undefined : (JSON.parse(block) as IDataObject);
}

/** Operations with dry runs as their cases, whose item differs. */
const DRY_RUN_OPERATIONS = ['exitPosition', 'protectPosition', 'setTargetPosition', 'stopTrading'];
const shown = operationCases.flatMap(([resource, operation, { parameters }]) => {
  const item = shownItem(resource, resources[resource]!.operations[operation]!.name);
  return item === undefined || DRY_RUN_OPERATIONS.includes(operation)
    ? []
    : [{ resource, operation, parameters, item }];
});

it('shows an item for most operations', () => {
  expect(shown.length).toBeGreaterThan(20);
});

it.each(share(shown, 6, 0))(
  'the item of $resource: $operation has the documented fields',
  async ({ resource, operation, parameters, item }) => {
    await prepare(resource, operation);
    const run = await engine.run({ resource, operation, simplify: true, ...parameters() }, { typeVersion: 1.2 });
    const out = run.items[0]!.json;
    expect(Object.keys(item).filter((name) => !(name in out))).toEqual([]);
  },
);
