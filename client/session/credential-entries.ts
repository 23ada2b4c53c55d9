/**
 * A record that all processes of an n8n share, whatever workflow they run: it is in the stored credential. n8n makes no record there
 * that only one of several can make. So whoever makes it waits until every record that may have been written at the same moment is there
 * too, and has made it only if the one that is there then is its own (Fischer's algorithm: the last writer wins), as for a login.
 */
import { NetworkError } from '../base/errors';
import type { Clock, Moment, Random, SharedEntries } from '../base/ports';
import { CLAIM_LIFE_MS, CLAIM_VISIBLE_MS, POLL_MS, readClaim, type LockingStore } from './session-manager';
import type { CredentialFields } from './settings';

/** The record as the credential holds it. */
interface LockRecord {
  /** Name of its maker: no two records have the same. */
  by: string;
  entries: readonly string[];
}

/** In place of the maker of a record that this process may not change any more. */
const NOBODY = '';

/** The credential, and the moment before it was read. */
interface CredentialRead {
  stored: CredentialFields;
  at: Moment;
}

/** The record in a credential; undefined where there is none, or none of ours. */
function recordIn({ positionLock }: CredentialFields): LockRecord | undefined {
  if (typeof positionLock !== 'string') return undefined;
  const [by, ...entries] = positionLock.split('\n');
  return by === undefined || by === '' ? undefined : { by, entries };
}

const written = ({ by, entries }: LockRecord): string => [by, ...entries].join('\n');

/** The record of one credential; one for the whole process. */
export class CredentialEntries implements SharedEntries {
  private made = 0;
  /** The record that this process made last. */
  private mine: LockRecord | undefined;
  /** Maker of the record that was counted last. */
  private seen: string | undefined;

  /** @param store reads and writes the credential: of an execution that runs now. */
  constructor(
    private readonly store: () => LockingStore,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  /**
   * Changes nothing of a record that another process has made.
   * @throws NetworkError where another process has made it at the same moment, or n8n did not store it in time.
   */
  async add(entries: readonly string[]): Promise<readonly string[]> {
    const read = await this.withoutLogin();
    const record = recordIn(read.stored);
    if (record === undefined) return await this.make(read, entries);
    if (record.by !== this.mine?.by) return [];
    // A claim of a login that was written at the same moment may have taken entries back.
    const { by, entries: known } = this.mine;
    const added = entries.filter((entry) => !known.includes(entry));
    if (added.length === 0) return added;
    await this.write(read, { by, entries: [...known, ...added] });
    return added;
  }

  async count(): Promise<number> {
    const record = recordIn(await this.store().readStored());
    this.seen = record?.by;
    return record?.entries.length ?? 0;
  }

  /** Removes the record that this process made, or else the one that it counted last; none that has come in its place. */
  async clear(): Promise<void> {
    const { stored } = await this.withoutLogin();
    const by = this.mine?.by ?? this.seen;
    if (by !== undefined && recordIn(stored)?.by === by) {
      await this.store().writeLock(stored, '');
      // Nobody waits for it. A record that is there for all that is taken for one of a process that has died.
      this.clearAgain(by).catch(() => undefined);
    }
    this.mine = undefined;
  }

  /** A claim of a login that was written at the same moment may have brought the record back. */
  private async clearAgain(by: string): Promise<void> {
    await this.clock.sleep(CLAIM_VISIBLE_MS);
    const { stored } = await this.withoutLogin();
    if (recordIn(stored)?.by === by) await this.store().writeLock(stored, '');
  }

  private async make(read: CredentialRead, entries: readonly string[]): Promise<readonly string[]> {
    const by = `${(this.made += 1)} ${this.random()}`;
    await this.write(read, { by, entries });
    await this.clock.sleep(CLAIM_VISIBLE_MS);
    if (recordIn(await this.store().readStored())?.by === by) return entries;
    this.mine = undefined;
    throw new NetworkError('Another process of n8n has taken the lock, or n8n did not store it.', { maySent: false });
  }

  /**
   * @throws NetworkError where it took so long since the read that it may have replaced the record of a process that has looked for others
   * already. That process sends nothing more once it finds this record, which stays until it is taken for one of a process that has died.
   */
  private async write({ stored, at }: CredentialRead, record: LockRecord): Promise<void> {
    await this.store().writeLock(stored, written(record));
    const isInTime = this.clock.since(at) < CLAIM_VISIBLE_MS;
    this.mine = isInTime ? record : { by: NOBODY, entries: [] };
    if (!isInTime) throw new NetworkError('n8n took too long to store the lock.', { maySent: false });
  }

  /**
   * Reads the credential while no process logs in: the result of a login may hold an older copy of it (n8n before 2.34), and so may
   * a write here. A login begins two seconds after its claim is there, so none ends between this read and a write.
   */
  private async withoutLogin(): Promise<CredentialRead> {
    const since = this.clock.moment();
    const first = readClaim(await this.store().readStored());
    for (;;) {
      const at = this.clock.moment();
      const stored = await this.store().readStored();
      const claim = readClaim(stored);
      if (claim === '') return { stored, at };
      if (this.clock.since(since) > CLAIM_LIFE_MS) {
        if (claim !== first) throw new NetworkError('Other processes of n8n log in all the time.', { maySent: false });
        // Its process has died.
        await this.store().writeClaim(stored, '');
      }
      await this.clock.sleep(POLL_MS);
    }
  }
}
