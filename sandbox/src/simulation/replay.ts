import { createHash } from 'node:crypto';
import type { EventLog } from '../store/event-log';
import { OptionError } from '../shared/option-error';
import { VERSION } from '../shared/version';
import type { SimulatedBrokerage } from './brokerage';

/** An entry of the log that only says how far time has come. */
export const TICK = 'tick';
/** The fact of a log that names the version which wrote to it last. */
export const WRITTEN_BY = 'writtenBy';
/** The fact of a log that tells what had come of it at some entry. */
const OUTCOME = 'outcome';

/** Result of a log: after its entry `seq`, at an instant in milliseconds. */
interface Outcome {
  seq: number;
  at: number;
  digest: string;
}

/** Writes down what has come of the log so far: another version that carries it out must come to the same. */
export function recordOutcome(store: EventLog, world: SimulatedBrokerage, at: number): void {
  const outcome: Outcome = { seq: store.seq, at, digest: digestOf(world, at) };
  store.note(OUTCOME, JSON.stringify(outcome));
}

/**
 * Carries out a log, or the rest of it.
 * @param after the last entry that the world holds already; undefined for none. Then the outcome is compared with the one that was
 * written down, since it may have been another version.
 * @throws OptionError where this version does not know a command, or comes to other orders or money.
 */
export function replayLog(
  world: SimulatedBrokerage,
  store: EventLog,
  { data, after }: { data: string; after: number | undefined },
): void {
  let toCompare = after === undefined ? outcomeOf(store) : undefined;
  const compare = (): void => {
    if (toCompare === undefined) return;
    world.advance(toCompare.at);
    if (digestOf(world, toCompare.at) !== toCompare.digest)
      throw other(store, data, 'its orders and money come out otherwise');
    toCompare = undefined;
  };
  for (const { seq, at, name, args } of store.entries(after ?? 0)) {
    if (toCompare !== undefined && seq > toCompare.seq) compare();
    world.advance(at);
    if (name === TICK) continue;
    if (!world.commands.knows(name)) throw other(store, data, `there is no command "${name}", which it holds`);
    world.commands.replay(at, name, args);
  }
  compare();
}

function outcomeOf(store: EventLog): Outcome | undefined {
  const noted = store.meta(OUTCOME);
  const outcome = noted === undefined ? undefined : (JSON.parse(noted) as Outcome);
  // Of a log that was damaged only its beginning may be there, as its owner has accepted.
  return outcome !== undefined && outcome.seq <= store.seq ? outcome : undefined;
}

function other(store: EventLog, data: string, what: string): OptionError {
  const writer = store.meta(WRITTEN_BY) ?? 'an earlier version';
  return new OptionError(
    `--data ${data} was written by brokerage-sandbox ${writer}; in ${VERSION} ${what}. Start it with the version that wrote it (npx brokerage-sandbox@${writer}), or take another folder.`,
  );
}

/** Of each account: its orders with what was filled, its cash and its holdings. */
function digestOf(world: SimulatedBrokerage, at: number): string {
  const hash = createHash('sha256');
  for (const { clientCode } of world.users.all()) {
    const orders = world.exchange
      .orders(clientCode, at)
      .map(({ id, status, filledQuantity, filledValue }) => [id, status, filledQuantity, filledValue].join(' '));
    const holdings = world.accounts.holdings(clientCode).map(({ refId, quantity, cost }) => [refId, quantity, cost]);
    const { cash } = world.accounts.funds(clientCode);
    hash.update(JSON.stringify([clientCode, orders, cash, holdings]));
  }
  return hash.digest('hex');
}
