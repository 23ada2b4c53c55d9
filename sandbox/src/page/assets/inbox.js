/** The phone's messages and the mailbox. */
import { ask, byId, dateTimeOf, make } from './api.js';

let newest;

function message(entry, pan) {
  const item = make(
    'li',
    {},
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

/** Asks for the inbox and shows it when something new has come. */
export async function showInbox(phone, pan) {
  const entries = await ask(`inbox?phone=${encodeURIComponent(phone)}`);
  const mark = `${phone} ${entries[0]?.id ?? ''} ${entries.length}`;
  if (mark === newest) return;
  newest = mark;
  byId('inbox').replaceChildren(
    ...(entries.length > 0
      ? entries.map((entry) => message(entry, pan))
      : [
          make('li', {
            className: 'empty',
            text: `Nothing yet for ${phone}. One-time passwords and e-mails, such as reports, appear here.`,
          }),
        ]),
  );
}
