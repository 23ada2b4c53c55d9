/** A test double of Telegram's Bot API: takes the bot's messages, and delivers the user's. */
import { createServer } from 'node:http';

const TOKEN = '1234567890:stand-in';

/** @returns {Promise<Telegram>} */
export async function startTelegram() {
  const telegram = new Telegram();
  await telegram.start();
  return telegram;
}

class Telegram {
  #hook;
  #sent = [];
  #updates = 0;
  #server = createServer((request, response) => void this.#answer(request, response));

  async start() {
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${this.#server.address().port}`;
  }

  /** The data of n8n's credential of the type `telegramApi`. */
  get credentialData() {
    return { accessToken: TOKEN, baseUrl: this.url };
  }

  /** Returns the bot's messages since the last call, oldest first: the bodies of `sendMessage`. */
  takeSent() {
    return this.#sent.splice(0);
  }

  /** Delivers a message as Telegram does, with the secret that the bot has registered. */
  async write(text, from, chat = { id: from, type: 'private' }) {
    const reply = await fetch(this.#hook.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': this.#hook.secret_token },
      body: JSON.stringify({
        update_id: ++this.#updates,
        message: { message_id: this.#updates, date: 0, text, chat, from: { id: from, is_bot: false, first_name: 'A' } },
      }),
    });
    if (!reply.ok) throw new Error(`n8n answered ${reply.status} to a message`);
  }

  async close() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request, response) {
    let text = '';
    for await (const part of request) text += part;
    const [, token, method] = /^\/bot([^/]+)\/(\w+)/.exec(request.url) ?? [];
    const results = {
      getWebhookInfo: () => ({ url: this.#hook?.url ?? '' }),
      setWebhook: (body) => {
        this.#hook = body;
        return true;
      },
      deleteWebhook: () => {
        this.#hook = undefined;
        return true;
      },
      sendMessage: (body) => {
        this.#sent.push(body);
        return { message_id: this.#sent.length, chat: { id: body.chat_id }, text: body.text };
      },
    };
    const known = token === TOKEN ? results[method] : undefined;
    response.writeHead(known === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(
        known === undefined
          ? { ok: false, description: `no method ${method}` }
          : { ok: true, result: known(text === '' ? {} : JSON.parse(text)) },
      ),
    );
  }
}
