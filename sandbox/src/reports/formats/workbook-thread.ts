import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { CellValue, WriteOptions, WriteSheet } from 'hucre';
import { Turns } from '../../shared/cooperative';

/** Number of rows that go to the thread at once: each message is copied while others wait. */
const ROWS = 250;

/** Script of the thread: it collects sheets and their rows, and writes the workbook when it is told its other options. */
const SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads');
const sheets = [];
parentPort.on('message', ({ sheet, rows, options }) => {
  if (sheet !== undefined) sheets.push({ ...sheet, rows: [] });
  else if (rows !== undefined) sheets.at(-1).rows.push(...rows);
  else
    void import(workerData).then(async ({ writeXlsx }) => {
      const bytes = await writeXlsx({ ...options, sheets });
      parentPort.postMessage(bytes, [bytes.buffer]);
    });
});
`;

/** Writes a workbook in a thread of its own, as a long one takes seconds, in which no request would be answered. */
export async function writtenInThread({ sheets, ...options }: WriteOptions): Promise<Buffer> {
  const worker = new Worker(SCRIPT, { eval: true, workerData: pathToFileURL(require.resolve('hucre/xlsx')).href });
  try {
    const written = new Promise<Uint8Array>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    // A thread that fails early is told below, where it is waited for.
    written.catch(() => undefined);
    const turns = new Turns();
    for (const { rows = [], ...sheet } of sheets) {
      worker.postMessage({ sheet: sheet satisfies Omit<WriteSheet, 'rows'> });
      for (let first = 0; first < rows.length; first += ROWS) {
        worker.postMessage({ rows: rows.slice(first, first + ROWS) satisfies CellValue[][] });
        await turns.next();
      }
    }
    worker.postMessage({ options });
    return Buffer.from(await written);
  } finally {
    await worker.terminate();
  }
}
