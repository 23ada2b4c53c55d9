import type { FloorState } from './matching-engine';
import type { Move } from '../market/prices/price-overrides';
import type { GatewayState } from './latency-model';
import type { RegisterState } from './order-store';
import type { Task } from './schedule';
import type { StampState } from './id-generator';
import type { OrderChange } from './types';

/** Something the exchange has to do at an instant. */
export type Duty =
  | { kind: 'send'; orderId: bigint }
  | { kind: 'arrive'; orderId: bigint }
  | { kind: 'cancel'; orderId: bigint }
  | { kind: 'modify'; orderId: bigint; change: OrderChange }
  | { kind: 'visit'; refId: number }
  | { kind: 'resume' }
  | { kind: 'day' };

/** An exchange as plain data. */
export interface ExchangeState {
  /** Milliseconds, like all instants here. */
  now: number;
  chance: readonly number[];
  stamps: StampState;
  schedule: { seq: number; tasks: Task<Duty>[] };
  register: RegisterState;
  floor: FloorState;
  gateway: GatewayState;
  haltedAt: number | undefined;
  /** When a halt ends by itself; infinite when only a person ends it. */
  resumeAt: number;
  auctionCloses: [end: number, close: number][];
  /** Prices moved by the control plane. */
  moved: [refId: number, moves: Move[]][];
}
