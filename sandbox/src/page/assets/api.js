/** The sandbox's control plane, as the page asks it. */

/** Asks; gives out the reply's JSON or throws an error with the sandbox's own sentence. */
export async function ask(path, { method = 'GET', body } = {}) {
  const response = await fetch(`/_sandbox/${path}`, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  const reply = text === '' ? {} : JSON.parse(text);
  if (!response.ok) throw new Error(reply.error ?? `The sandbox answered ${response.status}.`);
  return reply;
}

const rupees = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' });
const twoDecimals = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const whole = new Intl.NumberFormat('en-IN');
const clockTime = new Intl.DateTimeFormat('en-IN', {
  timeZone: 'Asia/Kolkata',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});
const dateTime = new Intl.DateTimeFormat('en-IN', {
  timeZone: 'Asia/Kolkata',
  weekday: 'short',
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});

const shortTime = new Intl.DateTimeFormat('en-IN', {
  timeZone: 'Asia/Kolkata',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
});

/** Paise as rupees. */
export const money = (paise) => rupees.format(paise / 100);
/** What an index stands at, in points: a hundredth is the unit, as of prices. */
export const points = (hundredths) => twoDecimals.format(hundredths / 100);
export const count = (number) => whole.format(number);
/** An instant as the time of day in India. */
export const timeOf = (at) => clockTime.format(new Date(at));
/** An instant as day, hour and minute in India. */
export const shortTimeOf = (at) => shortTime.format(new Date(at));
export const dateTimeOf = (at) => dateTime.format(new Date(at));

/** Makes an element: text is always text, never markup. */
export function make(tag, { text, className, ...attributes } = {}, ...children) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** Shows rows in a table's body, or one line that says why there are none. */
export function fill(table, rows, empty) {
  const body = table.tBodies[0];
  const columns = table.tHead?.rows[0]?.cells.length ?? 1;
  body.replaceChildren(
    ...(rows.length > 0 ? rows : [make('tr', {}, make('td', { text: empty, className: 'empty', colspan: columns }))]),
  );
}

export const byId = (id) => document.getElementById(id);
