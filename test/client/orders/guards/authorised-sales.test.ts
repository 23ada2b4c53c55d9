import fc from 'fast-check';
import {
  readAuthorisation,
  requireAuthorised,
  isDeliverySale,
} from '../../../../client/orders/guards/authorised-sales';
import { passGuards } from '../../../../client/orders/guards/guards';
import { sellableShares } from '../../../../client/orders/guards/sellable-shares';
import { readGuards, type Guards } from '../../../../client/orders/model/guard-settings';
import type { OrderTerms } from '../../../../client/orders/model/order-terms';
import { INFY, LIMIT_BUY, market } from '../support';

const terms = (more: object = {}): OrderTerms =>
  ({
    side: 'SELL',
    product: 'CNC',
    quantity: 10,
    instrument: { symbol: 'INFY', exchange: 'NSE', derivative: false },
    ...more,
  }) as unknown as OrderTerms;

describe('the guard "Refuse Unauthorised Sales"', () => {
  it('refuses exactly the sales beyond what may be sold now, and says what to do', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000),
        fc.nat(1_000),
        fc.option(fc.nat(1_000), { nil: undefined }),
        (quantity, sellable, waiting) => {
          const check = (): void => requireAuthorised(terms({ quantity }), { sellable, waiting });
          if (quantity <= sellable) expect(check).not.toThrow();
          else
            expect(check).toThrow(
              expect.objectContaining({
                parameter: 'refuseUnauthorisedSales',
                message: expect.stringContaining(
                  `Of ${quantity} INFY ${sellable === 0 ? 'none' : `only ${sellable}`} may be sold now`,
                ),
                hint: expect.stringMatching(
                  waiting === 0
                    ? /^Nothing was sent. Reduce the quantity/
                    : /Authorise the sale in your broker's app.*DDPI/,
                ),
              }) as Error,
            );
        },
      ),
    );
  });

  it.each([
    [{}, true],
    [{ side: 'BUY' }, false],
    [{ product: 'IDAY' }, false],
    [{ instrument: { derivative: true } }, false],
  ])('asks only for sales of shares for delivery: %j', (more, asks) => {
    expect(isDeliverySale(terms(more))).toBe(asks);
  });

  it.each([
    ['the service does not tell', async () => await Promise.resolve({})],
    ['the service cannot say', async () => await Promise.reject(new Error('down'))],
    ['the number is none', async () => await Promise.resolve({ sellable_quantity: '3' })],
  ])('lets an order pass where %s', async (_what, preview) => {
    const orders = { reportsAuthorisation: async () => await Promise.resolve(true), preview };
    const authorisation = await readAuthorisation(terms(), { orders } as never);
    expect(authorisation).toBeUndefined();
    expect(() => requireAuthorised(terms(), authorisation)).not.toThrow();
  });

  it('asks nothing on the older interface', async () => {
    const preview = jest.fn();
    await readAuthorisation(terms(), {
      orders: { reportsAuthorisation: async () => await Promise.resolve(false), preview },
    } as never);
    expect(preview).not.toHaveBeenCalled();
  });

  it('is on where the credential says nothing, and off only where it says so', () => {
    expect(
      [{}, { refuseUnauthorisedSales: true }, { refuseUnauthorisedSales: false }].map(
        (fields) => readGuards(fields).refuseUnauthorisedSales,
      ),
    ).toEqual([true, true, false]);
  });
});

describe('a sale of shares for delivery', () => {
  const SALE: OrderTerms = { ...LIMIT_BUY, side: 'SELL' };
  const authorisationOf = (sellable_quantity: number, unauthorised_quantity = 0) => {
    const { time, context } = market();
    const asked: unknown[] = [];
    const preview = async (...given: unknown[]) => {
      asked.push(given);
      return { sellable_quantity, unauthorised_quantity };
    };
    const orders = { ...context.orders, reportsAuthorisation: async () => await Promise.resolve(true), preview };
    return { time, asked, context: { ...context, orders: orders as unknown as typeof context.orders } };
  };
  const GUARDS: Guards[] = [
    { allowLiveOrders: true, dryRun: false, marketHoursOnly: false, refuseUnauthorisedSales: true },
  ];
  const check = async (sellable: number, terms = SALE, more: object = {}, guards = GUARDS): Promise<unknown> => {
    const { time, asked, context } = authorisationOf(sellable);
    const passing = passGuards([terms], { tag: 'a', guards, unit: 'rupees', ...more }, context);
    const parameter = await time.run(passing.then(() => '').catch((error: { parameter: string }) => error.parameter));
    return [parameter, asked.length];
  };

  it('is refused beyond what the service says may be sold, where the guard is on', async () => {
    expect(await check(SALE.quantity)).toEqual(['', 1]);
    expect(await check(SALE.quantity - 1)).toEqual(['refuseUnauthorisedSales', 1]);
    expect(await check(0, SALE, {}, [{ ...GUARDS[0]!, refuseUnauthorisedSales: false }])).toEqual(['', 0]);
  });

  it('is asked about only where it is new, and no other order is', async () => {
    expect(await check(0, SALE, { replaces: () => false })).toEqual(['', 0]);
    expect(await check(0, LIMIT_BUY)).toEqual(['', 0]);
    expect(await check(0, { ...SALE, product: 'IDAY' })).toEqual(['', 0]);
  });

  it('is asked about with what the account holds, one share of each holding that is named', async () => {
    const { time, asked, context } = authorisationOf(3, 4);
    expect(await time.run(sellableShares([INFY, undefined], context))).toEqual([
      { sellable: 3, waiting: 4 },
      undefined,
    ]);
    expect(asked).toMatchObject([
      [[{ instrument: INFY, side: 'SELL', quantity: 1, product: 'CNC', priceType: 'MARKET' }], { withPortfolio: true }],
    ]);
  });
});
