/** Import this before anything of n8n: it gives n8n's core a folder and a key of its own, away from the person's. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folder = mkdtempSync(path.join(tmpdir(), 'brokerage-engine-'));
const remove = (): void => rmSync(folder, { recursive: true, force: true });
// jest gives a test a process of its own making, whose `exit` never comes; the bench runs without jest.
if (typeof afterAll === 'function') afterAll(remove);
else process.once('exit', remove);

process.env.N8N_USER_FOLDER = folder;
process.env.N8N_ENCRYPTION_KEY = 'a key for tests only';
process.env.N8N_DIAGNOSTICS_ENABLED = 'false';
process.env.N8N_VERSION_NOTIFICATIONS_ENABLED = 'false';
