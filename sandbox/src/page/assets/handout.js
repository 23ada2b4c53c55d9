/** A card for each account with what it takes to log in, to be printed and handed out to a class. */
import { ask } from './api.js';
import { byId, make } from './dom.js';
import { factsOf } from './logins.js';

function card({ name, ...account }) {
  const facts = [['Base address', location.origin], ...factsOf(account)];
  return make(
    'section',
    {},
    make('h2', { text: name }),
    make(
      'dl',
      {},
      ...facts.flatMap(([label, value]) => [
        make('dt', { className: 'quiet', text: label }),
        value === null
          ? make('dd', { text: 'none: it logs in by OTP, from Phone & mailbox' })
          : make('dd', {}, make('code', { text: value })),
      ]),
    ),
  );
}

byId('print').addEventListener('click', () => window.print());
try {
  byId('cards').replaceChildren(...(await ask('page/accounts')).map(card));
} catch (error) {
  byId('trouble').textContent = error.message;
  byId('trouble').hidden = false;
}
