/** True if this machine may place, what an order would need, and orders that an interface shows late; in virtual time. */
import { ServiceError, SessionError } from '../../../client/base/errors';
import type { OrderRecord } from '../../../client/endpoints/orders';
import { StaticIpChecks } from '../../../client/orders/guards/static-ip-check';
import { KnownOrderApis } from '../../../client/orders/account/account-api';
import { readLatest } from '../../../client/orders/api/latest-record';
import type { OrderTerms } from '../../../client/orders/model/order-terms';
import type { OrderPlacing } from '../../../client/orders/api/order-api';
import { previewOrder } from '../../../client/orders/placing/preview';
import { createTransport } from '../../../client/transport';
import { seededRandom, VirtualTime } from '../../support/virtual-time';
import { INFY, LIMIT_BUY, market, NIFTY_FUT } from './support';

let made = 0;
/** A service that gives one answer, with a status. */
function serving(answers: () => { status?: number; body: unknown }) {
  const time = new VirtualTime();
  let requested = 0;
  const transport = createTransport({
    http: async () => {
      requested += 1;
      const { status = 200, body } = answers();
      return { status, headers: {}, body: Buffer.from(JSON.stringify(body)) };
    },
    clock: time.clock,
    random: seededRandom(1),
    baseUrl: `https://here-${made++}.broker.example`,
    deviceId: 'n8n',
  });
  return { time, transport, asked: () => requested };
}

describe('the address from which orders come', () => {
  const registered = {
    is_matched: false,
    current_ip_address: '9.9.9.9',
    primary_ip_address: '1.1.1.1',
    secondary_ip_address: '2.2.2.2',
  };
  const refused = async (body: object): Promise<unknown> => {
    const { time, transport } = serving(() => ({ body }));
    return await time.run(new StaticIpChecks().require('s', transport)).catch((error: unknown) => error);
  };

  it('is refused where it is not registered, and those that are get named', async () => {
    expect(await refused(registered)).toMatchObject({
      parameter: 'checkStaticIp',
      message:
        'The order was not sent: n8n reaches the broker from 9.9.9.9, which is not registered for this account. Registered: 1.1.1.1 and 2.2.2.2.',
    });
    expect(await refused({ ...registered, current_ip_address: null, primary_ip_address: null })).toMatchObject({
      message: expect.stringMatching(/from another address, .*account\. Registered: 2\.2\.2\.2\.$/) as string,
    });
    expect(await refused({ ...registered, primary_ip_address: null, secondary_ip_address: null })).toMatchObject({
      message: expect.stringMatching(/for this account\.$/) as string,
    });
  });

  it('is asked for once a day for an account where it is right, and each time where it is not', async () => {
    let isMatched = false;
    const { time, transport, asked: requested } = serving(() => ({ body: { ...registered, is_matched: isMatched } }));
    const checks = new StaticIpChecks();
    await expect(time.run(checks.require('s', transport))).rejects.toThrow('not registered');
    isMatched = true;
    await time.run(checks.require('s', transport));
    await time.run(checks.require('s', transport));
    expect(requested()).toBe(2);
    await time.run(checks.require('other', transport));
    expect(requested()).toBe(3);
    await time.run(time.sleep(24 * 3_600_000));
    await time.run(checks.require('s', transport));
    expect(requested()).toBe(4);
  });

  it('is left to the service where none is registered, or it cannot be asked; an expired session is an error', async () => {
    const none = serving(() => ({ status: 400, body: { error: 'No IP address is registered' } }));
    await none.time.run(new StaticIpChecks().require('s', none.transport));
    const down = serving(() => ({ status: 403, body: {} }));
    await down.time.run(new StaticIpChecks().require('s', down.transport));
    const dead = serving(() => ({ status: 401, body: {} }));
    await expect(dead.time.run(new StaticIpChecks().require('s', dead.transport))).rejects.toBeInstanceOf(SessionError);
  });

  it('is not asked for once the execution is stopped', async () => {
    const { time, transport } = serving(() => ({ status: 403, body: {} }));
    const stopped = AbortSignal.abort(new Error('stopped'));
    await expect(time.run(new StaticIpChecks().require('s', transport, stopped))).rejects.toThrow('stopped');
  });
});

describe('a preview', () => {
  const ON_FUTURE: OrderTerms = { ...LIMIT_BUY, instrument: NIFTY_FUT, quantity: 3_900, price: 150_010 };
  const preview = async (
    terms: OrderTerms,
    { most: max, splits = false }: { most?: number; splits?: boolean } = {},
  ) => {
    const requested: number[][] = [];
    const orders = {
      splits: async () => splits,
      preview: async (parts: readonly OrderTerms[], { withPortfolio }: { withPortfolio: boolean }) => {
        requested.push(parts.map(({ quantity }) => quantity));
        return { total_margin: withPortfolio ? 1 : 2 };
      },
    } as unknown as OrderPlacing;
    return {
      reply: await previewOrder(
        terms,
        { withPortfolio: true, unit: 'rupees', maxUnits: max },
        { ...market().context, orders },
      ),
      asked: requested,
    };
  };

  it('is that of what would be sent: parts above the freeze quantity', async () => {
    expect(await preview(ON_FUTURE)).toEqual({
      reply: { total_margin: 1, is_sliced: true, parts: 3 },
      asked: [[1_755, 1_755, 390]],
    });
    expect(await preview(ON_FUTURE, { most: 1_950 })).toMatchObject({ asked: [[1_950, 1_950]] });
  });

  it.each<[string, OrderTerms, boolean]>([
    ['is within the freeze quantity', { ...ON_FUTURE, quantity: 1_755 }, false],
    ['is an iceberg', { ...ON_FUTURE, kind: 'ICEBERG', legSize: 65 }, false],
    ['is of a share', { ...ON_FUTURE, instrument: INFY }, false],
    ['the service splits', ON_FUTURE, true],
  ])('asks for one order that %s', async (_, terms, splits) => {
    expect(await preview(terms, { splits })).toEqual({
      reply: { total_margin: 1, is_sliced: false },
      asked: [[terms.quantity]],
    });
  });
});

describe('an order that only the older interface shows', () => {
  const NEWER = { order_id: '5', exits: [] } as unknown as OrderRecord;
  const GONE = new ServiceError('no', { status: 404, serviceText: '' });

  function looking(answers: (OrderRecord | ServiceError)[], ageMs: number | undefined, isOfIntent = false) {
    const time = new VirtualTime();
    const since = time.now();
    const known = new KnownOrderApis();
    if (isOfIntent) known.notePlaced('s', '5', 'intent');
    let requested = 0;
    const older = {
      order_id: '5',
      ...(ageMs === undefined ? {} : { order_time: `${time.now() - ageMs}000000` }),
    } as unknown as OrderRecord;
    const newest = (signal?: AbortSignal) =>
      time.run(
        readLatest(
          older,
          async () => answers[Math.min(requested++, answers.length - 1)]!,
          { clock: time.clock, known, scope: 's' },
          signal,
        ),
      );
    return { newest, older, time, asked: () => requested, after: () => time.now() - since };
  }

  it.each([0, 59_000, undefined])(
    'is asked for again where it was placed %p ms ago, until the newer shows it',
    async (age) => {
      const { newest, asked: requested, after } = looking([GONE, GONE, NEWER], age);
      expect(await newest()).toBe(NEWER);
      expect(requested()).toBe(3);
      expect(after()).toBe(3_000);
    },
  );

  it('is of the older one where the newer does not show it in four seconds, and is not asked for again then', async () => {
    const { newest, older, asked: requested } = looking([GONE], 0);
    expect(await newest()).toBe(older);
    expect(await newest()).toBe(older);
    expect(requested()).toBe(4);
  });

  it.each([0, 61_000])('is waited for longer where the newer one placed it, %p ms ago', async (age) => {
    const { newest, asked: requested } = looking([...Array<ServiceError>(16).fill(GONE), NEWER], age, true);
    expect(await newest()).toBe(NEWER);
    expect(requested()).toBe(17);
  });

  it('never counts as placed by the older one where the newer one placed it', async () => {
    const { newest, older, asked: requested, after } = looking([...Array<ServiceError>(25).fill(GONE), NEWER], 0, true);
    expect(await newest()).toBe(older);
    expect(after()).toBe(5_000);
    expect(await newest()).toBe(NEWER);
    expect(requested()).toBe(26);
  });

  it('is of the older one at once where it was placed long ago', async () => {
    const { newest, older, asked: requested } = looking([NEWER], 61_000);
    expect(await newest()).toBe(older);
    expect(requested()).toBe(0);
  });

  it('is waited for no longer when the execution is stopped', async () => {
    const { newest } = looking([GONE], 0);
    await expect(newest(AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  });
});
