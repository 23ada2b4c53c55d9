/** The times that a person gives. */
import type { ITriggerFunctions } from 'n8n-workflow';
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
    expect(() => times(all.join(','))).toThrow('At most 50 times');
  });
});
