import type { FloorState } from './floor';
import type { Move } from './moves';
import type { GatewayState } from './gateway';
import type { RegisterState } from './register';
import type { Task } from './schedule';
import type { StampState } from './stamps';
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
