/** The accounts, and what it takes to log in with each. */
import { byId, copyButton, make } from './dom.js';

/** Returns the facts that are needed to log in with an account: label and value each. */
export const factsOf = (account) => [
  ['Phone', account.phone],
  ['MPIN', account.mpin],
  ['TOTP secret', account.totp_secret],
  ['PAN (opens its PDFs)', account.pan],
  ['E-mail', account.email],
  ['Client code', account.client_code],
];

function login({ name, ...account }) {
  const facts = factsOf(account);
  return make(
    'section',
    {},
    make('h3', { text: name }),
    make(
      'dl',
      { className: 'facts' },
      ...facts.flatMap(([label, value]) => [
        make('dt', { text: label }),
        value === null
          ? make('dd', { text: 'none: it logs in by OTP, which arrives under Phone & mailbox' })
          : make('dd', {}, make('code', { text: value }), ' ', copyButton(value, `Copy ${label} of ${name}`)),
      ]),
    ),
  );
}

/** Fills the choice of accounts and the list of logins. */
export function startLogins(select, accounts) {
  select.replaceChildren(...accounts.map(({ phone, name }) => make('option', { value: phone, text: name })));
  const { origin } = location;
  const address = make(
    'dl',
    { className: 'facts' },
    make('dt', { text: 'Base address' }),
    make('dd', {}, make('code', { text: origin }), ' ', copyButton(origin, 'Copy the base address')),
  );
  byId('logins-list').replaceChildren(address, ...accounts.map(login));
  byId('logins-open').addEventListener('click', () => byId('logins').showModal());
}
