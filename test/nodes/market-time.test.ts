/** Times that the user enters. */
import type { ITriggerFunctions } from 'n8n-workflow';
import { readDayRule } from '../../nodes/BrokerageTrigger/watches/marketDays';
import { readMarketTimes } from '../../nodes/BrokerageTrigger/watches/marketTime';

const times = (marketTimes: unknown): string[] =>
  readMarketTimes({
    getNodeParameter: (name: string, otherwise: unknown) => (name === 'marketTimes' ? marketTimes : otherwise),
  } as unknown as ITriggerFunctions);

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

describe('the repetition', () => {
  const repeated = (fields: Record<string, unknown>): string[] =>
    readMarketTimes({
      getNodeParameter: (name: string, otherwise: unknown) => fields[name] ?? otherwise,
    } as unknown as ITriggerFunctions);

  it('starts again every so many minutes, until a time', () => {
    expect(repeated({ marketTimes: '09:20', repeatEvery: 5, repeatUntil: '9:36' })).toEqual([
      ...['09:20:00', '09:25:00', '09:30:00', '09:35:00'],
    ]);
    expect(repeated({ marketTimes: '09:20', repeatEvery: 5, repeatUntil: '15:15' })).toHaveLength(72);
    expect(repeated({ marketTimes: '09:15, 09:20', repeatEvery: 5, repeatUntil: '09:20' })).toEqual([
      ...['09:15:00', '09:20:00'],
    ]);
    expect(repeated({ marketTimes: '23:58', repeatEvery: 1, repeatUntil: '23:59' })).toEqual(['23:58:00', '23:59:00']);
    // A time that midnight would come back to.
    expect(repeated({ marketTimes: '00:00', repeatEvery: 5, repeatUntil: '23:59' })).toHaveLength(288);
    expect(repeated({ marketTimes: '00:03', repeatEvery: 360, repeatUntil: '23:59' })).toHaveLength(4);
  });

  it('does nothing until it is set, as in a workflow from before', () => {
    expect(repeated({ marketTimes: '09:20' })).toEqual(['09:20:00']);
    expect(repeated({ marketTimes: '09:20', repeatEvery: 0, repeatUntil: 'never' })).toEqual(['09:20:00']);
  });

  it('is refused where it could never come', () => {
    const from = (repeatEvery: unknown, repeatUntil: unknown) =>
      repeated({ marketTimes: '09:20, 10:00', repeatEvery, repeatUntil });
    expect(() => from(5, '09:30')).toThrow('Repeat Until (09:30:00) is before 10:00:00, which is one of the times.');
    expect(() => from(5, 'later')).toThrow('Repeat Until must be a time such as 15:15, but is "later".');
    expect(() => from(5, '')).toThrow('Repeat Until must be a time such as 15:15');
    expect(() => from(0.5, '15:15')).toThrow('Repeat Every (Minutes)');
    expect(() => from(-5, '15:15')).toThrow('Repeat Every (Minutes)');
    expect(() => from(361, '15:15')).toThrow('Repeat Every (Minutes)');
    expect(() => from(1, '18:00')).toThrow('The repetition comes to 521 times a day; one trigger takes at most 400.');
    expect(from(1, '15:59')).toHaveLength(400);
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
