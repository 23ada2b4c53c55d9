import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EventLog } from '../../../sandbox/src/store/event-log';
import { SnapshotFile } from '../../../sandbox/src/store/snapshot-file';
import { Snapshots, type JournalTail } from '../../../sandbox/src/store/snapshots';

type State = { name: string };

describe('Snapshots, which are written a little at a time', () => {
  let folder: string;
  let log: EventLog;
  let file: SnapshotFile;
  let entries: { seq: number }[];
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'sandbox-snapshots-'));
    log = new EventLog(folder);
    log.begin({});
    file = new SnapshotFile(folder);
    entries = [];
  });
  afterEach(() => {
    log.close();
    file.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const journal: JournalTail = {
    get last() {
      return entries.at(-1)?.seq ?? 0;
    },
    get lastOrdinal() {
      return entries.length;
    },
    since: (seq) => entries.filter((entry) => entry.seq > seq),
  };
  const note = (count: number): void => {
    for (let n = 0; n < count; n += 1) entries.push({ seq: (entries.at(-1)?.seq ?? 0) + 1 });
  };
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
  const made = (): Snapshots<State> => new Snapshots<State>(log, file, 1, 0, 100_000);
  /** Returns what the next process finds. */
  const found = () => {
    const taken = made().take();
    return taken && { at: taken.at, ...taken.content, journal: taken.earlierJournal().length };
  };

  it('holds lists of any length, and the journal up to its instant', () => {
    const snapshots = made();
    note(1_700);
    log.append(5, 'first', []);
    snapshots.begin(5, journal, () => ({ rest: { name: 'first' }, lists: [numbers(1_234), [], numbers(3)] }));
    note(10);
    snapshots.finish();
    expect(found()).toEqual({
      at: 5,
      rest: { name: 'first' },
      lists: [numbers(1_234), [], numbers(3)],
      journal: 1_700,
    });
  });

  it('leaves the one before where a kill meets the next, and writes the next one whole', () => {
    const before = made();
    note(700);
    log.append(5, 'first', []);
    before.begin(5, journal, () => ({ rest: { name: 'first' }, lists: [numbers(2_000)] }));
    before.finish();
    note(2_000);
    log.append(6, 'second', []);
    // Nothing but its first piece is written: here the process ends.
    before.begin(6, journal, () => ({ rest: { name: 'second' }, lists: [numbers(5_000)] }));
    before.restart(6);
    expect(found()).toEqual({ at: 5, rest: { name: 'first' }, lists: [numbers(2_000)], journal: 700 });
    const after = made();
    after.take();
    after.begin(7, journal, () => ({ rest: { name: 'third' }, lists: [numbers(900)] }));
    after.finish();
    expect(found()).toEqual({ at: 7, rest: { name: 'third' }, lists: [numbers(900)], journal: 2_700 });
  });

  it('is written between other work, without being asked to finish', async () => {
    const snapshots = made();
    log.append(5, 'first', []);
    snapshots.begin(5, journal, () => ({ rest: { name: 'first' }, lists: [numbers(4_000)] }));
    expect(found()).toBeUndefined();
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(found()?.lists[0]).toHaveLength(4_000);
  });
});
