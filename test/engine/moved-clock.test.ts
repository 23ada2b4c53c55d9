/** The sandbox's clock is moved by hours and days, while n8n keeps its own: everything goes on, in the sandbox's time. */
import { Engine } from '../support/engine';
import { orderForm } from '../support/parameters';
import { startProxy, type Proxy } from '../support/proxy';
import { IS_WHOLE } from '../support/sample';
import { testSandbox, type TestSandbox } from '../support/sandbox';
import { follow, clock } from '../support/virtual-clock';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const HOUR_MS = 3_600_000;
/** Numbers of moves by an hour, from half past ten into the next day, and then by a day. */
const [HOURS, DAYS] = IS_WHOLE ? [24, 10] : [14, 6];
/** The machine's clock shows another day than the sandbox from the first. */
let machine = Date.parse('2026-11-17T20:00:00+05:30');
let sandbox: TestSandbox;
let engine: Engine;

beforeAll(async () => {
  sandbox = await testSandbox({ hours: 'always' }, () => machine);
  follow({
    now: () => machine,
    advance: async (ms) => {
      machine += ms;
      // The sandbox's clock runs as the machine's does: what was moved is only the difference.
      const { sandbox: moved } = sandbox.running;
      moved.time.leap(moved.instant + Math.round(ms));
      moved.now();
      moved.changed();
    },
  });
  engine = await Engine.start(sandbox.credential);
});
afterAll(async () => await sandbox.close());

const now = (): number => sandbox.running.sandbox.instant;
const day = (at: number): string => new Date(at + 5.5 * HOUR_MS).toISOString().slice(0, 10);
const runs = async (parameters: object) => {
  const { items, error } = await engine.run(parameters as never);
  if (error !== undefined) throw new Error(`${error.message} ${error.description}`);
  return items.map(({ json }) => json);
};
const market = { priceType: 'MARKET', price: undefined, waitFor: 'accepted' };

/** A new login, an order under a key, a report of today, an order with an exit time of today. */
async function walk(): Promise<void> {
  const { sessionToken: _old, ...fields } = await engine.storedCredential();
  await engine.setCredential({ ...fields, sessionToken: '', authToken: '' });
  const today = day(now());
  const [placed] = await runs(orderForm({ ...market, options: { idempotencyKey: 'one a day' } } as never));
  const isFirst = !seen.has(today);
  seen.add(today);
  expect([today, placed?.already_placed]).toEqual([today, !isFirst]);
  const report = { resource: 'report', operation: 'view', report: 'ledger', dates: 'today', simplify: false };
  // A day without bookings has no report.
  const [ledger] = await runs({ ...report, options: { whenEmpty: 'item' } });
  const { from_date: first } = (ledger?.['res'] ?? { from_date: ledger?.['from'] }) as { from_date: string };
  expect(first).toBe(today);
}
const seen = new Set<string>();

it('the workflow goes on over moves by an hour', async () => {
  for (let move = 0; move < HOURS; move++) {
    await sandbox.control('POST', 'clock', { advance: 'PT1H' });
    await walk();
  }
  expect(seen.size).toBe(2);
});

it('the workflow goes on over moves by a day', async () => {
  for (let move = 0; move < DAYS; move++) {
    await sandbox.control('POST', 'clock', { advance: 'P1D' });
    await walk();
  }
  expect(seen.size).toBe(2 + DAYS);
  expect(clock.now() - Date.parse('2026-11-17T20:00:00+05:30')).toBeLessThan(2 * HOUR_MS);
});

describe('an operation that only reads', () => {
  const candles = {
    resource: 'candle',
    operation: 'get',
    instrument: { __rl: true, mode: 'symbol', value: 'NSE:INFY' },
  };
  let proxy: Proxy;
  let asked: string[] = [];
  let reading: Engine;

  beforeAll(async () => {
    proxy = await startProxy(sandbox.url);
    proxy.change = ({ path }) => void asked.push(path);
    reading = await Engine.start({ ...sandbox.credential, sandboxBaseUrl: proxy.url });
  });
  afterAll(async () => await proxy.close());

  const lastDay = async () => {
    asked = [];
    const { items, error } = await reading.run({
      ...candles,
      interval: '1d',
      range: 'last7Days',
      from: '',
      to: '',
      fields: ['close'],
      output: 'items',
      options: {},
    } as never);
    expect(error).toBeUndefined();
    return String(items.at(-1)?.json['time']).slice(0, 10);
  };
  const timesAsked = () => asked.filter((path) => path === '/_sandbox/health').length;

  it('asks for no time that earlier replies have told, and runs again if the clock was moved since', async () => {
    const before = await lastDay();
    await lastDay();
    expect(timesAsked()).toBe(0);
    await sandbox.control('POST', 'clock', { advance: 'P7D' });
    const after = await lastDay();
    expect(Date.parse(after) - Date.parse(before)).toBe(7 * 24 * HOUR_MS);
    expect(timesAsked()).toBe(1);
    await lastDay();
    expect(timesAsked()).toBe(0);
  });
});

it("a time of day is one of the sandbox's day, and an error about a past one says how far the clocks are apart", async () => {
  const { error } = await engine.run({
    resource: 'order',
    operation: 'place',
    ...orderForm(market as never),
    entry: { entryTime: '00:01' },
  } as never);
  expect(error?.message).toContain('Entry Time 00:01 has passed: it is ');
  expect(error?.description).toMatch(/The sandbox's clock is \d+(\.\d)? hours ahead of this machine's: there it is/);
});

it('a wrong secret is not put down to the clocks', async () => {
  const fields = await engine.storedCredential();
  await engine.setCredential({ ...fields, sessionToken: '', totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' });
  const { error } = await engine.run({ resource: 'portfolio', operation: 'getFunds' });
  expect(`${error?.message} ${error?.description}`).toMatch(
    /TOTP code was refused.*hours ahead of this machine's; it takes codes of both/,
  );
});
