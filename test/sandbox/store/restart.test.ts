import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { WebSocket } from 'ws';
import { Sandbox, startSandbox } from '../../../sandbox/src';
import { DEFAULT_OPTIONS } from '../../../sandbox/src/simulation/options';
import { MARKET_ORDER, logIn, start } from '../support';
import { share } from '../../support/sample';

/** Entries about connections, which end with the process. */
const STREAM_ENTRY_KINDS = ['frame', 'subscribe', 'stream_open'];

describe('Durability: --data (issue: The sandbox is the whole service, Durable)', () => {
  let folder: string;
  let copy: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'sandbox-data-'));
    copy = `${folder}-copy`;
  });
  afterEach(() => [folder, copy].forEach((name) => rmSync(name, { recursive: true, force: true })));

  it('goes on after a restart: orders, money, session, clock and what the journal told', async () => {
    const first = await start({ data: folder });
    const headers = await logIn(first);
    const { data: master } = await first.http.get('/refdata/refdata/2026-11-23', { headers });
    const ref_id = master.refdata.find((row: { plat_name: string }) => row.plat_name === 'STOCK_INFY.NSECM')
      .ref_id as number;
    const order = {
      ...MARKET_ORDER,
      ref_id,
    };
    for (const order_qty of [3, 50_000, 8])
      await first.http.post('/orders/v2/single', { ...order, order_qty }, { headers });
    await first.advance('PT5M');
    await first.http.post('/orders/v2/single', { ...order, order_qty: 1 }, { headers });
    await first.http.post('/_sandbox/accounts/9000000001', { funds: 123_456_700 });
    const seen = async (bench: typeof first) => ({
      orders: (await bench.http.get('/orders', { headers })).data,
      account: (await bench.http.post('/_sandbox/accounts/9000000001', {})).data,
      clock: (await bench.http.get('/_sandbox/clock')).data,
      journal: (await bench.http.get('/_sandbox/journal')).data,
      stats: (({ requests: _requests, ...stats }) => stats)(
        (await bench.http.get('/_sandbox/stats')).data as Record<string, number>,
      ),
    });
    const before = await seen(first);
    expect(before.orders).toHaveLength(3);
    await first.close();
    const second = await start({ data: folder });
    expect(await seen(second)).toEqual(before);
    await second.advance('PT5S');
    expect((await second.http.get('/orders', { headers })).data).toHaveLength(4);
    await second.close();
  });

  it.each(share([0, 3], 2, 1))(
    'numbers the journal on after a kill, with the same numbers for what is repeated (a snapshot every %i entries)',
    async (snapshotEvery) => {
      const first = await start({ data: folder, snapshotEvery });
      const headers = await logIn(first);
      const { data: master } = await first.http.get('/refdata/refdata/2026-11-23', { headers });
      const ref_id = master.refdata.find((row: { plat_name: string }) => row.plat_name === 'STOCK_INFY.NSECM')
        .ref_id as number;
      const token = headers['authorization']!.slice(7);
      const socket = new WebSocket(`${first.running.url.replace('http', 'ws')}/stream?token=${token}`);
      await once(socket, 'open');
      socket.send(`subscribe ${token} direct_intent notification`);
      const journal = async (bench: typeof first, after = 0) =>
        (await bench.http.get(`/_sandbox/journal?after=${after}&limit=200000`)).data as { seq: number; kind: string }[];
      const trade = async (bench: typeof first) => {
        const order = {
          ...MARKET_ORDER,
          ref_id,
        };
        for (let n = 0; n < 4; n++) {
          await bench.http.post('/orders/v2/single', order, { headers });
          await bench.advance('PT3S');
        }
      };
      await trade(first);
      const before = await journal(first);
      expect(before.filter(({ kind }) => kind === 'frame').length).toBe(8);
      // What a kill leaves behind is what the files hold while the process runs.
      cpSync(folder, copy, { recursive: true });
      const second = await start({ data: copy, snapshotEvery });
      const repeated = (entries: { kind: string }[]) =>
        entries.filter(({ kind }) => !STREAM_ENTRY_KINDS.includes(kind));
      expect(repeated(await journal(second))).toEqual(repeated(before));
      expect(await journal(second, before.at(-1)!.seq)).toEqual([]);
      await trade(second);
      const news = await journal(second, before.at(-1)!.seq);
      expect(news.filter(({ kind }) => kind === 'trade')).toHaveLength(4);
      expect(news.map(({ seq }) => seq)).toEqual(news.map(({ seq }) => seq).toSorted((a, b) => a - b));
      socket.terminate();
      await first.close();
      await second.close();
    },
  );

  it('refuses a folder made with another seed, and one that another sandbox uses, in words', async () => {
    const first = await start({ data: folder });
    await expect(startInThisFolder(7)).rejects.toThrow('another sandbox is using it');
    await first.close();
    await expect(startInThisFolder(8)).rejects.toThrow('was made with --seed 7');
  });

  it.each<[string, string, string]>([
    ['below a file', path.join(__filename, 'x'), 'it is a file, or lies below one'],
    ['a file', __filename, 'it is a file, or lies below one'],
    ...(existsSync('/proc/self')
      ? [
          ['below /proc, where nothing can be made', '/proc/nothing/x', 'no folder can be made there'] satisfies [
            string,
            string,
            string,
          ],
        ]
      : []),
  ])('refuses a folder that cannot be: %s', (_name, data, words) => {
    expect(() => new Sandbox({ ...DEFAULT_OPTIONS, data })).toThrow(`--data ${data} cannot be used: ${words}.`);
  });

  it('makes the folders above it that do not exist', async () => {
    const data = path.join(folder, 'of', 'last', 'week');
    const first = await start({ data });
    await first.close();
    expect(readdirSync(data)).toEqual(['sandbox.head', 'sandbox.sqlite', 'snapshots.sqlite']);
  });

  it('begins again at a reset, and stays so after a restart, snapshots or not', async () => {
    const first = await start({ data: folder, snapshotEvery: 1 });
    const headers = await logIn(first);
    await first.http.post('/_sandbox/reset', {});
    expect((await first.http.get('/userinfo', { headers })).status).toBe(401);
    await first.close();
    const second = await start({ data: folder });
    expect((await second.http.get('/_sandbox/journal')).data).toEqual([]);
    expect((await second.http.get('/userinfo', { headers })).status).toBe(401);
    await second.close();
  });

  const startInThisFolder = async (seed: number) => await startSandbox({ data: folder, seed, clock: 'manual' });
});
