/** Corporate actions: a split, a bonus issue or a dividend of the shown share, announced with one click. */
import { ask, post } from './api.js';
import { byId, make, setText } from './dom.js';
import { chosen, lastPrice } from './market.js';
import { report, announce } from './messages.js';

const form = byId('corporate-action');

/** Choices of a form; dividends are a part of the last price. */
const CHOICES = {
  bonus: { title: 'Bonus 1 for 1', terms: () => ({ kind: 'bonus', issued: 1, held: 1 }) },
  split: { title: 'Split 1 into 5', terms: () => ({ kind: 'split', from: 10, to: 2 }) },
  dividend: { title: 'Dividend 1 %', terms: () => dividend(1) },
  extraordinary: { title: 'Dividend 4 %', terms: () => dividend(4) },
};

const dividend = (percent) => ({ kind: 'dividend', per_share: Math.round((lastPrice() * percent) / 100) });

/** Shows what is announced and has not taken effect. */
export async function showCorporateActions() {
  const announced = (await ask('corporate-actions')).filter(({ effective }) => !effective);
  setText(byId('corporate-action-note'), announced.length === 0 ? '' : `${announced.length} announced`);
  byId('corporate-action-note').title = announced.map(({ story }) => story).join('; ');
}

/** Makes the form work that announces one for the next trading day. */
export function startCorporateActions({ refresh }) {
  const options = Object.entries(CHOICES).map(([value, { title }]) => make('option', { value, text: title }));
  form.elements.what.replaceChildren(...options);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      const terms = CHOICES[form.elements.what.value].terms();
      const { story } = await post('corporate-actions', { ref_id: chosen().ref_id, ...terms });
      announce(story);
      await refresh();
    } catch (error) {
      report(error.message);
    }
  });
}
