/** Quantities held of instruments: positions and holdings together, each counted once. */
import { heldQuantities, heldRefIds, requireKnownHeld } from '../../../client/closing/held';
import type { Holdings, Positions } from '../../../client/portfolio/portfolio';

const NSE = { refId: 1, symbol: 'INFY', exchange: 'NSE' };
const BSE = { refId: 2, symbol: 'INFY', exchange: 'BSE' };
const position = (refId: number, net: number, more: object = {}): object => ({
  ref_id: refId,
  symbol: 'INFY',
  exchange: refId === 1 ? 'NSE' : 'BSE',
  product: 'ORDER_DELIVERY_TYPE_CNC',
  order_side: net > 0 ? 'BUY' : 'SELL',
  qty: Math.abs(net),
  avg_price: 120_000,
  segment: 'stock',
  ...more,
});
const HOLDING = { ref_id: 1, symbol: 'INFY', qty: 100, avg_price: 100_000, supported_exchanges: { NSE: 1, BSE: 2 } };

const held = (instruments: (typeof NSE)[], positions: object[], holdings: object[] = [HOLDING]): unknown =>
  heldQuantities(instruments, { positions } as unknown as Positions, { holdings } as unknown as Holdings).map(
    ({
      instrument,
      held: {
        units,
        holding,
        price,
        position: { net },
      },
    }) => [instrument.exchange, units, holding, net, price],
  );

it.each<[string, (typeof NSE)[], object[], unknown]>([
  ['as its own instrument', [BSE, NSE], [], [['NSE', 100, 100, 0, 100_000]]],
  ['as the one that is named', [BSE], [], [['BSE', 100, 100, 0, 100_000]]],
  ['where it was bought today', [NSE, BSE], [position(2, 100)], [['BSE', 200, 100, 100, 110_000]]],
  ['less what was sold on the other exchange', [NSE, BSE], [position(2, -30)], [['NSE', 70, 70, 0, 100_000]]],
  ['less what was sold on both', [NSE], [position(1, -10), position(2, -30)], [['NSE', 60, 60, -10, 100_000]]],
])('a holding that is listed twice counts once: %s', (_name, instruments, positions, expected) => {
  expect(held(instruments, positions)).toEqual(expected);
});

it('names the instruments of all that is held, each once', () => {
  const positions = [position(2, 5), position(2, 5, { product: 'ORDER_DELIVERY_TYPE_IDAY' }), position(7, 0)];
  expect(heldRefIds({ positions } as unknown as Positions, { holdings: [HOLDING] } as unknown as Holdings)).toEqual([
    2, 1,
  ]);
});

it.each<[object, object, RegExp | undefined]>([
  [position(1, 10), HOLDING, undefined],
  [
    position(1, 10, { ref_id: null }),
    HOLDING,
    /which instrument \(ref_id\) one of the entries is of: it may be INFY\. Nothing was sent/,
  ],
  [position(1, 10, { ref_id: null, symbol: ' infy ' }), HOLDING, /which instrument/],
  [position(1, 10, { ref_id: -1, symbol: '' }), HOLDING, /which instrument/],
  [position(1, 10, { ref_id: null, symbol: 'TCS' }), HOLDING, undefined],
  [position(1, 0, { ref_id: null, segment: 'closed' }), HOLDING, undefined],
  [position(1, 10), { ...HOLDING, ref_id: null, supported_exchanges: null }, /which instrument/],
  [position(1, 10), { ...HOLDING, ref_id: null }, undefined],
  [position(1, 10), { ...HOLDING, qty: null }, /how many shares you hold/],
  [position(1, 10), { ...HOLDING, ref_id: 9, supported_exchanges: null, qty: null }, undefined],
])('the held quantity is known, or refused: %j, %j', (listed, holding, says) => {
  const check = (): void => requireKnownHeld(NSE, [listed] as never, { holdings: [holding] } as never);
  if (says === undefined) check();
  else expect(check).toThrow(says);
});
