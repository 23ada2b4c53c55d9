/** Scenarios: what can happen to the market and to the broker, started with one click. */
import { ask, post } from './api.js';
import { timeOf } from './format.js';
import { byId, make, setText } from './dom.js';
import { chosen } from './market.js';
import { report, announce } from './messages.js';

const form = byId('scenario');
let known = [];

function describe() {
  const scenario = known.find(({ name }) => name === form.elements.name.value);
  form.elements.name.title = scenario?.text ?? '';
  form.querySelector('button').title = scenario?.text ?? '';
}

/** Asks what is happening and shows it. */
export async function showScenarios() {
  const { scenarios, running } = await ask('scenarios');
  if (known.length === 0) {
    known = scenarios;
    form.elements.name.replaceChildren(...known.map(({ name, title }) => make('option', { value: name, text: title })));
    describe();
  }
  const [now] = running;
  const title = known.find(({ name }) => name === now?.name)?.title;
  setText(byId('scenario-note'), now === undefined ? '' : `${title} until ${timeOf(now.to)}`);
  byId('scenario-note').title = now?.story ?? '';
}

/** Makes the form work that starts a scenario. */
export function startScenarios({ refresh }) {
  form.addEventListener('change', describe);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const { name, where } = form.elements;
    try {
      const target = where.value === 'chosen' ? { ref_id: chosen().ref_id } : {};
      const { story } = await post('scenarios', { name: name.value, ...target });
      announce(story);
      await refresh();
    } catch (error) {
      report(error.message);
    }
  });
}
