import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { CellValue, WriteOptions, WriteSheet } from 'hucre';

/** Number of rows that go to the thread at once: each message is copied while others wait. */
const ROWS = 250;

/** Script of the thread: it collects sheets and their rows, and writes the workbook when it is told its other options. */
const SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads');
const sheets = [];
let collected = [];
parentPort.on('message', ({ sheet, rows, options }) => {
  if (rows !== undefined) for (const row of rows) collected.push(row);
  else if (sheet !== undefined) {
    sheets.push({ ...sheet, rows: collected });
    collected = [];
  } else
    void import(workerData).then(async ({ writeXlsx }) => {
      const bytes = await writeXlsx({ ...options, sheets });
      parentPort.postMessage(bytes, [bytes.buffer]);
    });
});
`;

/** Writes a workbook in a thread of its own, as a long one takes seconds, in which no request would be answered. */
export class WorkbookThread {
  private readonly worker = new Worker(SCRIPT, {
    eval: true,
    workerData: pathToFileURL(require.resolve('hucre/xlsx')).href,
  });
  private readonly result: Promise<Uint8Array>;
  private rows: CellValue[][] = [];

  constructor() {
    this.result = new Promise<Uint8Array>((resolve, reject) => {
      this.worker.once('message', resolve);
      this.worker.once('error', reject);
    });
    // A thread that fails early is told where it is waited for.
    this.result.catch(() => undefined);
  }

  /** Adds a row to the sheet that is being written. */
  add(row: CellValue[]): void {
    this.rows.push(row);
    if (this.rows.length === ROWS) this.send();
  }

  /** Ends a sheet: its rows are those that were added since the one before. */
  end(sheet: Omit<WriteSheet, 'rows'>): void {
    this.send();
    this.worker.postMessage({ sheet });
  }

  /** @throws Error of the thread */
  async written(options: Omit<WriteOptions, 'sheets'>): Promise<Buffer> {
    this.worker.postMessage({ options });
    const { buffer, byteOffset, byteLength } = await this.result;
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private send(): void {
    this.worker.postMessage({ rows: this.rows });
    this.rows = [];
  }
}
