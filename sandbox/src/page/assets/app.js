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

async function refresh() {
  try {
    const { now, trouble } = await showStatus();
    const person = accounts.find(({ phone }) => phone === account.value);
    await Promise.all([
      showMarket(account.value, now),
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

async function start() {
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
  accounts = await ask('page/accounts');
  startLogins(account, accounts);
  choose(await firstWatched());
  await refresh();
  const again = async () => {
    if (!document.hidden) await refresh();
    setTimeout(again, EVERY_MS);
  };
  setTimeout(again, EVERY_MS);
}

start().catch((error) => showOutage(error.message));
