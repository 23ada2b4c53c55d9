import fc from 'fast-check';
import {
  readAuthorisation,
  requireAuthorised,
  isDeliverySale,
} from '../../../../client/orders/guards/authorised-sales';
import { readGuards } from '../../../../client/orders/model/guard-settings';
import type { OrderTerms } from '../../../../client/orders/model/order-terms';

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
    const orders = { tellsAuthorisation: async () => await Promise.resolve(true), preview };
    const told = await readAuthorisation(terms(), { orders } as never);
    expect(told).toBeUndefined();
    expect(() => requireAuthorised(terms(), told)).not.toThrow();
  });

  it('asks nothing on the older interface', async () => {
    const preview = jest.fn();
    await readAuthorisation(terms(), {
      orders: { tellsAuthorisation: async () => await Promise.resolve(false), preview },
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
