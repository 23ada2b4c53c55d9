import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describeWith } from '../../support/needs';
import { WHOLE_RUN } from '../../support/sample';
import { DEVICE, logIn, now as timeOf, logInByOtp, start, START, type Bench } from '../support';
import { startProcess, type LiveProcess } from './live-process';
import { credentialFile, untilChange, Wire } from './support';

/** A minute in CI; an hour by command. */
const SECONDS = Number(process.env['MIRROR_SECONDS'] ?? 55);
jest.setTimeout(600_000 + SECONDS * 2_000);

/** Seconds after a fault in which a book may still lack what was lost: until its instrument changes again. */
const GRACE = 3;
/** Order books, the index and Greeks have separate frames. */
const CHANNELS = 3;
const STREAM_FAULTS = [
  'drop_frame',
  'reorder',
  'duplicate_frame',
  'garbage_frame',
  'truncate_frame',
  'stall',
  'disconnect',
];
const FAULTS = [...STREAM_FAULTS, 'unplugged', 'slowed', 'killed'];

describeWith(WHOLE_RUN, 'A mirror over an hour in which everything breaks', () => {
  const data = mkdtempSync(path.join(os.tmpdir(), 'mirror-live-'));
  let live: LiveProcess;
  let mirror: Bench;
  let wire: Wire;
  let sides: [LiveProcess, Record<string, string>, Bench, Record<string, string>];
  let until: (holds: () => boolean | Promise<boolean>) => Promise<void>;
  /** Each ends what has been started, however far the start came. */
  const ends: (() => unknown)[] = [];

  const begin = (): Promise<LiveProcess> =>
    startProcess([
      ...['--clock', 'manual', '--hours', 'exchange', '--seed', '7', '--rate-limit', 'off'],
      ...['--start', START, '--data', data],
    ]);
  beforeAll(async () => {
    live = await begin();
    ends.push(() => live.kill());
    const asBench = { http: live.http } as Bench;
    const session = await logIn(asBench);
    const liveTrader = await logInByOtp(asBench);
    wire = new Wire(live.url);
    ends.push(() => wire.close());
    const token = session['authorization']!.replace('Bearer ', '');
    const file = credentialFile({ address: await wire.listen(), token, device_id: DEVICE });
    ends.push(() => rmSync(path.dirname(file), { recursive: true }));
    mirror = await start({ hours: 'exchange', rateLimit: 'off', seed: 11, mirror: file });
    ends.push(() => mirror.close());
    sides = [live, liveTrader, mirror, await logIn(mirror)];
    until = untilChange(mirror);
  });
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
    rmSync(data, { recursive: true });
  });

  const status = () => mirror.running.sandbox.mirror!.status();
  const isLive = () => until(() => status().state === 'live');
  /** Lets time pass on a side. @returns its present, milliseconds */
  const advance = async ({ http }: { http: Bench['http'] }, ms: number): Promise<number> => {
    const reply = await http.post('/_sandbox/clock', { advance: `PT${(ms / 1_000).toFixed(3)}S` });
    expect(reply.status).toBe(200);
    return Date.parse(reply.data.now as string);
  };
  /** Brings the mirror to an instant of the live side. */
  const follow = (now: number): Promise<number> => advance(mirror, now - mirror.running.sandbox.instant);

  /** Books and prices of a side, as text. */
  const seen = async (
    { http }: { http: Bench['http'] },
    headers: Record<string, string>,
    refIds: readonly number[],
  ): Promise<string> => {
    const books = await Promise.all(refIds.map((refId) => http.get(`/orderbooks/${refId}?levels=20`, { headers })));
    const index = await http.get('/optionchains/NIFTY/price?exchange=NSE', { headers });
    const shown = books.map(({ data: { orderBook: book } }) => [
      book.ref_id,
      book.ltp,
      book.volume,
      book.bid,
      book.ask,
    ]);
    return JSON.stringify([...shown, index.data.price]);
  };

  /** Of each kind of instrument one: a share, a future, an option near the money. */
  const instruments = async (): Promise<number[]> => {
    const [{ http }, headers] = sides;
    const master = await http.get('/refdata/refdata/2026-11-23?exchange=NSE', { headers });
    const rows = master.data.refdata as {
      ref_id: number;
      stock_name: string;
      asset: string;
      derivative_type: string;
    }[];
    const chain = (await http.get('/optionchains/NIFTY?exchange=NSE', { headers })).data.chain;
    const legs = chain.ce as { ref_id: number; sp: number }[];
    const near = legs.reduce((a, b) => (Math.abs(b.sp - chain.atm) < Math.abs(a.sp - chain.atm) ? b : a));
    return [
      rows.find((row) => row.stock_name === 'INFY')!.ref_id,
      rows.find((row) => row.asset === 'NIFTY' && row.derivative_type === 'FUT')!.ref_id,
      near.ref_id,
    ];
  };

  /** Lets a fault happen; time passes on both sides meanwhile, and the live side is reached again afterwards. */
  const happen = async (fault: string): Promise<void> => {
    if (STREAM_FAULTS.includes(fault)) {
      const args = fault === 'stall' ? { ms: 50 } : fault === 'disconnect' ? { code: 1012 } : undefined;
      const times = fault === 'disconnect' ? 1 : 2;
      const body = { match: { stream: true }, action: fault, times, ...(args && { args }) };
      expect((await live.http.post('/_sandbox/faults', body)).status).toBe(200);
      return;
    }
    if (fault === 'slowed') {
      wire.slowness = 20;
      return;
    }
    if (fault === 'unplugged') wire.unplug();
    else await live.kill();
    await until(() => status().state === 'behind');
    await advance(mirror, 20_000);
    if (fault === 'killed') {
      live = await begin();
      sides[0] = live;
      wire.live = live.url;
    }
    await advance(live, mirror.running.sandbox.instant - (await timeOf(live.http)));
    wire.slowness = 0;
    wire.plugIn();
    await isLive();
  };

  it(`shows the books of the live side, within one frame, in ${SECONDS} seconds of trading with ${FAULTS.length} faults`, async () => {
    await isLive();
    const refIds = await instruments();
    let shown = '';
    const same = async (): Promise<boolean> => {
      const [theirs, theirHeaders, ours, ourHeaders] = sides;
      shown = await seen(ours, ourHeaders, refIds);
      return (await seen(theirs, theirHeaders, refIds)) === shown;
    };
    await until(same);
    // Each fault once, or in a long run every minute one.
    const every = Math.min(Math.floor(SECONDS / (FAULTS.length + 1)), 60);
    let [differed, compared, changed, last] = [0, 0, 0, ''];
    // Seconds whose frames may still be on their way.
    let unchecked = 0;
    // The second of the last fault, or in which one was still to come: on a slow machine several seconds may share a frame.
    let faulty = -Infinity;
    for (let second = 1; second <= SECONDS; second++) {
      const fault = second % every === 0 ? FAULTS[(second / every - 1) % FAULTS.length] : undefined;
      if (fault !== undefined) {
        await happen(fault);
        faulty = second;
      }
      const { frames } = status();
      const now = await advance(live, 1_000);
      if (second - faulty < GRACE) {
        await follow(now);
        differed += Number(!(await same()));
        unchecked += 1;
        const faults = (await live.http.get('/_sandbox/faults')).data as { used: number; times: number }[];
        if (faults.some(({ used, times }) => used < times)) faulty = second;
        continue;
      }
      // Where the stream was opened again meanwhile, as it may be on a slow machine, answers bring what no frame does.
      const moreOrSame = (than: number) => until(async () => status().frames > than || (await same()));
      await moreOrSame(frames);
      await follow(now);
      let more = status().frames;
      while (!(await same())) {
        await moreOrSame(more);
        more = status().frames;
        await advance(mirror, 100);
      }
      expect(status().frames - frames).toBeLessThanOrEqual(CHANNELS * (1 + unchecked));
      unchecked = 0;
      compared += 1;
      changed += Number(shown !== last);
      last = shown;
    }
    expect(status()).toMatchObject({ state: 'live', unseen: 0 });
    expect(status().unreadable).toBeGreaterThan(0);
    expect(changed).toBeGreaterThan(compared / 2);
    process.stdout.write(`${compared} seconds compared and equal; right after faults ${differed} differed.\n`);
  });
});
