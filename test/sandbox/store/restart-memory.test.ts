import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EventLog } from '../../../sandbox/src/store/event-log';
import { SnapshotFile } from '../../../sandbox/src/store/snapshot-file';
import { Snapshots, type JournalTail } from '../../../sandbox/src/store/snapshots';
import { heldAtMost, heldMemory } from '../../support/held-memory';
import { IS_WHOLE } from '../../support/sample';

const ELEMENTS = IS_WHOLE ? 20_000 : 10_000;
/** Its two objects take 112 bytes, and its four texts at least 96 where they are its own. */
const MAX_BYTES_OF_ELEMENT = 150;
const MAX_BYTES_BESIDE = 1_000_000;
const NO_JOURNAL: JournalTail = { last: 0, lastOrdinal: 0, since: () => [] };

describe('What a restart holds in memory', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'sandbox-restart-memory-'));
  const log = new EventLog(folder);
  const file = new SnapshotFile(folder);
  const list = Array.from({ length: ELEMENTS }, (_, seq) => ({
    side: seq % 2 === 0 ? 'BUY' : 'SELL',
    status: 'PARTIALLY_FILLED',
    account: `SBX${seq % 7}`,
    order: { product: 'INTRADAY' },
  }));
  const made = () => new Snapshots<string>(log, file, 1, 0, 1_000);
  beforeAll(() => {
    log.begin({});
    log.append(5, 'first', []);
    const snapshots = made();
    snapshots.begin(5, NO_JOURNAL, () => ({ rest: 'rest', lists: [list] }));
    snapshots.finish();
  });
  afterAll(() => {
    log.close();
    file.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('keeps nothing of a snapshot in the reader of its journal', async () => {
    const before = heldMemory();
    const read = made().take()!.earlierJournal;
    const beside = ({ heapUsed, arrayBuffers }: NodeJS.MemoryUsage): number => heapUsed + arrayBuffers;
    const held = (await heldAtMost(beside(before) + MAX_BYTES_BESIDE, beside)) - beside(before);
    expect(read()).toEqual([]);
    expect(held).toBeLessThanOrEqual(MAX_BYTES_BESIDE);
  });

  it('has equal texts of its lists once', async () => {
    const before = heldMemory().heapUsed;
    const taken = made().take();
    const held = (await heldAtMost(before + ELEMENTS * MAX_BYTES_OF_ELEMENT, ({ heapUsed }) => heapUsed)) - before;
    expect(taken?.content.lists).toEqual([list]);
    expect(held).toBeLessThanOrEqual(ELEMENTS * MAX_BYTES_OF_ELEMENT);
  });
});
