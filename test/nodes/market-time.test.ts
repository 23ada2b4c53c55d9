/** Times that the user enters. */
import type { ITriggerFunctions } from 'n8n-workflow';
import { readDayRule } from '../../nodes/BrokerageTrigger/watches/marketDays';
import { readMarketTimes } from '../../nodes/BrokerageTrigger/watches/marketTime';

const times = (marketTimes: unknown): string[] =>
  readMarketTimes({ getNodeParameter: () => marketTimes } as unknown as ITriggerFunctions);

describe('the times', () => {
  it('are read as people write them, each once, in their order', () => {
    expect(times('15:10, 9:20,09:20:00,15:10:30')).toEqual(['09:20:00', '15:10:00', '15:10:30']);
    expect(times(['09:15'])).toEqual(['09:15:00']);
  });

  it.each(['', ' , ', '24:00', '9.20', '09:60', '9:2', '09:20 PM', '0920', null])('refuse %j', (given) => {
    expect(() => times(given)).toThrow(/No time is given|Times must be such as 09:20/);
  });

  it('are at most fifty', () => {
    const all = Array.from({ length: 51 }, (_, second) => `10:00:${String(second).padStart(2, '0')}`);
    expect(() => times(all.join(','))).toThrow('Times has 51 times; one trigger takes at most 50.');
  });
});

describe('the days', () => {
  const rule = (fields: Record<string, unknown>) =>
    readDayRule({
      getNodeParameter: (name: string, otherwise: unknown) => fields[name] ?? otherwise,
    } as unknown as ITriggerFunctions);
  it('are every trading day where nothing is said, as in a workflow from before', () => {
    expect(rule({})).toEqual({ kind: 'every' });
  });
  it('are read with what belongs to them', () => {
    expect(rule({ days: 'weekdays', weekdays: ['1', '4'] })).toEqual({ kind: 'weekdays', weekdays: [1, 4] });
    expect(rule({ days: 'dayOfMonth', dayOfMonth: 5 })).toEqual({ kind: 'dayOfMonth', day: 5 });
    expect(rule({ days: 'beforeExpiry', expiryOf: 'nifty', expiryKind: 'monthly' })).toEqual({
      kind: 'beforeExpiry',
      underlying: 'NIFTY',
      monthlyOnly: true,
    });
  });
  it('are refused where they could never come', () => {
    expect(() => rule({ days: 'weekdays', weekdays: [] })).toThrow('No weekday is chosen');
    expect(() => rule({ days: 'weekdays', weekdays: ['7'] })).toThrow('Weekdays must be one of');
    expect(() => rule({ days: 'dayOfMonth', dayOfMonth: 32 })).toThrow('Day of Month');
    expect(() => rule({ days: 'expiry', expiryOf: ' ' })).toThrow('Expiry Of is empty');
    expect(() => rule({ days: 'sometimes' })).toThrow('Days must be one of');
  });
});
