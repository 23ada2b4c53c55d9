/** The phone's messages and the mailbox. */
import { ask } from './api.js';
import { dateTimeOf } from './format.js';
import { byId, command, make, show } from './dom.js';
import { isShown, setCount } from './tabs.js';

/** By account, how many messages had come when the inbox was last open. */
const seen = new Map();
let newest;

function message(entry, pan) {
  const item = make(
    'li',
    { 'data-key': String(entry.id) },
    make('p', {
      className: 'quiet',
      text: `${entry.kind === 'sms' ? 'Text message' : 'E-mail'} to ${entry.to}${entry.from ? ` from ${entry.from}` : ''} · ${dateTimeOf(entry.at)}`,
    }),
  );
  if (entry.subject) item.append(make('p', {}, make('strong', { text: entry.subject })));
  // What an e-mail brings runs nothing and reaches nothing: its frame may not, and the page's policy lets nothing in.
  if (entry.html)
    item.append(
      make('iframe', { className: 'mail', sandbox: '', srcdoc: entry.html, title: `E-mail: ${entry.subject ?? ''}` }),
    );
  else item.append(make('p', { text: entry.text }));
  for (const attachment of entry.attachments ?? []) {
    const { filename } = attachment;
    item.append(
      make(
        'p',
        {},
        make('a', { href: `inbox/${entry.id}/attachments/${encodeURIComponent(filename)}`, text: `Open ${filename}` }),
        filename.endsWith('.pdf')
          ? make('span', { className: 'quiet', text: ` (if it asks for a password: ${pan}, the PAN of the account)` })
          : '',
      ),
    );
  }
  return item;
}

/** Shows a remedy where nothing has come yet. */
function nothing(phone) {
  const request = `curl -X POST ${location.origin}/sendphoneotp -H 'content-type: application/json' -d '{"phone":"${phone}"}'`;
  return make(
    'li',
    { className: 'empty' },
    `Nothing yet for ${phone}. One-time passwords and e-mails, such as reports, appear here. Ask for an OTP: `,
    command(request),
  );
}

/** Asks for the inbox and shows it when something new has come. */
export async function showInbox(phone, pan) {
  const entries = await ask(`inbox?phone=${encodeURIComponent(phone)}`);
  if (isShown('inbox')) seen.set(phone, entries.length);
  setCount('inbox', Math.max(0, entries.length - (seen.get(phone) ?? 0)), true);
  const mark = `${phone} ${entries[0]?.id ?? ''} ${entries.length}`;
  if (mark === newest) return;
  newest = mark;
  show(byId('inbox'), entries.length > 0 ? entries.map((entry) => message(entry, pan)) : [nothing(phone)]);
}
