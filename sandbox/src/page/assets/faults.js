/** Faults to switch on, in words. */
import { ask, byId, make } from './api.js';

/** What can be broken: each is one rule of the control plane. */
const FAULTS = [
  { text: 'The reply to the next order never comes (the order is taken)', rule: { match: { method: 'POST', path: '/orders/v2/single' }, action: 'drop_after', times: 1 } },
  { text: 'The next order is lost on its way', rule: { match: { method: 'POST', path: '/orders/v2/single' }, action: 'drop_before', times: 1 } },
  { text: 'Every reply takes three seconds', rule: { match: {}, action: 'delay', args: { ms: 3000 } } },
  { text: 'The service answers 503 half of the time', rule: { match: {}, action: 'status', args: { status: 503 }, probability: 0.5 } },
  { text: 'Replies are cut short', rule: { match: {}, action: 'truncate' } },
  { text: 'The stream is disconnected, once', rule: { match: { stream: true }, action: 'disconnect', times: 1 } },
  { text: 'Stream messages come twice', rule: { match: { stream: true }, action: 'duplicate_frame' } },
  { text: 'A third of the stream messages is lost', rule: { match: { stream: true }, action: 'drop_frame', probability: 0.33 } },
  { text: 'The stream says "Invalid Token", once', rule: { match: { stream: true }, action: 'invalid_token', times: 1 } },
];

/** Draws the switches; `report` shows a sentence. */
export function startFaults(report) {
  const buttons = FAULTS.map(({ text, rule }) => {
    const button = make('button', {
      text: 'Switch on',
      type: 'button',
      'aria-pressed': 'false',
      'aria-label': `Switch on: ${text}`,
      onclick: async () => {
        try {
          await ask('faults', { method: 'POST', body: rule });
          button.setAttribute('aria-pressed', 'true');
          button.textContent = rule.times === 1 ? 'Armed' : 'On';
          byId('faults-note').textContent = '';
        } catch (error) {
          report(error.message);
        }
      },
    });
    byId('faults').append(make('li', {}, make('span', { text }), button));
    return button;
  });
  byId('faults-clear').addEventListener('click', async () => {
    try {
      await ask('faults', { method: 'DELETE' });
      for (const button of buttons) {
        button.setAttribute('aria-pressed', 'false');
        button.textContent = 'Switch on';
      }
      byId('faults-note').textContent = 'Everything works again.';
    } catch (error) {
      report(error.message);
    }
  });
}
