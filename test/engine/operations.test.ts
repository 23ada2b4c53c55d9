/**
 * Every operation in n8n's engine against the sandbox over real HTTP: its good path, linked to its items; an error of the
 * service, with and without going on; every endpoint reached; every option of every field accepted.
 */
import type { INodeParameters, INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { endpoints } from '../../client/endpoints';
import { forgetInstruments } from '../../client/instruments/catalogue';
import { REPORT_NAMES, reportKinds } from '../../client/reports/kinds';
import { resources } from '../../nodes/Brokerage/actions/resources';
import { Engine } from '../support/engine';
import { openOperationWorld, operationCases, type OperationWorld } from '../support/operations';
import { firstAndShare, share } from '../support/sample';
import type { TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

/** Paths below the base address that were asked for, by any operation. */
const reached = new Set<string>();
jest.mock('../../client/transport', () => {
  const actual = jest.requireActual<typeof import('../../client/transport')>('../../client/transport');
  return {
    ...actual,
    createTransport: (options: Parameters<typeof actual.createTransport>[0]) => {
      const transport = actual.createTransport(options);
      const noting =
        <A extends [{ method: string; path: string }, ...unknown[]], R>(send: (...args: A) => R) =>
        (...args: A): R => {
          reached.add(`${args[0].method} ${args[0].path}`);
          return send(...args);
        };
      return {
        ...transport,
        call: noting(transport.call),
        fetch: noting(transport.fetch),
        stream: noting(transport.stream),
      };
    },
  };
});

let sandbox: TestSandbox;
let engine: Engine;
let prepare: OperationWorld['prepare'];
beforeAll(async () => {
  ({ sandbox, engine, prepare } = await openOperationWorld());
});
afterAll(async () => await sandbox.close());

it.each(operationCases)(
  '%s: %s returns its items, linked to theirs',
  async (resource, operation, { parameters, gives, once, binary }) => {
    await prepare(resource, operation);
    const items = once ? [{ json: {} }] : [{ json: {} }, { json: {} }];
    const run = await engine.run({ resource, operation, ...parameters() }, { items });
    expect(run.error).toBeUndefined();
    expect(run.items[0]?.json).toMatchObject(gives);
    expect(new Set(run.items.map(({ pairedItem }) => (pairedItem as { item: number }).item))).toEqual(
      new Set(items.keys()),
    );
    // What is about orders or instruments says whose it is: the same ref_id is another instrument elsewhere.
    const ofAnEnvironment = run.items.filter(({ json }) =>
      ['basket_id', 'order_id', 'ref_id'].some((name) => name in json),
    );
    expect(new Set(ofAnEnvironment.map(({ json }) => json.environment))).toEqual(
      new Set(ofAnEnvironment.map(() => 'sandbox')),
    );
    if (['basket', 'order'].includes(resource) && operation !== 'preview')
      expect(ofAnEnvironment).toHaveLength(run.items.length);
    if (binary !== undefined) expect(Engine.bytes(run.items[0], binary).length).toBeGreaterThan(0);
  },
);

it.each(
  share(
    operationCases.filter(([, , { fails }]) => fails !== undefined),
    4,
    0,
  ),
)(
  '%s: %s says what the service refused, and goes on where that is wanted',
  async (resource, operation, { parameters, fails }) => {
    await prepare(resource, operation);
    if (fails === '/refdata') forgetInstruments();
    const form = { resource, operation, ...parameters() };
    await sandbox.control('POST', 'faults', {
      match: { path: `${fails}*` },
      action: 'status',
      args: { status: 403, body: { error: 'OMS v2 is not enabled' } },
    });
    try {
      const stopped = await engine.run(form);
      expect(`${stopped.error?.message} ${stopped.error?.description}`).toContain('order system');
      expect(stopped.error?.context?.itemIndex).toBe(0);
      const going = await engine.run(form, { onError: 'continueRegularOutput' });
      expect(going.items[0]).toMatchObject({
        json: { error: expect.stringContaining('order system'), details: { itemIndex: 0 } },
        pairedItem: { item: 0 },
      });
    } finally {
      await sandbox.control('DELETE', 'faults');
    }
  },
);

/** A day in the sandbox's opening history on which a future was held over night. */
const CARRIED = '2026-11-11';

describe('reports', () => {
  const all = REPORT_NAMES.flatMap((report) => reportKinds[report].actions.map((action) => [report, action] as const));

  it.each(firstAndShare(all, 9, ([, action]) => action))('%s can be used with %s', async (report, action) => {
    // Derivatives were carried over night on a few days only.
    const day = report === 'openPositions' ? { day: 'custom', date: CARRIED } : { day: 'yesterday' };
    const run = await engine.run({ resource: 'report', operation: action, report, dates: 'lastMonth', ...day });
    expect(run.error).toBeUndefined();
    if (action === 'view') expect(run.items.length).toBeGreaterThan(0);
    if (action === 'view' && report === 'openPositions')
      expect(run.items[0]?.json).toMatchObject({ title: 'Open positions', quantity: expect.any(Number) });
    if (action === 'download') {
      const bytes = Engine.bytes(run.items[0]).toString('latin1', 0, 4);
      expect(reportKinds[report].formats.length > 0 ? bytes : bytes.slice(0, 2)).toBe(
        reportKinds[report].formats.length > 0 ? '%PDF' : 'PK',
      );
      expect(run.items[0]?.binary?.data?.fileName).toMatch(/\.(pdf|xlsx)$/);
    }
  });

  const twoReports = { resource: 'report', dates: 'lastMonth', operation: 'download' };

  it('gathers the files of steps one after another, as an e-mail attaches them', async () => {
    const note = await engine.run(
      { ...twoReports, report: 'contractNote', options: { binaryProperty: 'note' } },
      { typeVersion: 1.2 },
    );
    const book = await engine.run(
      { ...twoReports, report: 'tradebook', options: { binaryProperty: 'book' } },
      { typeVersion: 1.2, items: note.items },
    );
    const none = await engine.run(
      {
        ...{ ...twoReports, dates: 'custom', from: '2016-01-01', to: '2016-01-02' },
        ...{ report: 'tradebook', options: { whenEmpty: 'item' } },
      },
      { typeVersion: 1.2, items: book.items },
    );
    const dayResult = await engine.run(
      { resource: 'portfolio', operation: 'getReport', parts: ['dayResult'] },
      { typeVersion: 1.2, items: none.items },
    );
    expect([book, none, dayResult].map(({ items }) => Object.keys(items[0]!.binary!).sort())).toEqual(
      Array(3).fill(['book', 'note']),
    );
    expect(dayResult.items[0]!.json.subject).toMatch(/^Your portfolio/);
    expect(Engine.bytes(dayResult.items[0], 'note').toString('latin1', 0, 4)).toBe('%PDF');
  });

  it('gives chosen fields of a view in rupees, and names those that there are', async () => {
    const trades = async (options: INodeParameters) =>
      await engine.run({ resource: 'report', operation: 'view', report: 'tradebook', dates: 'lastMonth', options });
    const [paise, rupees] = [await trades({}), await trades({ paiseFields: 'price, value' })];
    const { price, value, quantity } = paise.items[0]!.json;
    expect(rupees.items[0]!.json).toMatchObject({ price: Number(price) / 100, value: Number(value) / 100, quantity });
    const wrong = await trades({ paiseFields: 'price,profits' });
    expect(wrong.error).toMatchObject({
      message: expect.stringContaining('The report has no field "profits".'),
      description: expect.stringMatching(/It has: .*\bprice, value\b/),
      context: { parameter: 'paiseFields' },
    });
  });

  it('keeps its own files only before version 1.2', async () => {
    const note = await engine.run({ ...twoReports, report: 'contractNote', options: { binaryProperty: 'note' } });
    const book = await engine.run(
      { ...twoReports, report: 'tradebook', options: { binaryProperty: 'book' } },
      { typeVersion: 1.1, items: note.items },
    );
    expect(Object.keys(book.items[0]!.binary!)).toEqual(['book']);
  });

  it('sends each e-mail once, and it arrives', async () => {
    const { messages } = await sandbox
      .control<{ messages: { kind: string }[] }>('GET', 'inbox?phone=9000000001')
      .then((reply) => (Array.isArray(reply) ? { messages: reply } : reply));
    const before = messages.filter(({ kind }) => kind === 'email').length;
    await engine.run({ resource: 'report', operation: 'email', report: 'ledger', dates: 'lastMonth' });
    const after = await sandbox
      .control<{ kind: string }[]>('GET', 'inbox?phone=9000000001')
      .then((reply) => (Array.isArray(reply) ? reply : (reply as { messages: { kind: string }[] }).messages));
    expect(after.filter(({ kind }) => kind === 'email')).toHaveLength(before + 1);
  });

  it.each([
    ['error', [], 'could not make the report'],
    ['nothing', [], undefined],
    ['item', [expect.objectContaining({ has_data: false, report: 'ledger' })], undefined],
  ])('give %s without data, as is chosen', async (whenEmpty, items, error) => {
    await sandbox.control('POST', 'faults', {
      match: { path: '/report/summary' },
      action: 'status',
      args: { status: 500, body: { error: 'report generation failed, please retry later' } },
      times: 1,
    });
    const run = await engine.run({
      resource: 'report',
      operation: 'view',
      report: 'ledger',
      dates: 'yesterday',
      options: { whenEmpty },
    });
    expect(run.items.map(({ json }) => json)).toEqual(items);
    if (error === undefined) expect(run.error).toBeUndefined();
    else expect(run.error?.message).toContain(error);
  });
});

it('reaches every endpoint from some operation', async () => {
  /** Reached by the login of the credential, by the session operations (session.test.ts), and by both. */
  const elsewhere = new Set([
    'sendPhoneOtp',
    'verifyPhoneOtp',
    'totpLogin',
    'institutionalLogin',
    'verifyPin',
    'logout',
    'totpGenerateSecret',
    'totpEnable',
    'totpDisable',
    // On an account that has them: intent-orders.test.ts.
    'createIntents',
    'modifyIntents',
    'cancelIntents',
    'fundsRequired',
    'intentHoldings',
    'intentPositions',
    'intentFunds',
  ]);
  const missing = (): string[] =>
    Object.entries(endpoints)
      .filter(([name, { method, path }]) => !elsewhere.has(name) && !reached.has(`${method} ${path}`))
      .map(([name]) => name);
  // The tests above have reached most of them, where they were run.
  for (const report of REPORT_NAMES) {
    if (missing().length === 0) break;
    await engine.run({ resource: 'report', operation: 'download', report, dates: 'lastMonth' });
  }
  for (const [resource, operation, { parameters }] of operationCases) {
    if (missing().length === 0) break;
    await prepare(resource, operation);
    await engine.run({ resource, operation, ...parameters() });
  }
  expect(missing()).toEqual([]);
});

/** One choice of one field: where it is, and the parameters that make it. */
interface Choice {
  title: string;
  parameters: INodeParameters;
}

const isProperty = (option: unknown): option is INodeProperties =>
  typeof option === 'object' && option !== null && 'type' in option;

/** Returns the values that must be set for a field to be shown. */
function shownWith({ displayOptions }: INodeProperties): INodeParameters {
  const conditions = Object.entries(displayOptions?.show ?? {});
  return Object.fromEntries(
    conditions.map(([name, values]) => [name, (values as INodeParameters[string][])[0] as INodeParameters[string]]),
  );
}

/** Every value of every closed list among the fields, those in collections too. */
function choicesOf(
  properties: INodeProperties[],
  wrap: (parameters: INodeParameters) => INodeParameters = (iNodeParameters) => iNodeParameters,
): Choice[] {
  return properties.flatMap((property): Choice[] => {
    const { name, type, options = [] } = property;
    const needs = shownWith(property);
    if (type === 'collection') return choicesOf(options.filter(isProperty), (inner) => ({ ...needs, [name]: inner }));
    if (type === 'boolean')
      return [true, false].map((value) => ({
        title: `${name} = ${value}`,
        parameters: { ...needs, ...wrap({ [name]: value }) },
      }));
    if (type !== 'options' && type !== 'multiOptions') return [];
    return (options as (INodePropertyOptions | INodePropertyCollection)[])
      .filter((option): option is INodePropertyOptions => 'value' in option)
      .map(({ value }) => ({
        title: `${name} = ${value}`,
        parameters: { ...needs, ...wrap({ [name]: type === 'options' ? value : [value] } as INodeParameters) },
      }));
  });
}

describe('every option of every field', () => {
  const rowsOfChoices = operationCases.flatMap(([resource, operation, item]) =>
    choicesOf(resources[resource]?.operations[operation]?.properties ?? [])
      // What waits for a given day is set with its day; refusals of it are tested where dates are.
      .map((choice) => [`${resource}: ${operation}: ${choice.title}`, resource, operation, item, choice] as const),
  );
  const tried = share(rowsOfChoices, 240, 0);
  const extra: INodeParameters = {
    expiryDate: '2026-12-01',
    date: '2026-11-19',
    from: '2026-11-16',
    to: '2026-11-19',
    sinceTime: '2026-11-19T12:00:00',
  };

  it.each(tried)('%s works', async (_, resource, operation, item, choice) => {
    await prepare(resource, operation);
    const base = item.parameters();
    const chosen = choice.parameters;
    const merged: INodeParameters = { ...extra, ...base, ...chosen };
    for (const name of ['options', 'filters', 'safety', 'exits'] as const) {
      if (typeof base[name] === 'object' && typeof chosen[name] === 'object')
        merged[name] = { ...(base[name] as INodeParameters), ...(chosen[name] as INodeParameters) };
    }
    if (merged.orderType === 'STOPLOSS') Object.assign(merged, { priceType: 'LIMIT', triggerPrice: merged.price });
    if (merged.orderType === 'ICEBERG') Object.assign(merged, { quantity: 10, legSize: 5 });
    if (operation === 'modify')
      merged.updateFields = { ...(base.updateFields as INodeParameters), ...(chosen.updateFields as INodeParameters) };
    const run = await engine.run({ resource, operation, ...merged });
    const said = `${run.error?.message ?? ''} ${run.error?.description ?? ''}`;
    // A choice may be refused for what it means here, never for being a choice, and never by a crash.
    expect(said).not.toMatch(
      /must be one of|must be true or false|undefined|not a function|Cannot read|is not iterable/,
    );
    if (run.error !== undefined) expect(run.error.name).toMatch(/^Node(Operation|Api)Error$/);
    expect({ title: choice.title, said }).toEqual({
      title: choice.title,
      said: expect.stringMatching(
        /^ $|Refused by the guard|no candles|too few closed bars|no derivatives|has no options|has no instrument with the symbol|needs at least one leg|There is no \w+ file|leg size|not on|not a multiple|whole lots of|could not make the report|is CLOSED|right now|is not an instrument of|must be above 0|from 1|Limit Price is 0|condition has no price|needs a date|needs its place|Reference Order ID is empty|keeps need a Stop Loss|has no entry price|how far from the entry|The order was rejected|order interface \(Orders v2\) does not have/,
      ),
    });
  });
});
