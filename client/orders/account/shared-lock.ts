/**
 * A lock over all processes of an n8n (queue mode): of keyed orders, one for each node, and of positions, one for each credential. They
 * share one record, and only one of several that make it at the same moment succeeds: whoever made it holds the lock. A process that holds
 * it places as many orders as come within three seconds; then it lets others, as soon as the day's list shows what it placed, so that
 * whoever is next finds that. A holder that died is known by its record, which a living one changes every few seconds.
 */
import { NetworkError } from '../../base/errors';
import type { Clock, Moment, Random, SharedEntries } from '../../base/ports';
import { identityOf } from '../model/tags';

/** The entry that makes the record. */
const HELD = 'held';
/** A holder begins no work after this. */
const ADMITS_MS = 3_000;
/** Maximum time to wait until the list shows a sent order. */
const LISTED_MS = 20_000;
const HEARTBEAT_MS = 8_000;
/** Time without a change of its record after which a holder sends nothing more: another may consider the lock abandoned. */
const ALIVE_MS = 25_000;
/** Time without a change after which a record is abandoned. At random up to ten seconds later, so that not all break it at once. */
const DEAD_MS = 30_000;
const DEAD_SPREAD_MS = 10_000;
/** Time after which a process that broke a record, or saw one that was due, checks if it is the holder. */
const CLAIM_VISIBLE_MS = 1_500;
const POLL_MS = 200;
const TICK_MS = 250;
const LOOK_MS = 700;
/** Others are let in before this process takes the lock again. */
const YIELDS_MS = 3 * POLL_MS;
const GIVES_UP_MS = 120_000;
/** Maximum number of failures to make the record while there is none. */
const MAX_FAILURES = 10;
/** Maximum number of meaningless entries of a record: two holders that follow each other differ in their number. */
const MAX_MARKS = 100;

/** Reads the identities of the tags in the day's list. */
export type ReadTags = () => Promise<readonly string[]>;

/** The lock while it is held. */
export interface LockHold {
  /** Returns true if no other process can consider this one dead: only then may it send. */
  isSure(): boolean;
  /** Keeps the lock until a list shows these tags, twenty seconds at most. @param kind of the list. */
  untilListed(kind: string, tags: readonly string[], read: ReadTags): void;
}

/** One holding of the lock, from the wish for it to its release. */
interface Holding {
  taken: Promise<void>;
  released: Promise<void>;
  admitsUntil: Moment;
  /** Time of this process's last change of the record. */
  heartbeatAt: Moment;
  /** An entry that no other holder's record has. */
  mark: string;
  active: number;
  isOver: boolean;
  pending: Map<string, { until: Moment; kind: string }>;
  lists: Map<string, ReadTags>;
}

/** Words of the error for a lock that could not be had. */
interface LockWords {
  /** Actions of others for two minutes, as a sentence. */
  busy: string;
  /** The missing record, as a sentence. */
  notStored: string;
}

/** Of the lock of a node's keyed orders. */
const KEY_LOCK: LockWords = {
  busy: 'Other processes of n8n have placed orders with keys at this node for two minutes.',
  notStored: "n8n's database did not take the lock that keeps two workers from placing the same key.",
};

/** Of the lock of an account's positions. */
export const POSITION_LOCK: LockWords = {
  busy: 'Other processes of n8n have changed positions of this account for two minutes.',
  notStored: 'n8n did not store in the credential the lock that keeps two workers from changing one position.',
};

/** One lock; one for the whole process. */
export class SharedLock {
  private holding: Holding | undefined;
  private yieldsUntil: Moment;
  private made = 0;

  constructor(
    private readonly entries: SharedEntries,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly words: LockWords = KEY_LOCK,
  ) {
    this.yieldsUntil = clock.moment();
  }

  /**
   * Does the work while this process holds the lock; other work of this process may run beside it.
   * @returns the result of the work. @throws any error of the work; NetworkError if the lock was unavailable, and the signal's reason: then
   * the work was not begun.
   */
  async hold<T>(work: (hold: LockHold) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const holding = await this.enter(signal);
    const isSure = (): boolean => this.isAlive(holding);
    const untilListed: LockHold['untilListed'] = (kind, tags, read) => {
      holding.lists.set(kind, read);
      const until = this.clock.moment(LISTED_MS);
      for (const tag of tags) holding.pending.set(`${kind} ${identityOf(tag)}`, { until, kind });
    };
    try {
      return await work({ isSure, untilListed });
    } finally {
      holding.active -= 1;
    }
  }

  private async enter(signal: AbortSignal | undefined): Promise<Holding> {
    for (;;) {
      signal?.throwIfAborted();
      const holding = (this.holding ??= this.begin());
      await orAborted(holding.taken, signal);
      const admits = !holding.isOver && this.clock.since(holding.admitsUntil) < 0 && this.isAlive(holding);
      if (admits) {
        holding.active += 1;
        return holding;
      }
      await orAborted(holding.released, signal);
    }
  }

  private isAlive({ heartbeatAt }: Holding): boolean {
    return this.clock.since(heartbeatAt) < ALIVE_MS;
  }

  private begin(): Holding {
    const holding: Holding = {
      taken: Promise.resolve(),
      released: Promise.resolve(),
      admitsUntil: this.clock.moment(),
      heartbeatAt: this.clock.moment(-ALIVE_MS),
      mark: '',
      active: 0,
      isOver: false,
      pending: new Map(),
      lists: new Map(),
    };
    holding.taken = this.take(holding);
    holding.released = this.keep(holding);
    return holding;
  }

  /** Makes the record. @throws NetworkError if it could not in two minutes, or n8n takes none. */
  private async take(holding: Holding): Promise<void> {
    const { clock } = this;
    const since = clock.moment();
    const deadAfter = DEAD_MS + this.random() * DEAD_SPREAD_MS;
    let seen = { count: 0, since };
    let isWatchful = false;
    let failures = 0;
    await clock.sleep(Math.max(0, -clock.since(this.yieldsUntil)));
    while (failures < MAX_FAILURES && clock.since(since) < GIVES_UP_MS) {
      const count = await this.count();
      if (count === 0) {
        if (await this.make(holding, isWatchful)) return;
        failures += 1;
      } else if (count === undefined) {
        failures += 1;
      } else {
        failures = 0;
        if (count !== seen.count) seen = { count, since: clock.moment() };
        const age = clock.since(seen.since);
        isWatchful = age > DEAD_MS / 2;
        if (age > deadAfter && (await this.count()) === count) await this.clear();
      }
      await clock.sleep(POLL_MS + this.random() * POLL_MS);
    }
    throw new NetworkError(failures < MAX_FAILURES ? this.words.busy : this.words.notStored, {
      maySent: false,
      hint: 'Nothing was sent. Save the workflow, see that the database of n8n works, and try again.',
    });
  }

  /** @param isWatchful whether another may break the record at this moment. @returns whether this process holds the lock. */
  private async make(holding: Holding, isWatchful: boolean): Promise<boolean> {
    const at = this.clock.moment();
    // One that makes it at the same moment makes this fail; one that was a little earlier has the entry already.
    const added = await this.add([HELD]);
    if (!added.includes(HELD)) return false;
    const marks = Array.from({ length: 1 + Math.floor(this.random() * MAX_MARKS) }, () => this.mark());
    await this.add(marks);
    if (isWatchful) {
      await this.clock.sleep(CLAIM_VISIBLE_MS);
      if ((await this.count()) !== marks.length + 1) return false;
    }
    holding.heartbeatAt = at;
    holding.mark = marks[0]!;
    holding.admitsUntil = this.clock.moment(ADMITS_MS);
    return true;
  }

  private mark(): string {
    return `${(this.made += 1)} ${this.random()}`;
  }

  /** Keeps the record alive while it is needed, and removes it. Never rejects. */
  private async keep(holding: Holding): Promise<void> {
    const isTaken = await holding.taken.then(
      () => true,
      () => false,
    );
    if (isTaken) {
      await this.keepWhileNeeded(holding);
      if (this.isAlive(holding) || (await this.isOwn(holding))) await this.clear();
      if (this.clock.since(holding.admitsUntil) >= 0) this.yieldsUntil = this.clock.moment(YIELDS_MS);
    }
    this.holding = undefined;
  }

  private async keepWhileNeeded(holding: Holding): Promise<void> {
    let lookAt = this.clock.moment();
    for (;;) {
      await this.clock.sleep(TICK_MS);
      if (this.clock.since(holding.heartbeatAt) >= HEARTBEAT_MS) await this.renew(holding);
      if (holding.pending.size > 0 && this.clock.since(lookAt) >= 0) {
        await this.look(holding);
        lookAt = this.clock.moment(LOOK_MS);
      }
      if (holding.active > 0 || (holding.pending.size > 0 && this.isAlive(holding))) continue;
      holding.isOver = true;
      return;
    }
  }

  private async renew(holding: Holding): Promise<void> {
    const at = this.clock.moment();
    if (!this.isAlive(holding)) return;
    const added = await this.add([this.mark()]);
    if (added.length > 0) holding.heartbeatAt = at;
  }

  /** Forgets the orders that the lists show now, and those that they did not show in time. */
  private async look({ pending, lists }: Holding): Promise<void> {
    for (const [kind, read] of lists) {
      const listed = await read().catch((): readonly string[] => []);
      for (const tag of listed) pending.delete(`${kind} ${identityOf(tag)}`);
    }
    for (const [name, { until }] of pending) if (this.clock.since(until) >= 0) pending.delete(name);
  }

  /** Adds entries. @returns those that were missing; nothing if they could not be stored. */
  private async add(entries: readonly string[]): Promise<readonly string[]> {
    return await this.entries.add(entries).catch((): readonly string[] => []);
  }

  /**
   * Returns true if the record is still the one that this process made, although another process may have considered it abandoned: the
   * clock has jumped by half a minute, as after a machine's sleep, or by a day, as in a backtest. If it remained, it would block the next
   * order for as long as an abandoned one does.
   */
  private async isOwn({ mark }: Holding): Promise<boolean> {
    if (((await this.count()) ?? 0) === 0) return false;
    const added = await this.entries.add([mark]).catch(() => undefined);
    return added?.length === 0;
  }

  /** @returns undefined when n8n does not tell. */
  private async count(): Promise<number | undefined> {
    return await this.entries.count().catch(() => undefined);
  }

  /** Removes the record. One that stays for all that is taken for a dead holder's. */
  private async clear(): Promise<void> {
    for (let tries = 0; tries < 3; tries++) {
      const isCleared = await this.entries.clear().then(
        () => true,
        () => false,
      );
      if (isCleared) return;
      await this.clock.sleep(POLL_MS);
    }
  }
}

/** @throws the signal's reason, at once. */
async function orAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return await promise;
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
