/** What n8n stores of a trigger's alerts, and how the next activation goes on from it. Plain data. */
import type { AlertState } from './alert-rules';
import type { WatchStates } from './price-alert-monitor';

export interface StoredAlerts {
  alerts?: WatchStates;
  /** Stands for the condition that the alerts belong to. */
  alertFor?: string;
  /** When the alerts began to be counted, milliseconds since the epoch on our own clock. */
  alertSince?: number;
  /** As it was stored while a trigger had one instrument; `alertFor` then named that, too. */
  alert?: AlertState;
}

export interface ResumeOptions {
  /** Stands for the condition. */
  purpose: string;
  /** The instrument and the purpose as they were stored while a trigger had one instrument; undefined where it never was so. */
  older: { refId: number; purpose: string } | undefined;
  /** What this process remembers of the trigger: n8n stores it with an alert only. */
  past: StoredAlerts | undefined;
  /** Whether a person has just switched the workflow on: nothing from before counts. */
  isAfresh: boolean;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Makes what is stored that of this condition, in place: what goes on is kept, and anything else begins anew. */
export function resumeAlerts(stored: StoredAlerts, { purpose, older, past, isAfresh, now }: ResumeOptions): void {
  if (past !== undefined && isNewer(past, stored)) Object.assign(stored, past);
  if (stored.alert !== undefined && older !== undefined && stored.alertFor === older.purpose) {
    stored.alerts = { [String(older.refId)]: { ...stored.alert, ...UNKNOWN } };
    stored.alertFor = purpose;
    stored.alertSince = now;
  }
  delete stored.alert;
  if (isAfresh || stored.alertFor !== purpose || stored.alerts === undefined) {
    stored.alerts = {};
    stored.alertSince = now;
  }
  stored.alertFor = purpose;
}

/** Of the time of a price before an update nothing is known: what comes from now on follows it. */
const UNKNOWN = { at: 0, askedAt: 0, day: '', alertDay: '', base: null };

/** Whether what this process remembers is of the same alerts as what n8n has stored, or n8n has stored none, and not older. */
function isNewer(past: StoredAlerts, stored: StoredAlerts): boolean {
  return stored.alertSince === undefined || (past.alertSince === stored.alertSince && countOf(past) >= countOf(stored));
}

function countOf({ alerts = {} }: StoredAlerts): number {
  return Object.values(alerts).reduce((sum, { count }) => sum + count, 0);
}
