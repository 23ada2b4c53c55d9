/** The Telegram bot, in a real n8n that speaks with a stand-in for Telegram. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { outputOf } from '../scripts/n8n.mjs';
import { openExamples, withAnswer } from './support/examples.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { startTelegram } from './support/telegram.mjs';

const PERSON = 4711;
const STRANGER = 815;

describe('The Telegram bot', { timeout: TIMEOUT_MS }, () => {
  let telegram;
  let world;
  let bot;
  let known = 0;

  before(
    async () => {
      telegram = await startTelegram();
      const login = { name: 'My Bot', credentialType: 'telegramApi', data: telegram.credentialData };
      world = await openExamples({}, { 'n8n-nodes-base.telegram': login, 'n8n-nodes-base.telegramTrigger': login });
      bot = await world.imported('telegram-bot.json', (workflow) =>
        withAnswer(workflow, 'Is It You?', 'i2', String(PERSON)),
      );
      await world.n8n.activate(bot);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await world?.close();
    await telegram?.close();
  });

  /** Writes to the bot, and returns its messages up to the end of the execution. */
  async function ask(text, from, chat) {
    await telegram.write(text, from, chat);
    const ran = await world.next(bot, known);
    known += 1;
    assert.equal(ran.status, 'success');
    return { ran, sent: telegram.takeSent() };
  }

  /** Writes /exit, presses a button of the question, and returns the question and the bot's next messages. */
  async function exit(button, text = '/exit') {
    await telegram.write(text, PERSON);
    const [question] = await world.n8n.child.until(async () => {
      const sent = telegram.takeSent();
      return sent.length > 0 ? sent : undefined;
    }, 60_000);
    const before = await world.receivedAs('telegram');
    const [buttons] = question.reply_markup.inline_keyboard;
    assert.deepEqual(buttons.map(({ text }) => text).sort(), ['Exit all', 'Keep']);
    const { url } = buttons.find((shown) => shown.text === button);
    // Opens it like a user's browser: n8n does not take the previews of chats for an answer. It refuses one (409) that comes before the
    // execution that asked is stored as waiting.
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
    await world.n8n.child.until(async () => {
      const { status } = await fetch(url, { headers });
      assert.ok([200, 409].includes(status), `n8n answered ${status}`);
      return status === 200;
    }, 60_000);
    await world.next(bot, known);
    known += 1;
    return { question, before, sent: telegram.takeSent() };
  }

  it('answers nobody but its owner, and only in their own chat', async () => {
    const { ran, sent } = await ask('/exit', STRANGER);
    assert.deepEqual(sent, []);
    assert.match(outputOf(ran, 'Refused')[0].message, /Telegram ID is 815\./);
    const group = await ask('/positions', PERSON, { id: -100, type: 'group' });
    assert.deepEqual([group.sent, outputOf(group.ran, 'Positions')], [[], []]);
  });

  it('/positions without a position says so, /exit asks nothing', async () => {
    assert.match((await ask('/positions', PERSON)).sent[0].text, /\nThere are no positions today\.$/);
    const { sent } = await ask('/exit', PERSON);
    assert.deepEqual(
      sent.map(({ chat_id: chat, text }) => [chat, text]),
      [[PERSON, 'No position is open.']],
    );
    assert.equal((await ask('/exit WIPRO', PERSON)).sent[0].text, 'No position is open in WIPRO.');
    assert.match((await ask('/exit NOTLISTED', PERSON)).sent[0].text, /There is no instrument &quot;NOTLISTED&quot;/);
  });

  it('/pnl tells the profit, /positions what is held today, anything else what it knows', async () => {
    await world.bought({ quantity: 10 });
    await world.bought({ quantity: 2, instrument: { __rl: true, mode: 'symbol', value: 'NSE:M&M' } });
    const profit = (await ask('/pnl', PERSON)).sent[0].text;
    assert.match(
      profit,
      /^Your portfolio on [^]*\nOpen positions: [+−]?₹[\d,]+\.\d\d\n[^]*\nTotal: [+−]?₹[\d,]+\.\d\d\n/,
    );
    const { text } = (await ask('/positions', PERSON)).sent[0];
    assert.match(
      text,
      /^INFOSYS LIMITED: Intraday, Bought, Quantity 10, Average ₹[\d,.]+, Last ₹[\d,.]+, Profit [+−]?₹[\d,.]+/m,
    );
    // Telegram reads the text as HTML.
    assert.match(text, /^MAHINDRA &amp; MAHINDRA LTD: Intraday, Bought, Quantity 2,/m);
    assert.equal((await ask('hello', PERSON)).sent[0].text, 'I know /pnl, /positions and /exit.');
  });

  it('/exit asks first; "Keep" leaves everything, "Exit all" closes it', async () => {
    const kept = await exit('Keep');
    assert.match(kept.question.text, /^Close at the market\?\n/);
    assert.match(kept.question.text, /^Would close: INFY \(Intraday\), 10 held\.$/m);
    assert.deepEqual(
      kept.sent.map(({ text }) => text),
      ['Nothing was closed.'],
    );
    const one = await exit('Exit all', '/exit M&M');
    assert.deepEqual(one.before, [], 'nothing is sent before the answer');
    assert.doesNotMatch(one.question.text, /INFY/);
    assert.match(
      one.sent[0].text,
      /^Closed: M&amp;M \(Intraday\), sold 2 at ₹[\d,]+\.\d\d, 0 left, result [+−]?₹[\d,]+\.\d\d before charges\.$/m,
    );
    assert.equal((await world.receivedAs('telegram')).length, 1);
    const closed = await exit('Exit all');
    assert.match(
      closed.sent[0].text,
      /^Closed: INFY \(Intraday\), sold 10 at ₹[\d,]+\.\d\d, 0 left, result [+−]?₹[\d,]+\.\d\d before charges\.$/m,
    );
    assert.deepEqual((await world.receivedAs('telegram')).map(({ side, quantity }) => [side, quantity]).sort(), [
      ['SELL', 10],
      ['SELL', 2],
    ]);
  });
});
