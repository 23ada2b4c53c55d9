/**
 * Required before anything of n8n: it gives n8n's core a separate folder and key, away from the user's. One folder for
 * a process: jest requires it for each file, where the environment of the process already has it.
 */
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const PREFIX = path.join(tmpdir(), 'brokerage-engine-');

if (!process.env.N8N_USER_FOLDER?.startsWith(PREFIX)) {
  const folder = mkdtempSync(PREFIX);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.env.N8N_USER_FOLDER = folder;
  process.env.N8N_ENCRYPTION_KEY = 'a key for tests only';
  process.env.N8N_DIAGNOSTICS_ENABLED = 'false';
  process.env.N8N_VERSION_NOTIFICATIONS_ENABLED = 'false';
}
