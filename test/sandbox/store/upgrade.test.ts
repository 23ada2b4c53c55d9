/** A folder of `--data` that another version of the sandbox wrote. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { VERSION } from '../../../sandbox/src/shared/version';
import { MARKET_ORDER, logIn, start } from '../support';

let folder: string;
let headers: Record<string, string>;
/** Layouts of the log by version: those before the checksums had one file, with the snapshots in it. */
const LAYOUTS = ['with checksums', 'before checksums'] as const;
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
function asOf(version: string, layout: (typeof LAYOUTS)[number], ...sql: string[]): void {
  const database = new DatabaseSync(path.join(folder, 'sandbox.sqlite'));
  database.exec(`UPDATE meta SET value = '${version}' WHERE name = 'writtenBy';`);
  for (const statement of sql) database.exec(statement);
  if (layout === 'with checksums') seal(database);
  else {
    for (const table of ['log', 'meta', 'skipped']) database.exec(`ALTER TABLE ${table} DROP COLUMN checksum`);
    database.exec("DELETE FROM meta WHERE name = 'facts'");
    database.exec('CREATE TABLE snapshot (seq INTEGER PRIMARY KEY, made_by TEXT NOT NULL, state BLOB NOT NULL) STRICT');
    for (const name of ['sandbox.head', 'snapshots.sqlite']) rmSync(path.join(folder, name));
  }
  database.close();
  if (layout === 'before checksums') return;
  const snapshots = new DatabaseSync(path.join(folder, 'snapshots.sqlite'));
  snapshots.exec(`UPDATE snapshot SET made_by = '${version}'`);
  snapshots.close();
}

/** Gives the facts, the entries and the file beside them the checksums of what they hold; written apart from the sandbox. */
function seal(database: DatabaseSync): void {
  for (const { name, value } of database.prepare('SELECT name, value FROM meta').all())
    database.prepare('UPDATE meta SET checksum = ? WHERE name = ?').run(crc(`${name}\0${value}`), name!);
  let [last, chain] = [0, 0];
  for (const { seq, at, name, args } of database.prepare('SELECT * FROM log ORDER BY seq').all()) {
    [last, chain] = [Number(seq), crc(`${seq}\0${at}\0${name}\0${args}`, chain)];
    database.prepare('UPDATE log SET checksum = ? WHERE seq = ?').run(chain, last);
  }
  const copy = `${last} ${chain} ${crc(`${last}\0${chain}`)}`.padEnd(63) + '\n';
  writeFileSync(path.join(folder, 'sandbox.head'), copy + copy);
}

/** CRC-32 of ISO 3309, bit by bit, going on from that of the text before. */
function crc(text: string, before = 0): number {
  let register = ~before;
  for (const byte of Buffer.from(text)) {
    register ^= byte;
    for (let bit = 0; bit < 8; bit += 1) register = (register >>> 1) ^ (register & 1 ? 0xedb88320 : 0);
  }
  return ~register >>> 0;
}

it.each(LAYOUTS)(
  '%s: is carried out again where it gives the same orders and money, and is then of this version',
  async (layout) => {
    asOf('0.0.9', layout);
    const second = await start({ data: folder });
    const { data: orders } = await second.http.get('/orders', { headers });
    expect((orders as { order_qty: number }[]).map(({ order_qty }) => order_qty).sort()).toEqual([3, 8]);
    await second.close();
    const database = new DatabaseSync(path.join(folder, 'sandbox.sqlite'));
    const { value } = database.prepare("SELECT value FROM meta WHERE name = 'writtenBy'").get() as { value: string };
    database.close();
    expect(value).toBe(VERSION);
  },
);

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
  asOf('0.0.9', 'with checksums', sql);
  const [opened] = await Promise.allSettled([start({ data: folder })]);
  if (opened.status === 'fulfilled') await opened.value.close();
  expect(String('reason' in opened && opened.reason)).toBe(
    `Error: --data ${folder} was written by brokerage-sandbox 0.0.9; in ${VERSION} ${why}. Start it with the version that wrote it (npx brokerage-sandbox@0.0.9), or take another folder.`,
  );
});
