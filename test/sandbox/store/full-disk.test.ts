/** A disk that is full: nothing is acknowledged that is not stored, and the sandbox goes on when there is room. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Sandbox } from '../../../sandbox/src';
import { StoreError } from '../../../sandbox/src/shared/store-error';
import { EventLog } from '../../../sandbox/src/store/event-log';
import { MARKET_ORDER, logIn, start } from '../support';
import { ACCOUNT, booksAfter, drawing, open, place, type Acknowledged } from './day-of-orders';
import { IS_WHOLE } from '../../support/sample';

/** Few in `npm test`; as many as wanted by command. */
const ROUNDS = Math.ceil(Number(process.env['DAMAGE_ROUNDS'] ?? (IS_WHOLE ? 12 : 4)) / 4);
const FIRST_SEED = Number(process.env['DAMAGE_SEED'] ?? 1);
jest.setTimeout(60_000 + ROUNDS * 40_000);

let top: string;
let said: jest.SpyInstance;
beforeEach(() => {
  top = mkdtempSync(path.join(os.tmpdir(), 'sandbox-full-'));
  said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  said.mockRestore();
  rmSync(top, { recursive: true, force: true });
});

/** The files of SQLite that a sandbox writes to. */
function filesOf(sandbox: Sandbox): DatabaseSync[] {
  const { store, snapshots } = sandbox as unknown as {
    store: { database: DatabaseSync };
    snapshots: { file?: { database: DatabaseSync } };
  };
  return [store.database, ...(snapshots.file === undefined ? [] : [snapshots.file.database])];
}

/** From now on SQLite finds the disk full once a file would grow by more than so many pages. */
function fill(sandbox: Sandbox, pages: number): void {
  for (const database of filesOf(sandbox)) {
    const { page_count: count } = database.prepare('PRAGMA page_count').get() as { page_count: number };
    database.exec(`PRAGMA max_page_count = ${count + pages}`);
  }
}

function makeRoom(sandbox: Sandbox): void {
  for (const database of filesOf(sandbox)) database.exec('PRAGMA max_page_count = 1000000');
}

const tagsOf = (sandbox: Sandbox): string[] =>
  sandbox.world.exchange.orders(ACCOUNT, sandbox.instant).map(({ tag }) => tag);

it.each(Array.from({ length: ROUNDS }, (_, n) => FIRST_SEED + n))(
  'an acknowledged command is there after a kill, and a refused one is not (DAMAGE_SEED=%i)',
  (seed) => {
    const draw = drawing(seed);
    const snapshotEvery = [0, 1, 9][draw(3)]!;
    const [data, killed] = [path.join(top, 'data'), path.join(top, 'killed')];
    const sandbox = open(data, snapshotEvery);
    const isHeard = draw(2) === 0;
    if (isHeard) sandbox.onOrderEvent(() => undefined);
    const acknowledged: Acknowledged = new Map();
    const refused: string[] = [];
    let tag = 0;
    const tries = (): void => {
      tag += 1;
      try {
        place(sandbox, draw, `t${tag}`, acknowledged);
      } catch (error) {
        expect(error).toBeInstanceOf(StoreError);
        expect(String(error)).toMatch(
          /^Error: This cannot be stored in --data .+, so it was not done: the disk is full\. Make room there, and try again\.$/,
        );
        refused.push(`t${tag}`);
      }
    };
    for (let n = draw(30); n >= 0; n -= 1) tries();
    fill(sandbox, draw(3));
    while (refused.length < 3) tries();
    cpSync(data, killed, { recursive: true });
    const known = new Map(acknowledged);
    const after = open(killed, snapshotEvery);
    expect(booksAfter(1, after).orders).toEqual(known);
    after.close();

    makeRoom(sandbox);
    for (let n = 0; n < 5; n += 1) tries();
    expect(refused.length).toBe(3);
    const books = booksAfter(1, sandbox);
    expect(books.orders).toEqual(acknowledged);
    for (const one of refused) expect(tagsOf(sandbox)).not.toContain(one);
    sandbox.close();
    const again = open(data, snapshotEvery);
    expect(booksAfter(1, again)).toEqual(books);
    again.close();
  },
);

it('a full disk is a 507 in words over HTTP, readings go on, and a reset that cannot be stored changes nothing', async () => {
  const data = path.join(top, 'data');
  const bench = await start({ data, rateLimit: 'off' });
  const headers = await logIn(bench);
  const { sandbox } = bench.running;
  const ref_id = sandbox.world.universe().bySymbol('NSE', 'INFY')!.refId;
  const order = async () => await bench.http.post('/orders/v2/single', { ...MARKET_ORDER, ref_id }, { headers });
  const listed = async (): Promise<string[]> =>
    ((await bench.http.get('/orders', { headers })).data as { order_id: string }[]).map(({ order_id: id }) => id);
  const acknowledged: string[] = [];
  const untilRefused = async () => {
    for (;;) {
      const reply = await order();
      if (reply.status !== 200) return reply;
      acknowledged.push(String(reply.data.order_id));
    }
  };
  fill(sandbox, 0);
  const { status, data: body } = await untilRefused();
  expect([status, body.error]).toEqual([507, expect.stringMatching(/so it was not done: the disk is full\./)]);
  expect((await bench.http.post('/_sandbox/clock', { advance: 'PT1M' })).status).toBe(507);
  const cannot = jest.spyOn(EventLog.prototype, 'begin').mockImplementation(() => {
    throw new StoreError('no room');
  });
  const reset = await bench.http.post('/_sandbox/reset', {});
  expect([reset.status, reset.data.error]).toEqual([507, 'no room']);
  cannot.mockRestore();
  expect((await bench.http.get('/userinfo', { headers })).status).toBe(200);
  expect((await listed()).sort()).toEqual([...acknowledged].sort());
  makeRoom(sandbox);
  const { status: then, data: last } = await order();
  expect(then).toBe(200);
  acknowledged.push(String(last.order_id));
  await bench.advance('PT1M');
  await bench.close();
  const second = await start({ data });
  const there = ((await second.http.get('/orders', { headers })).data as { order_id: string }[]).map(
    ({ order_id: id }) => id,
  );
  expect(there.sort()).toEqual(acknowledged.sort());
  await second.close();
});

it('passing time does not go on while its effects cannot be stored, and goes on when they can', async () => {
  const data = path.join(top, 'data');
  const draw = drawing(7);
  const sandbox = open(data, 0);
  const heard: string[] = [];
  sandbox.onOrderEvent(({ type }) => heard.push(type));
  const acknowledged: Acknowledged = new Map();
  fill(sandbox, 0);
  for (let n = 0; !sandbox.clock.isHeld && n < 200; n += 1) {
    try {
      place(sandbox, draw, `t${n}`, acknowledged);
    } catch (error) {
      expect(error).toBeInstanceOf(StoreError);
      sandbox.clock.set(sandbox.instant + 1_000);
      sandbox.now();
    }
  }
  expect(heard.length).toBeGreaterThan(0);
  expect(sandbox.clock.isHeld).toBe(true);
  expect(said.mock.calls.join()).toContain('commands are refused until it can');
  expect(() => sandbox.needRoom()).toThrow(StoreError);
  makeRoom(sandbox);
  while (sandbox.clock.isHeld) await new Promise((resolve) => setImmediate(resolve));
  sandbox.needRoom();
  sandbox.close();
  const again = open(data, 0);
  expect(booksAfter(1, again).orders).toEqual(acknowledged);
  again.close();
});
