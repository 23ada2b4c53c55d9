import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SANDBOX, SANDBOX_ROOMS } from '../../scripts/rooms.mjs';
import { describeWith } from '../support/needs';
import { WHOLE_RUN } from '../support/sample';
import { RepeatedScript, type Ended } from './repeated-script';

const table = SANDBOX_ROOMS;
const rooms = Object.keys(table);
const folderOf = (room: string): string => path.posix.join(SANDBOX, room);

/** Specifier by which a file of one folder imports a file of another. */
function specifier(from: string, to: string): string {
  const way = path.posix.relative(from, to);
  return `${way.startsWith('.') ? way : `./${way}`}/something`;
}

/** One import of each folder, in lines. */
const importsOf = (from: string, targets: string[]): string =>
  targets.map((target, n) => `import type { T${n} } from '${specifier(from, target)}';`).join('\n');

const NOT_SHIPPED = ['sandbox/src/shared', 'test/support', 'e2e', 'bench', 'scripts'];
const NOT_CLIENT = ['nodes/shared', 'credentials', ...NOT_SHIPPED];
/** Rooms of what is shipped: folders that each may not import, and some that it may. */
const SHIPPED: [room: string, refused: string[], allowed: string[]][] = [
  ['proto', ['client/values', ...NOT_CLIENT], ['proto/generated']],
  ['client/values', NOT_CLIENT, ['proto']],
  ['client/orders/api', NOT_CLIENT, ['client/orders/model', 'client/values']],
  ['client/stream', NOT_CLIENT, ['client/stream/delivery', 'client/values', 'proto']],
  ...[
    ['connection', 'reconciliation', 'account-feed', 'delivery', 'market-data'],
    ['reconciliation', 'connection', 'account-feed', 'delivery', 'market-data'],
    ['account-feed', 'delivery', 'market-data'],
    ['delivery', 'market-data'],
  ].map(([room, ...above]): [string, string[], string[]] => [
    `client/stream/${room}`,
    [...above.map((name) => `client/stream/${name}`), ...NOT_CLIENT],
    ['client/stream', 'client/values', 'proto'],
  ]),
  ['credentials', NOT_SHIPPED, ['client/session', 'nodes/shared']],
  ['nodes/Brokerage/actions/order', NOT_SHIPPED, ['client/orders', 'nodes/shared']],
];

/** The check below refuses the same imports of the sandbox's rooms; to load the linter takes seconds, so that `npm test` leaves it to CI. */
describeWith(WHOLE_RUN, 'The lint rule of the rooms', () => {
  const inFolder = (folder: string): string => path.posix.join(folder, 'made-up.ts');
  /**
   * Every folder that a file might import from: all rooms, a folder outside every room, and what is not the sandbox's.
   */
  const targets = [
    ...rooms.map(folderOf),
    path.posix.join(SANDBOX, 'elsewhere'),
    'client',
    'client/values',
    'nodes/shared',
    'credentials',
    'proto/generated',
  ];
  const madeUp = (room: string): string => inFolder(folderOf(room));
  const others = (room: string): string[] => targets.filter((target) => target !== folderOf(room));
  let found: Record<string, { ruleId: string; line: number }[]>;
  /** The lines of the file in a folder whose imports are refused. */
  const refusedIn = (folder: string): number[] =>
    (found[inFolder(folder)] ?? []).filter(({ ruleId }) => ruleId === 'no-restricted-imports').map(({ line }) => line);

  beforeAll(() => {
    const sources = rooms.map((room) => [madeUp(room), importsOf(folderOf(room), others(room))]);
    const shipped = SHIPPED.map(([room, refused, allowed]) => [
      inFolder(room),
      importsOf(room, [...refused, ...allowed]),
    ]);
    const { stdout, stderr } = spawnSync(process.execPath, [path.join(__dirname, 'lint-made-up.mjs')], {
      input: JSON.stringify(Object.fromEntries([...sources, ...shipped])),
      encoding: 'utf8',
    });
    if (stdout === '') throw new Error(stderr);
    found = JSON.parse(stdout) as typeof found;
  });

  it.each(rooms)('is red for %s on every import that leads elsewhere, of types too', (room) => {
    const refused = refusedIn(folderOf(room)).map((line) => others(room)[line - 1]);
    const allowed = (table[room] ?? []).map(folderOf);
    expect(new Set(refused)).toEqual(new Set(others(room).filter((target) => !allowed.includes(target))));
    expect(refused.length).toBeGreaterThan(0);
  });

  it.each(SHIPPED)('is red for %s on imports from %j, and not from %j', (room, refused) => {
    expect(refusedIn(room)).toEqual(refused.map((_, at) => at + 1));
  });
});

describe('The check of the rooms', () => {
  const script = new RepeatedScript('check-rooms.mjs');
  afterAll(() => script.close());
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'rooms-'));
    for (const tree of ['client', 'nodes', 'credentials', 'proto', SANDBOX])
      mkdirSync(path.join(folder, tree), { recursive: true });
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function check(files: Record<string, string>): Promise<Ended> {
    for (const [file, source] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), source);
    }
    return await script.run(folder);
  }

  it('finds a circle of folders that only types close', async () => {
    const { status, said } = await check({
      'client/a/one.ts': "import { two } from '../b/two';\nexport const one = two;",
      'client/b/two.ts': "export const two = 2;\nexport type Three = import('../c').Three;",
      'client/c/index.ts': "import type { one } from '../a/one';\nexport type Three = typeof one;",
    });
    expect(status).toBe(1);
    for (const way of ['client/a -> client/b', 'client/b -> client/c', 'client/c -> client/a'])
      expect(said).toContain(way);
  });

  it('finds an import that the table does not allow, and a room that is not in it', async () => {
    const { status, said } = await check({
      [`${SANDBOX}/exchange/one.ts`]: "export type One = import('../accounts/two').Two;",
      [`${SANDBOX}/accounts/two.ts`]: 'export type Two = 2;',
      [`${SANDBOX}/cellar/three.ts`]: 'export const three = 3;',
    });
    expect(status).toBe(1);
    expect(said).toContain(`${SANDBOX}/exchange may not import ${SANDBOX}/accounts`);
    expect(said).toContain(`${SANDBOX}/cellar is no room`);
  });

  it('finds a circle of files in one folder that only types close', async () => {
    const { status, said } = await check({
      'client/a/one.ts': "import { two } from './two';\nexport const one = two;",
      'client/a/two.ts': "import type { one } from './one';\nexport const two: typeof one = 2;",
    });
    expect(status).toBe(1);
    for (const way of ['client/a/one.ts -> client/a/two.ts', 'client/a/two.ts -> client/a/one.ts'])
      expect(said).toContain(way);
  });

  it.each([
    ['across resources', 'nodes/Brokerage/actions/order', 'nodes/Brokerage/actions/basket'],
    ['from the shared room to a resource', 'nodes/Brokerage/trading', 'nodes/Brokerage/actions/order'],
    ['from the trigger to the action node', 'nodes/BrokerageTrigger/watches', 'nodes/Brokerage/common'],
    ['from what both nodes use to one of them', 'nodes/shared', 'nodes/BrokerageTrigger/watches'],
    ['up the tower of orders', 'client/orders/guards', 'client/orders/placing'],
    ['from the connection to what is made of it', 'client/stream/connection', 'client/stream/account-feed'],
    ['from the reconciliation to the account', 'client/stream/reconciliation', 'client/stream/account-feed'],
    ['up the tower of orders from a folder in a floor', 'client/orders/api/v2', 'client/orders/changing'],
  ])('finds an import %s', async (_, from, to) => {
    const { status, said } = await check({
      [`${from}/one.ts`]: `import type { Two } from '${path.posix.relative(from, to)}/two';\nexport type One = Two;`,
      [`${to}/two.ts`]: 'export type Two = 2;',
    });
    expect(status).toBe(1);
    expect(said).toContain(`${from} may not import ${to}`);
  });

  it('is content with a tree in order', async () => {
    const { status, said } = await check({
      [`${SANDBOX}/exchange/one.ts`]: "import type { Two } from '../shared/two';\nexport type One = Two;",
      [`${SANDBOX}/shared/two.ts`]: 'export type Two = 2;',
    });
    expect({ status, said }).toEqual({
      status: 0,
      said: '2 files in 2 folders, 1 pairs of folders that import one way, no circle (types counted).\n',
    });
  });
});
