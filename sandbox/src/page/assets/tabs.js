/** The tabs below the chart; where the screen is narrow, the choice of depth or ticket; on a phone, the five views. */
import { byId, setText } from './dom.js';

const tabs = [...document.querySelectorAll('[role=tab]')];
const views = [...document.querySelectorAll('.views button')];
const sides = [...document.querySelectorAll('.which button')];
/** Tab that a view of the phone opens. */
const TAB_OF_VIEW = { orders: 'orders', positions: 'positions', inbox: 'inbox', more: 'holdings' };

const nameOf = (tab) => tab.id.replace('tab-', '');
let shown = 'orders';

/** True if a tab's panel is open. */
export const isShown = (name) => shown === name;

/** Shows how many there are in a tab; nothing for none. */
export function setCount(name, number, needsYou = false) {
  const counter = byId(`tab-${name}`).querySelector('.count');
  setText(counter, number > 0 ? String(number) : '');
  counter.classList.toggle('needs', needsYou && number > 0);
}

function open(name) {
  shown = name;
  document.body.dataset.tab = name;
  for (const tab of tabs) {
    const chosen = nameOf(tab) === name;
    tab.setAttribute('aria-selected', String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    byId(tab.getAttribute('aria-controls')).hidden = !chosen;
  }
}

function view(name) {
  document.body.dataset.view = name;
  for (const button of views) {
    if (button.dataset.view === name) button.setAttribute('aria-current', 'page');
    else button.removeAttribute('aria-current');
  }
}

/** On a phone, shows the view in which an instrument is looked at and orders are placed. */
export const viewMarket = () => view('market');

function side(name) {
  document.body.dataset.side = name;
  for (const button of sides) button.setAttribute('aria-pressed', String(button.dataset.side === name));
}

/** Shows the ticket and not the market depth where there is no room for both. */
export const viewTicket = () => side('ticket');

/** Makes tabs and views work; `opened` is called when another panel is shown. */
export function startTabs(opened) {
  for (const tab of tabs) tab.addEventListener('click', () => (open(nameOf(tab)), opened()));
  document.querySelector('[role=tablist]').addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const usable = tabs.filter((tab) => tab.offsetParent !== null);
    const next = usable.at((usable.indexOf(document.activeElement) + step) % usable.length);
    open(nameOf(next));
    next.focus();
    opened();
  });
  for (const button of views)
    button.addEventListener('click', () => {
      const name = button.dataset.view;
      view(name);
      if (TAB_OF_VIEW[name]) open(TAB_OF_VIEW[name]);
      opened();
    });
  for (const button of sides) button.addEventListener('click', () => side(button.dataset.side));
  open(shown);
  view('market');
  side('depth');
}
