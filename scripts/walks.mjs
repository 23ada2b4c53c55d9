/**
 * `npm run walks`: builds the workflows of docs/first-workflow.md from an empty canvas in a real browser, runs them, and makes
 * moving pictures of it, into docs/pictures. Needs ffmpeg (on Debian: apt-get install ffmpeg). Arguments choose walks by name.
 */
import path from 'node:path';
import { buildIfChanged, freePort, installIfMissing, root } from './support.mjs';

await installIfMissing();
await buildIfChanged();
const { openBrowser, signIn } = await import('../e2e/support/browser.mjs');
const { openExamples } = await import('../e2e/support/examples.mjs');
const { Editor } = await import('./walks/editor.mjs');
const { Recorder } = await import('./walks/recorder.mjs');
const { WALKS } = await import('./walks/walks.mjs');

const words = process.argv.slice(2);
const mailPort = await freePort();
const world = await openExamples({
  editor: true,
  start: '2026-11-20T14:00:00+05:30',
  sandboxOptions: ['--hours', 'exchange', '--order-interface', 'intent', '--mail-port', String(mailPort)],
});
const browser = await openBrowser({ width: 1280, height: 760 });
try {
  const { page } = browser;
  page.setDefaultTimeout(60_000);
  await world.n8n.saveCredential("Sandbox's Mailbox", 'smtp', {
    host: '127.0.0.1',
    port: mailPort,
    secure: false,
    disableStartTls: true,
  });
  await signIn(page, world.n8n.url);
  for (const { name, walk } of WALKS.filter((one) => words.length === 0 || words.includes(one.name))) {
    const recorder = new Recorder(page);
    try {
      await walk(new Editor(recorder, world.n8n.url), world);
      recorder.write(path.join(root, 'docs', 'pictures', `walk-${name}.gif`));
      console.log(name);
    } catch (error) {
      await browser.shoot(`walk-${name}-failed`);
      throw error;
    } finally {
      recorder.close();
    }
  }
} finally {
  await browser.close();
  await world.close();
}
