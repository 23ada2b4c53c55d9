/** A folder of `--data` that another version of the sandbox wrote. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { VERSION } from '../../../sandbox/src/shared/version';
import { MARKET_ORDER, logIn, start } from '../support';

let folder: string;
let headers: Record<string, string>;
beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'sandbox-upgrade-'));
  const first = await start({ data: folder });
  headers = await logIn(first);
  const ref_id = first.running.sandbox.world.universe().bySymbol('NSE', 'INFY')!.refId;
  const order = {
    ...MARKET_ORDER,
    ref_id,
  };
  for (const order_qty of [3, 8]) {
    await first.http.post('/orders/v2/single', { ...order, order_qty }, { headers });
    await first.advance('PT5M');
  }
  await first.close();
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Makes it the folder of another version: its snapshot is not read, and its log has come to this. */
function asOf(version: string, ...sql: string[]): void {
  const database = new DatabaseSync(path.join(folder, 'sandbox.sqlite'));
  database.exec(
    `UPDATE snapshot SET made_by = '${version}'; UPDATE meta SET value = '${version}' WHERE name = 'writtenBy';`,
  );
  for (const statement of sql) database.exec(statement);
  database.close();
}

it('is carried out again where it comes to the same orders and money, and is then of this version', async () => {
  asOf('0.0.9');
  const second = await start({ data: folder });
  const { data: orders } = await second.http.get('/orders', { headers });
  expect((orders as { order_qty: number }[]).map(({ order_qty }) => order_qty).sort()).toEqual([3, 8]);
  await second.close();
  const database = new DatabaseSync(path.join(folder, 'sandbox.sqlite'));
  const { value } = database.prepare("SELECT value FROM meta WHERE name = 'writtenBy'").get() as { value: string };
  database.close();
  expect(value).toBe(VERSION);
});

it.each([
  [
    'comes to other orders',
    "UPDATE log SET args = replace(args, '\"quantity\":8', '\"quantity\":9') WHERE name = 'order.place'",
    'its orders and money come out otherwise',
  ],
  [
    'has a command that this version lacks',
    "UPDATE log SET name = 'order.dance' WHERE name = 'order.place'",
    'there is no command "order.dance", which it holds',
  ],
])('is refused by name, with the way out, where it %s', async (_case, sql, why) => {
  asOf('0.0.9', sql);
  const [opened] = await Promise.allSettled([start({ data: folder })]);
  if (opened.status === 'fulfilled') await opened.value.close();
  expect(String('reason' in opened && opened.reason)).toBe(
    `Error: --data ${folder} was written by brokerage-sandbox 0.0.9; in ${VERSION} ${why}. Start it with the version that wrote it (npx brokerage-sandbox@0.0.9), or take another folder.`,
  );
});
