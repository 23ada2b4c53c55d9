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
  let shown = 0;
  let isEntered = false;
  const leave = () => {
    // A list that still comes is not wanted any more.
    shown = ++asked;
    isEntered = false;
    search.value = '';
    close();
    search.blur();
  };
  const pick = (instrument) => {
    leave();
    picked(instrument);
  };
  search.addEventListener('input', async () => {
    const number = ++asked;
    isEntered = false;
    const results = await ask(`page/instruments?q=${encodeURIComponent(search.value)}`);
    if (number !== asked) return;
    shown = number;
    found = results;
    at = 0;
    if (isEntered && found[0]) return pick(found[0]);
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
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // The list may still be that of fewer letters: what was meant is chosen once it has come.
      if (shown !== asked) isEntered = true;
      else if (!list.hidden && found[at]) pick(found[at]);
    } else if (event.key === 'Escape') {
      leave();
    }
  });
  document.addEventListener('click', (event) => {
    if (!event.target.closest('.picker')) close();
  });
}
