/** Alerts after a restart of n8n, and after an update of this package. */
import { describe, expect, test } from '@jest/globals';
import type { InstrumentState } from '../../../../client/stream/market-data/instrument-alerts';
import { resumeAlerts, type StoredAlerts } from '../../../../client/stream/market-data/alert-store';

const NOW = 1_000;
const state = (count: number): InstrumentState => ({
  ...{
    armed: false,
    reference: 100,
    count,
    at: 5,
    requestedAt: 0,
    day: '2026-11-23',
    alertDay: '',
    base: null,
  },
});
const resumed = (stored: StoredAlerts, more: Partial<Parameters<typeof resumeAlerts>[1]> = {}): StoredAlerts => {
  resumeAlerts(stored, {
    ...{
      purpose: 'level 100',
      older: { refId: 7, purpose: '7 level 100' },
      past: undefined,
      isAfresh: false,
      now: NOW,
    },
    ...more,
  });
  return stored;
};

describe('what is stored of alerts', () => {
  test('keeps the time of the last REST price under the name that it had before', () => {
    const { requestedAt, ...former } = state(1);
    const stored = { alerts: { 7: { ...former, askedAt: requestedAt + 9 } }, alertFor: 'level 100', alertSince: 1 };
    expect(resumed(stored as unknown as StoredAlerts).alerts).toEqual({ 7: { ...state(1), requestedAt: 9 } });
  });

  test('goes on with the same condition, and begins again with another or when the workflow is published', () => {
    const stored = () => ({ alerts: { 7: state(1) }, alertFor: 'level 100', alertSince: 1 });
    expect(resumed(stored())).toEqual(stored());
    const anew = { alerts: {}, alertSince: NOW };
    expect(resumed(stored(), { purpose: 'level 90' })).toEqual({ ...anew, alertFor: 'level 90' });
    expect(resumed(stored(), { isAfresh: true })).toEqual({ ...anew, alertFor: 'level 100' });
    expect(resumed({})).toEqual({ ...anew, alertFor: 'level 100' });
    expect(resumed({ alertFor: 'level 100', alertSince: 1 })).toEqual({ ...anew, alertFor: 'level 100' });
    // The same words as before an update, with what is stored since.
    const since = { alerts: { 7: state(1) }, alertFor: '7 level 100', alertSince: 1 };
    expect(resumed({ ...since }, { purpose: '7 level 100' })).toEqual(since);
  });

  test('goes on from a trigger with one instrument before an update: a once-only alert does not come again', () => {
    const older = { alert: { armed: false, reference: 100, count: 1 }, alertFor: '7 level 100', alertSince: 1 };
    const { alerts, ...rest } = resumed({ ...older });
    expect(alerts).toEqual({
      7: expect.objectContaining({ armed: false, reference: 100, count: 1, at: 0, requestedAt: 0 }),
    });
    // What was before the update does not alert now.
    expect(rest).toEqual({ alertFor: 'level 100', alertSince: NOW });
    expect(resumed({ ...older, alertFor: '8 level 100' }).alerts).toEqual({});
    expect(resumed({ ...older }, { older: undefined }).alerts).toEqual({});
  });

  test('is replaced by what the process remembers, unless that is older or of other alerts', () => {
    const stored = () => ({ alerts: { 7: state(2) }, alertFor: 'level 100', alertSince: 1 });
    const past = (count: number, alertSince = 1) => ({
      alerts: { 7: state(count) },
      alertFor: 'level 100',
      alertSince,
    });
    expect(resumed(stored(), { past: past(3) }).alerts?.[7]?.count).toBe(3);
    expect(resumed(stored(), { past: past(1) }).alerts?.[7]?.count).toBe(2);
    // Since the last alert it has gone on with prices that n8n has not stored.
    const later = { ...past(2), alerts: { 7: { ...state(2), at: 9 } } };
    expect(resumed(stored(), { past: later }).alerts?.[7]?.at).toBe(9);
    expect(resumed(stored(), { past: past(3, 9) }).alerts?.[7]?.count).toBe(2);
    expect(resumed({}, { past: past(3, 9) }).alerts?.[7]?.count).toBe(3);
  });
});
