/** Stored state of a trigger's alerts, and its use by the next activation. Plain data. */
import type { AlertState } from './alert-rules';
import { readStoredTime } from './instrument-alerts';
import type { WatchStates } from './price-alert-monitor';

export interface StoredAlerts {
  alerts?: WatchStates;
  /** Identifies the condition of the alerts. */
  alertFor?: string;
  /** Time from which the alerts are counted, milliseconds since the epoch on our own clock. */
  alertSince?: number;
  /** Stored form from the time when a trigger had one instrument; `alertFor` then named that, too. */
  alert?: AlertState;
}

export interface ResumeOptions {
  /** Identifies the condition. */
  purpose: string;
  /** The instrument and the purpose as they were stored while a trigger had one instrument; undefined if it never was so. */
  older: { refId: number; purpose: string } | undefined;
  /** This process's memory of the trigger: n8n stores it with an alert only. */
  past: StoredAlerts | undefined;
  /** True if the user has just switched the workflow on: earlier state does not count. */
  isAfresh: boolean;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Adapts the stored state to this condition, in place: matching parts stay, and everything else starts again. */
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
  for (const state of Object.values(stored.alerts)) readStoredTime(state);
  stored.alertFor = purpose;
}

/** Of the time of a price before an update nothing is known: what comes from now on follows it. */
const UNKNOWN = { at: 0, requestedAt: 0, day: '', alertDay: '', base: null };

/** Returns true if this process's memory is of the same alerts as the state that n8n has stored, or n8n has stored none, and not older. */
function isNewer(past: StoredAlerts, stored: StoredAlerts): boolean {
  return stored.alertSince === undefined || (past.alertSince === stored.alertSince && countOf(past) >= countOf(stored));
}

function countOf({ alerts = {} }: StoredAlerts): number {
  return Object.values(alerts).reduce((sum, { count }) => sum + count, 0);
}
