/** Settlement of expired contracts where the service does not answer about a day. */
import { ForeignReplyError, ServiceError } from '../../../client/base/errors';
import { expiredContracts, settlementsOf } from '../../../client/performance/settlements';
import { ONE_SHARE } from '../../../client/values/contract-value';
import { knownPrice } from '../../support/price';
import type { Fill } from '../../../client/performance/fills';
import type { Transport } from '../../../client/transport';

const fill = (symbol: string, quantity: number, product = 'CNC'): Fill => ({
  at: Date.parse('2026-11-20T10:00:00+05:30'),
  symbol,
  product,
  quantity,
  price: knownPrice(10_000) as never,
  charges: 0,
  contract: ONE_SHARE,
  orderId: '1',
  tag: '',
});
const expired = (...fills: Fill[]) => expiredContracts(fills, () => false, '2026-11-26');

it.each([
  [[fill('NIFTY26NOV26000CE', 75)], ['NIFTY26NOV26000CE 2026-11-20']],
  [[fill('SENSEX26N2685000PE', -20)], ['SENSEX26N2685000PE 2026-11-26']],
  [[fill('NIFTY26NOVFUT', 75), fill('NIFTY26NOVFUT', -75)], []],
  [[fill('NIFTY26NOVFUT', 75), fill('NIFTY26NOVFUT', -75, 'IDAY')], ['NIFTY26NOVFUT 2026-11-20']],
  [[fill('NIFTY26D0126000CE', 75)], []],
  [[fill('CRUDEOIL26NOVFUT', 1)], []],
  [[fill('NIFTY 26NOV 26000CE', 75), fill('INFY', 1)], []],
])('%j: open contracts that can have expired', (fills, found) => {
  expect(expired(...fills).map(({ symbol, listedUntil }) => `${symbol} ${listedUntil}`)).toEqual(found);
});

const refused = (status: number): ServiceError => new ServiceError('no', { status, serviceText: '' });

it.each([
  ['asks to wait', refused(429), false],
  ['is out', refused(503), false],
  ['is behind a proxy that answers', new ForeignReplyError('a page', { status: 200 }), false],
  ['has no master of the day', refused(404), true],
])('the service %s: only a day without a master leaves a contract open', async (_, error, isOpen) => {
  const fail = (): Promise<never> => Promise.reject(error);
  const transport = { environment: 'sandbox', call: fail, stream: fail, now: () => 0 } as unknown as Transport;
  const contracts = expired(fill('NIFTY26NOV26000CE', 75));
  const outcome = settlementsOf(transport, contracts, { last: '2026-11-26', taxes: new Map() });
  if (isOpen) await expect(outcome).resolves.toEqual(new Map());
  else await expect(outcome).rejects.toBe(error);
});
