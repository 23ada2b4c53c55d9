/** Faults to switch on, in words. */
import { ask, post } from './api.js';
import { byId, make } from './dom.js';
import { setCount } from './tabs.js';

/** Faults that can be set: each is one rule of the control plane. */
const FAULTS = [
  {
    text: 'The next order is placed, but its reply is lost',
    rule: { match: { method: 'POST', path: '/orders/v2/single' }, action: 'drop_after', times: 1 },
  },
  {
    text: 'The next order is lost before it reaches the broker',
    rule: { match: { method: 'POST', path: '/orders/v2/single' }, action: 'drop_before', times: 1 },
  },
  { text: 'Every reply takes three seconds', rule: { match: {}, action: 'delay', args: { ms: 3000 } } },
  {
    text: 'Half of all requests fail with 503',
    rule: { match: {}, action: 'status', args: { status: 503 }, probability: 0.5 },
  },
  { text: 'Replies are cut off', rule: { match: {}, action: 'truncate' } },
  { text: 'The stream is disconnected, once', rule: { match: { stream: true }, action: 'disconnect', times: 1 } },
  { text: 'Stream messages come twice', rule: { match: { stream: true }, action: 'duplicate_frame' } },
  {
    text: 'A third of stream messages are lost',
    rule: { match: { stream: true }, action: 'drop_frame', probability: 0.33 },
  },
  {
    text: 'The stream says "Invalid Token", once',
    rule: { match: { stream: true }, action: 'invalid_token', times: 1 },
  },
];

const switches = [];

/** The rule in force that is this one, whoever switched it on; what happens only once is in force until it has happened. */
function inForce(fault, rules) {
  return rules.find(
    ({ match, action, probability = 1, times, used }) =>
      action === fault.action &&
      match.path === fault.match.path &&
      match.stream === fault.match.stream &&
      probability === (fault.probability ?? 1) &&
      (times === undefined || used < times),
  );
}

/** Asks what is broken and shows it: also what another window switched on, and what has happened meanwhile. */
export async function showFaults() {
  const rules = await ask('faults');
  setCount('faults', rules.length, true);
  for (const { rule, button } of switches) {
    const on = inForce(rule, rules) !== undefined;
    const text = !on ? 'Turn on' : rule.times === 1 ? 'Waiting' : 'On';
    if (button.textContent === text) continue;
    button.textContent = text;
    button.setAttribute('aria-pressed', String(on));
  }
}

/** Draws the switches; `report` shows a sentence. */
export function startFaults(report) {
  const change = async (work, note = '') => {
    try {
      await work();
      await showFaults();
      byId('faults-note').textContent = note;
    } catch (error) {
      report(error.message);
    }
  };
  const toggle = async (rule) => {
    const on = inForce(rule, await ask('faults'));
    if (on) await ask(`faults/${on.id}`, { method: 'DELETE' });
    else await post('faults', rule);
  };
  for (const { text, rule } of FAULTS) {
    const button = make('button', {
      type: 'button',
      'aria-pressed': 'false',
      'aria-label': `Turn on: ${text}`,
      text: 'Turn on',
      onclick: () => change(() => toggle(rule)),
    });
    switches.push({ rule, button });
    byId('faults').append(make('li', {}, make('span', { text }), button));
  }
  byId('faults-clear').addEventListener('click', () =>
    change(() => ask('faults', { method: 'DELETE' }), 'Everything works again.'),
  );
}
