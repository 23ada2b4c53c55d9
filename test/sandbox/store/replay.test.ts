import fc from 'fast-check';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Sandbox, type SandboxOptions } from '../../../sandbox/src';
import { DEFAULT_OPTIONS } from '../../../sandbox/src/simulation/options';
import type { NewOrder } from '../../../sandbox/src/shared/orders';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import { START } from '../support';
import { share } from '../../support/sample';

interface Place {
  do: 'place';
  symbol: number;
  side: 'BUY' | 'SELL';
  quantity: number;
  product: 'CNC' | 'IDAY';
  kind: NewOrder['kind'];
  market: boolean;
  offset: number;
  ioc: boolean;
}

/** Action of a client, `after` milliseconds after the one before. */
type Deed = { after: number } & (
  | Place
  | { do: 'cancel'; which: number }
  | { do: 'modify'; which: number }
  | { do: 'move'; symbol: number; percent: number }
  | { do: 'halt'; halted: boolean }
  | { do: 'login' }
);

const SYMBOLS = ['INFY', 'SBIN', 'ITC'];
const after = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 3_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 60_000, max: 40_000_000 }) },
);
const symbol = fc.nat(SYMBOLS.length - 1);
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('place' as const),
      after,
      symbol,
      side: fc.constantFrom('BUY' as const, 'SELL' as const),
      quantity: fc.integer({ min: 1, max: 400 }),
      product: fc.constantFrom('CNC' as const, 'IDAY' as const),
      kind: fc.constantFrom('REGULAR' as const, 'STOPLOSS' as const, 'ICEBERG' as const),
      market: fc.boolean(),
      offset: fc.integer({ min: -30, max: 30 }),
      ioc: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), after, which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('modify' as const), after, which: fc.nat(20) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('move' as const), after, symbol, percent: fc.integer({ min: -3, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('halt' as const), after, halted: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('login' as const), after }) },
);

/** Carries deeds out at their instants; `looking` also reads at many instants in between, as a busy client would. */
function live(deeds: Deed[], looking: boolean, more: Partial<SandboxOptions>): Sandbox {
  let machine = Date.parse(START);
  const sandbox = new Sandbox({ ...DEFAULT_OPTIONS, seed: 5, ...more }, () => machine);
  const ids: bigint[] = [];
  for (const deed of deeds) {
    const until = machine + deed.after;
    if (looking) {
      for (let step = 0; step < 7; step += 1) {
        machine = Math.floor(machine + (until - machine) / 3);
        sandbox.now();
        const instrument = sandbox.world.universe().bySymbol('NSE', SYMBOLS[step % 3]!)!;
        sandbox.world.exchange.bookSnapshot(instrument, sandbox.instant, 5);
        sandbox.world.ordersOf('SBX001');
      }
    }
    machine = until;
    carryOut(sandbox, deed, ids);
  }
  machine += 60_000;
  sandbox.now();
  return sandbox;
}

function carryOut(sandbox: Sandbox, deed: Deed, ids: bigint[]): void {
  sandbox.now();
  const { world } = sandbox;
  const named = (index: number) => world.universe().bySymbol('NSE', SYMBOLS[index]!)!;
  const id = 'which' in deed ? ids[deed.which % Math.max(1, ids.length)] : undefined;
  switch (deed.do) {
    case 'login':
      sandbox.logins.sendOtp('9000000002');
      return;
    case 'halt':
      return world.trade.halt(deed.halted);
    case 'move': {
      const { refId, tickSize } = named(deed.symbol);
      return world.trade.movePrice(
        refId,
        Math.round((world.lastPrice(named(deed.symbol)) * (100 + deed.percent)) / 100 / tickSize) * tickSize,
      );
    }
    case 'cancel':
      if (id !== undefined) world.cancelOrder(id);
      return;
    case 'modify':
      if (id !== undefined) world.modifyOrder(id, { quantity: 50 });
      return;
    case 'place': {
      const result = world.placeOrder(orderOf(deed, named(deed.symbol), world.lastPrice(named(deed.symbol))));
      if (result.ok) ids.push(result.order.id);
    }
  }
}

function orderOf(place: Place, { refId, tickSize }: Instrument, last: number): NewOrder {
  const price = last + place.offset * tickSize;
  const market = place.market && place.kind !== 'STOPLOSS';
  return {
    account: 'SBX001',
    refId,
    kind: place.kind,
    side: place.side,
    quantity: place.quantity,
    product: place.product,
    validity: place.ioc && place.kind === 'REGULAR' ? 'IOC' : 'DAY',
    priceType: market ? 'MARKET' : 'LIMIT',
    price: market ? 0 : price,
    triggerPrice: place.kind === 'STOPLOSS' ? price : 0,
    legSize: place.kind === 'ICEBERG' ? 10 : 0,
    tag: '',
    basketId: 0n,
    source: 'ORDER_SOURCE_NORMAL',
  };
}

const seen = (sandbox: Sandbox) => ({
  // After a kill, what time alone brings again gets numbers that nobody has read.
  journal: sandbox.journal.after(0, undefined, Infinity).map(({ seq: _seq, ...entry }) => entry),
  accounts: sandbox.world.accounts.state(),
  inbox: sandbox.inbox.list(undefined),
  counters: sandbox.stats.counters(),
});

describe('The same commands make the same sandbox (issue: Deterministic, Durable)', () => {
  it.each(share(['always', 'exchange'] as const, 2, 1))(
    'they do so again from the log and from a snapshot, whatever is read in between (--hours %s)',
    (hours) => {
      fc.assert(
        fc.property(
          fc.array(deed, { minLength: 1, maxLength: 25 }),
          fc.integer({ min: 1, max: 9 }),
          (deeds, snapshotEvery) => {
            const folder = mkdtempSync(path.join(os.tmpdir(), 'sandbox-replay-'));
            try {
              const quiet = seen(live(deeds, false, { hours }));
              const [data, killed] = [path.join(folder, 'stopped'), path.join(folder, 'killed')];
              const watched = live(deeds, true, { hours, data, snapshotEvery });
              expect(seen(watched)).toEqual(quiet);
              const end = watched.instant;
              cpSync(data, killed, { recursive: true });
              watched.close();
              const states = [
                { data, snapshotEvery },
                { data: killed, snapshotEvery },
                { data, snapshotEvery: 0 },
              ].map((how) => {
                const again = new Sandbox({ ...DEFAULT_OPTIONS, seed: 5, hours, ...how }, () => end);
                again.now();
                expect(seen(again)).toEqual(quiet);
                const state = again.world.state();
                again.close();
                return state;
              });
              expect(states[0]).toEqual(states[2]);
              expect(states[1]).toEqual(states[2]);
            } finally {
              rmSync(folder, { recursive: true, force: true });
            }
          },
        ),
        { numRuns: Number(process.env['REPLAY_RUNS'] ?? 2) },
      );
    },
  );
});
