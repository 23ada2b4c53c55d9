/**
 * The entries that n8n keeps for a node (`helpers.checkProcessedAndRecord`), as n8n 2.40 keeps them: one record for each node,
 * read, and then made or changed. Only the making is safe against others.
 */
import type { SharedEntries } from '../../client/base/ports';

export class ProcessedData implements SharedEntries {
  private entries: string[] | undefined;
  /** Number of times that somebody made the record. */
  made = 0;
  isDown = false;

  /** @param pause between a read and a write, where others come in between. */
  constructor(private readonly pause: () => Promise<void>) {}

  add = async (entries: readonly string[]): Promise<readonly string[]> => {
    const before = await this.read();
    await this.pause();
    this.requireUp();
    if (before === undefined) {
      if (this.entries !== undefined) throw new Error('UNIQUE constraint failed');
      this.entries = [...entries];
      this.made += 1;
      return entries;
    }
    const added = entries.filter((entry) => !before.includes(entry));
    // An update of a record that is gone changes nothing.
    if (this.entries !== undefined) this.entries = [...before, ...added];
    return added;
  };

  count = async (): Promise<number> => (await this.read())?.length ?? 0;

  clear = async (): Promise<void> => {
    await this.pause();
    this.requireUp();
    this.entries = undefined;
  };

  private async read(): Promise<string[] | undefined> {
    await this.pause();
    this.requireUp();
    return this.entries;
  }

  private requireUp(): void {
    if (this.isDown) throw new Error('The database is down');
  }
}
