/** The states of alerts, stored by n8n with the trigger and remembered in this process. */
import { resumeAlerts, type ResumeOptions, type StoredAlerts } from '../../../client/stream/market-data/alert-store';
import type { TriggerContext } from '../context/triggerContext';

/** Alert states of triggers that have ended in this process, by trigger: n8n stores them only with an alert. */
const remembered = new Map<string, StoredAlerts>();

/** Returns the stored state of the alerts, ready to continue; an empty one in the editor. @param now by the market's clock */
export function resumeStoredAlerts(
  context: TriggerContext,
  { purpose, older, now }: Pick<ResumeOptions, 'purpose' | 'now'> & Partial<Pick<ResumeOptions, 'older'>>,
): StoredAlerts {
  const stored: StoredAlerts = context.manual ? {} : context.n8n.getWorkflowStaticData('node');
  const past = context.manual ? undefined : remembered.get(context.id);
  resumeAlerts(stored, { purpose, older, past, isAfresh: context.isAfresh, now });
  return stored;
}

/** Remembers the state of the alerts of a published trigger that ends. */
export function rememberAlerts(context: TriggerContext, { alerts, alertFor, alertSince }: StoredAlerts): void {
  if (!context.manual) remembered.set(context.id, { alerts, alertFor, alertSince });
}
