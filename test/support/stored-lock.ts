/**
 * A credential with the lock of positions in it, as n8n stores it for several processes: read, and later written as a whole, with nothing
 * that keeps two of them apart.
 */
import type { LockingStore } from '../../client/session/session-manager';
import type { CredentialFields } from '../../client/session/settings';
import { ProcessLife } from './process-life';
import type { VirtualTime } from './virtual-time';

export class StoredLock implements LockingStore {
  private life: ProcessLife;

  constructor(
    private readonly time: VirtualTime,
    private readonly random: () => number,
    private readonly fields: CredentialFields = { sessionToken: 'alive', loginClaim: '', positionLock: '' },
  ) {
    this.life = new ProcessLife(time);
  }

  /** The same credential as a process with this life reads and writes it. */
  usedBy(life: ProcessLife): StoredLock {
    const used = new StoredLock(this.time, this.random, this.fields);
    used.life = life;
    return used;
  }

  /** The stored record of the lock; '' where nobody holds it. */
  get locked(): unknown {
    return this.fields.positionLock;
  }

  readStored = async (): Promise<CredentialFields> => {
    await this.pause();
    return { ...this.fields };
  };

  readLately = (): undefined => undefined;
  writeClaim = async (_: CredentialFields, loginClaim: string): Promise<void> => await this.merge({ loginClaim });
  writeLock = async (_: CredentialFields, positionLock: string): Promise<void> => await this.merge({ positionLock });

  /** Logs in so many times, one after the other, as an n8n before 2.34 does: what is stored is an older copy of the credential. */
  async logIns(count: number): Promise<void> {
    for (let number = 0; number < count; number++) {
      await this.time.sleep(this.random() * 4_000);
      await this.merge({ loginClaim: `claim ${number}` });
      await this.time.sleep(2_000);
      const copy = await this.readStored();
      await this.time.sleep(this.random() * 3_000);
      Object.assign(this.fields, copy, { loginClaim: '' });
    }
  }

  logIn = async (): Promise<void> => await this.logIns(1);

  /** As n8n does: reads it once more, and writes it with the changes. */
  private async merge(changes: CredentialFields): Promise<void> {
    await this.pause();
    const read = { ...this.fields };
    await this.pause();
    Object.assign(this.fields, read, changes);
  }

  private async pause(): Promise<void> {
    await this.life.after(this.time.sleep(1 + this.random() * 80));
  }
}
