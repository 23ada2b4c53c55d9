/** The search for an instrument: a combobox. */
import { ask } from './api.js';
import { byId, make } from './dom.js';

const search = byId('instrument-search');
const list = byId('instrument-list');

function close() {
  list.hidden = true;
  search.setAttribute('aria-expanded', 'false');
  search.removeAttribute('aria-activedescendant');
}

function mark(index) {
  const options = [...list.querySelectorAll('[role=option]')];
  options.forEach((option, at) => option.setAttribute('aria-selected', String(at === index)));
  const option = options[index];
  if (!option) return;
  search.setAttribute('aria-activedescendant', option.id);
  option.scrollIntoView({ block: 'nearest' });
}

/** Makes the search work; `picked` is called with the instrument that is chosen. */
export function startPicker(picked) {
  let found = [];
  let at = 0;
  let asked = 0;
  const pick = (instrument) => {
    search.value = '';
    close();
    picked(instrument);
  };
  search.addEventListener('input', async () => {
    const number = ++asked;
    const results = await ask(`page/instruments?q=${encodeURIComponent(search.value)}`);
    if (number !== asked) return;
    found = results;
    at = 0;
    list.replaceChildren(
      ...found.map((instrument, index) =>
        make(
          'li',
          { role: 'option', id: `instrument-${index}`, onclick: () => pick(instrument) },
          make('span', { text: `${instrument.symbol} ` }),
          make('span', { text: instrument.label, className: 'quiet' }),
        ),
      ),
    );
    if (found.length === 0)
      list.append(
        make('li', { role: 'option', 'aria-disabled': 'true', text: `No instrument matches "${search.value}".` }),
      );
    list.hidden = false;
    search.setAttribute('aria-expanded', 'true');
    mark(0);
  });
  search.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      at = Math.max(0, Math.min(found.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1)));
      mark(at);
    } else if (event.key === 'Enter' && !list.hidden && found[at]) {
      event.preventDefault();
      pick(found[at]);
      search.blur();
    } else if (event.key === 'Escape') {
      search.value = '';
      close();
      search.blur();
    }
  });
  document.addEventListener('click', (event) => {
    if (!event.target.closest('.picker')) close();
  });
}
