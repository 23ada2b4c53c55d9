/** The sandbox's page: asks the control plane once a second and shows the exchange at work. */
import { ask } from './api.js';
import { showChain, startChain } from './chain.js';
import { showCorporateActions, startCorporateActions } from './corporate-actions.js';
import { byId } from './dom.js';
import { startChart } from './chart.js';
import { showFaults, startFaults } from './faults.js';
import { showInbox } from './inbox.js';
import { choose, chosen, showMarket, startMarket } from './market.js';
import { showJournal, startJournal } from './journal.js';
import { startKeys } from './keys.js';
import { startLogins } from './logins.js';
import { report, showOutage } from './messages.js';
import { showPerformance } from './performance.js';
import { startPicker } from './picker.js';
import { showAccount } from './account.js';
import { showScenarios, startScenarios } from './scenarios.js';
import { isShown, startTabs } from './tabs.js';
import { startTicket } from './ticket.js';
import { showStatus, startTop } from './top.js';
import { firstWatched, showWatchlist, startWatchlist } from './watchlist.js';

const EVERY_MS = 1_000;
const account = byId('account');
let accounts = [];
/** A page that is opened in the background shows its first prices, too. */
let isFirst = true;

async function refresh() {
  try {
    const { now, trouble } = await showStatus();
    const person = accounts.find(({ phone }) => phone === account.value);
    await Promise.all([
      showMarket(account.value, now, firstWatched),
      showWatchlist(),
      showAccount(account.value),
      showInbox(account.value, person?.pan),
      isShown('journal') && showJournal(),
      isShown('chain') && showChain(chosen()),
      isShown('performance') && showPerformance(account.value),
      showScenarios(),
      showCorporateActions(),
      showFaults(),
    ]);
    showOutage(trouble);
  } catch (error) {
    showOutage(error.message);
  }
}

/** Makes everything on the page work. */
function start() {
  const changed = { refresh, phone: () => account.value };
  startTabs(refresh);
  startJournal();
  startFaults(report);
  startTop(refresh);
  startChart(changed);
  startMarket(changed);
  startScenarios(changed);
  startCorporateActions(changed);
  startTicket({ ...changed, choose });
  startPicker((instrument) => {
    choose(instrument);
    return refresh();
  });
  startWatchlist((instrument) => {
    choose(instrument);
    return refresh();
  });
  startChain(refresh);
  startKeys();
  account.addEventListener('change', refresh);
}

/** Shows the accounts and the first instrument; tries again where the sandbox does not answer yet. */
async function open() {
  try {
    accounts = await ask('page/accounts');
    const first = await firstWatched();
    startLogins(account, accounts);
    choose(first);
  } catch (error) {
    showOutage(error.message);
    return setTimeout(open, EVERY_MS);
  }
  await again();
}

async function again() {
  if (!document.hidden || isFirst) await refresh();
  isFirst = false;
  setTimeout(again, EVERY_MS);
}

start();
open();
