/** A world with the broker's credential in it, and a real browser that is signed in to its editor. */
import { openBrowser, signIn } from './browser.mjs';
import { openWorld } from './world.mjs';

/** Opens both; `close()` ends both. @param {Parameters<typeof openWorld>[0]} options */
export async function openEditor(options) {
  const world = await openWorld({ ...options, editor: true });
  let browser;
  const close = async () => {
    await browser?.close();
    await world.close();
  };
  try {
    const credential = await world.n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
    browser = await openBrowser();
    await signIn(browser.page, world.n8n.url);
    return { world, credential, browser, close };
  } catch (error) {
    await close();
    throw error;
  }
}
