/** Cost of an account's own orders, which push the prices at which it trades. */
import { OwnImpact } from '../../../sandbox/src/simulation/own-impact';
import { parseOptions } from '../../../sandbox/src/simulation/command-line';
import { Sandbox } from '../../../sandbox/src/simulation/sandbox';
import { limitOrder } from '../../support/trading';

const START = Date.parse('2026-11-23T10:00:00+05:30');

/** Buys so many shares in pieces, waits, and sells them again. @returns paise; of the account, and of another one */
function paid(quantity: number, impact: string): [own: number, other: number] {
  const options = parseOptions([
    ...['--clock', 'manual', '--port', '0', '--hours', 'exchange', '--latency', '0', '--funds', 'unchecked'],
    ...['--start', '2026-11-23T10:00:00+05:30', '--impact', impact],
  ]);
  if (typeof options === 'string') throw new Error(options);
  const sandbox = new Sandbox(options);
  const { world } = sandbox;
  const [person, second] = sandbox.users.all();
  const own = new OwnImpact(sandbox, person!.clientCode);
  const other = new OwnImpact(sandbox, second!.clientCode);
  const { refId } = world.universe().bySymbol('NSE', 'INFY')!;
  let at = START;
  for (const side of ['BUY', 'SELL'] as const)
    for (let n = 0; n < 10; n++) {
      at += 2_000;
      sandbox.clock.set(at);
      sandbox.now();
      const terms = { priceType: 'MARKET', price: 0, validity: 'IOC', product: 'IDAY' } as const;
      const order = limitOrder({ ...terms, account: person!.clientCode, refId, side, quantity: quantity / 10 });
      if (!world.placeOrder(order).ok) throw new Error('refused');
      sandbox.now();
    }
  return [own.paid, other.paid];
}

test('the own impact grows by more than in proportion with the size, and is nothing where orders push nothing', () => {
  const [[small], [large, others], [none]] = [
    paid(1_000, 'square-root'),
    paid(100_000, 'square-root'),
    paid(100_000, 'none'),
  ];
  expect(large).toBeGreaterThan(150 * Math.max(small, 1));
  expect([others, none]).toEqual([0, 0]);
});
