/** Making elements, and bringing what is shown up to date without touching what stays. */

const HANDLERS = Symbol('handlers');

export const byId = (id) => document.getElementById(id);

/** Makes an element: text is always text, never markup. */
export function make(tag, { text, className, ...attributes } = {}, ...children) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) listen(element, name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** Listens by a handler that `show` can replace when the element stays and its data change. */
function listen(element, type, handler) {
  element[HANDLERS] = { ...element[HANDLERS], [type]: handler };
  element.addEventListener(type, (event) => element[HANDLERS][type](event));
}

/**
 * Makes the children of an element be those that are wanted. Elements that are alike stay and are only changed where they
 * differ, so that focus, a selection and a half-made click survive. Children with `data-key` are matched by it.
 */
export function show(parent, children) {
  const keyed = new Map(
    [...parent.children].filter(({ dataset }) => dataset.key).map((child) => [child.dataset.key, child]),
  );
  let at = parent.firstChild;
  for (const child of children) {
    const next = typeof child === 'string' ? document.createTextNode(child) : child;
    const same = next.dataset?.key ? keyed.get(next.dataset.key) : at && isAlike(at, next) ? at : undefined;
    if (same === undefined) parent.insertBefore(next, at);
    else {
      if (same === at) at = at.nextSibling;
      else parent.insertBefore(same, at);
      update(same, next);
    }
  }
  while (at) {
    const after = at.nextSibling;
    at.remove();
    at = after;
  }
}

const isAlike = (one, other) => one.nodeName === other.nodeName && !one.dataset?.key && !other.dataset?.key;

function update(shown, next) {
  if (shown.nodeType === Node.TEXT_NODE) {
    if (shown.data !== next.data) shown.data = next.data;
    return;
  }
  // Whether details are open is the reader's business.
  for (const { name } of [...shown.attributes])
    if (name !== 'open' && !next.hasAttribute(name)) shown.removeAttribute(name);
  for (const { name, value } of next.attributes)
    if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  if (next[HANDLERS]) shown[HANDLERS] = next[HANDLERS];
  show(shown, [...next.childNodes]);
}

/** Shows rows in a table's body, or one line that says why there are none and what to do. */
export function fill(table, rows, ...empty) {
  const columns = table.tHead?.rows[0]?.cells.length ?? 1;
  show(
    table.tBodies[0],
    rows.length > 0 ? rows : [make('tr', {}, make('td', { className: 'empty', colspan: columns }, ...empty))],
  );
}

/** Sets a text where it differs: what does not change is not announced again. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A small button; its handler is called with nothing. */
export function action(text, label, onclick) {
  return make('button', { type: 'button', className: 'small', text, 'aria-label': label, onclick });
}

/** A command with a button that copies it. */
export function command(text) {
  return make('span', { className: 'command' }, make('code', { text }), copyButton(text, 'Copy the command'));
}

/** Copies a text; says so for a moment. */
export function copyButton(text, label) {
  return action('Copy', label, async ({ currentTarget: button }) => {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
    setTimeout(() => setText(button, 'Copy'), 1_500);
  });
}

/** A profit or loss: sign, arrow and colour say the same. */
export function profit(tag, paise, format) {
  const sign = paise > 0 ? 'up' : paise < 0 ? 'down' : '';
  const arrow = paise > 0 ? ' ▲' : paise < 0 ? ' ▼' : '';
  return make(tag, { text: `${paise > 0 ? '+' : ''}${format(paise)}${arrow}`, className: `number ${sign}`.trim() });
}
