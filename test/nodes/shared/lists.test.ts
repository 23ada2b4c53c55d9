import { forgetInstruments } from '../../../client/instruments/catalogue';
import { chosenExpiry } from '../../../client/instruments/expiries';
import { machineTime } from '../../../client/market-clock';
import type { Transport } from '../../../client/transport';
import { findInstrument, instrumentOfRefId } from '../../../nodes/shared/lookup';
import { findInList, listOf, listContaining, searchLists } from '../../../nodes/shared/lists';
import { notifyOnce, type Service } from '../../../nodes/shared/service';
import { masterJson, masterRows, type MasterRow } from '../../support/master';
import { clock, follow } from '../../support/virtual-clock';

jest.mock('../../../nodes/host/clock', () => jest.requireActual('../../support/virtual-clock'));

const rows = [...masterRows(2_000, 'NSE', 30)];
const NEW: MasterRow = {
  ...rows.find(({ stock_name }) => stock_name === 'NIFTY26NOV24500CE')!,
  ref_id: 999_999,
  stock_name: 'NIFTY26NOV31000CE',
  plat_name: 'OPT_NIFTY_20261124_CE_3100000',
  strike_price: 3_100_000,
};
const MORNING = Date.parse('2026-11-20T09:30:00+05:30');

let asked: string[];
let listed: readonly MasterRow[];
let notices: string[];
let now: number;

/** A service whose lists are what is listed at the moment; BSE and MCX list nothing. */
function service(): Service {
  const stream = async (
    _endpoint: unknown,
    { path, query }: { path: { date: string }; query: { exchange: string } },
  ) => {
    asked.push(`${query.exchange} ${path.date}`);
    const own = query.exchange === 'NSE' ? listed : rows.slice(0, 1);
    await Promise.resolve();
    return { chunks: [masterJson(own, { exchange: query.exchange, isTradingOn: true })] };
  };
  const transport = { baseUrl: 'http://made', clock, marketClock: machineTime(clock), stream } as unknown as Transport;
  return {
    transport,
    connection: { environment: 'sandbox' } as Service['connection'],
    credential: {} as Service['credential'],
    notify: notifyOnce((message) => notices.push(message)),
  };
}

beforeAll(() => follow({ now: () => now, advance: async (ms) => void (now += ms) }));

beforeEach(() => {
  forgetInstruments();
  now = MORNING;
  asked = [];
  notices = [];
  listed = rows;
});

const find = async (name: string) => await findInstrument(service(), name, 'instrument', 'Instrument');

it('finds within a minute what is listed during the day, by its name and by its ref_id', async () => {
  await expect(find('NIFTY 24 Nov 2026 31000 CE')).rejects.toThrow('no CE with strike 31000');
  listed = [...rows, NEW];
  now = MORNING + 60_000;
  expect((await find('NIFTY 24 Nov 2026 31000 CE')).refId).toBe(NEW.ref_id);
  expect((await find(String(NEW.ref_id))).symbol).toBe('NIFTY26NOV31000CE');
  expect(await find('NIFTY26NOV31000CE · whatever').catch((error: Error) => error.message)).toContain('no instrument');
});

it('asks once a minute at most, for fifty workflows that miss fifty names', async () => {
  for (let second = 0; second <= 300; second += 15) {
    now = MORNING + second * 1_000;
    await Promise.allSettled(Array.from({ length: 50 }, (_, at) => find(`NSE:NOSUCH${at}`)));
  }
  expect(asked).toHaveLength(6);
});

it('does not ask again for what no list could have', async () => {
  now = MORNING;
  await find('INFY');
  now = MORNING + 3_600_000;
  await expect(find('NASDAQ:INFY')).rejects.toThrow('no known exchange');
  await expect(find('NSE:NIFTY FUT')).rejects.toThrow('expiry of the NIFTY future is missing');
  expect(asked.filter((line) => line.startsWith('NSE'))).toHaveLength(1);
});

it('looks for an expiry, and for what is searched, in newer lists too', async () => {
  listed = rows.filter(({ expiry }) => expiry !== 20261201);
  const choose = async () =>
    await findInList(service(), 'NSE', (list) => chosenExpiry(list, 'NIFTY', { date: '2026-12-01' }, now));
  const search = async () =>
    await searchLists(service(), ['NSE'], 'NIFTY26NOV31000CE', { today: '2026-11-20', limit: 5 });
  await expect(choose()).rejects.toThrow('no options that expire on 1 Dec 2026');
  listed = [...rows, NEW];
  now = MORNING + 60_000;
  expect(await choose()).toBe('2026-12-01');
  expect((await search()).map(({ store, row }) => store.symbol(row))).toEqual(['NIFTY26NOV31000CE']);
});

it('has the list asked for again where a chain shows an option that is not in it', async () => {
  const list = await listOf(service(), 'NSE');
  listed = [...rows, NEW];
  expect(await listContaining(service(), 'NSE', list, [NEW.ref_id])).toBe(list);
  now = MORNING + 60_000;
  expect(await listContaining(service(), 'NSE', list, [rows[0]!.ref_id])).toBe(list);
  expect(asked).toHaveLength(1);
  const newer = await listContaining(service(), 'NSE', list, [rows[0]!.ref_id, NEW.ref_id]);
  expect(newer.rowOfRefId(NEW.ref_id)).toBeGreaterThanOrEqual(0);
});

it('does not ask each minute for a ref_id of an old order that is gone for good', async () => {
  for (let minute = 0; minute <= 25; minute++) {
    now = MORNING + minute * 60_000;
    expect(await instrumentOfRefId(service(), 5, 'NSE')).toBeUndefined();
  }
  expect(asked).toHaveLength(1 + 3);
});

it('says once that the list of an earlier day serves', async () => {
  listed = [];
  const early = service();
  const stream = early.transport.stream.bind(early.transport);
  early.transport.stream = (async (endpoint: never, request: { path: { date: string } }) => {
    listed = request.path.date === '2026-11-20' ? [] : rows;
    return await stream(endpoint, request as never);
  }) as typeof early.transport.stream;
  for (let count = 0; count < 3; count++)
    expect((await findInstrument(early, 'INFY', 'instrument', 'Instrument')).symbol).toBe('INFY');
  expect(notices).toEqual([
    'The service has no instrument list of NSE for today yet: that of 19 Nov 2026 is used. What is listed today is not in it.',
  ]);
});
