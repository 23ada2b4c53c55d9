/**
 * The same four workflows with dates, in a real n8n in four time zones: east and west of India, south with daylight saving, and UTC.
 * A day is the calendar day that the person sees, so that the days are the same in all of them.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errorOf, outputOf } from '../scripts/n8n.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { brokerageNode, byHand, chain, instrument } from './support/workflows.mjs';
import { openWorld } from './support/world.mjs';

const NOW = '2026-11-20T11:30:00+05:30';
/** Value of `$today` on that Friday: midnight in the zone of n8n, whose expressions use the clock of the machine. */
const FRIDAY = '$today.set({ year: 2026, month: 11, day: 20 })';
const ZONES = ['Asia/Singapore', 'Australia/Sydney', 'America/New_York', 'UTC'];

/** By name: the parameters, and the days in the output. */
const WORKFLOWS = {
  'the day of today': {
    parameters: { resource: 'instrument', operation: 'getTradingDay', exchange: 'NSE', date: `={{ ${FRIDAY} }}` },
    days: (items) =>
      items.map(({ date, previous_trading_day, next_trading_day }) => [date, previous_trading_day, next_trading_day]),
    expected: [['2026-11-20', '2026-11-19', '2026-11-23']],
  },
  'the end-of-day file of a date of luxon': {
    parameters: {
      resource: 'bhavcopy',
      operation: 'getRows',
      type: 'BhavcopyCM',
      day: 'date',
      date: "={{ DateTime.fromISO('2026-11-19') }}",
      returnAll: false,
      limit: 1,
    },
    days: (items) => items.map(({ TradDt }) => TradDt),
    expected: ['2026-11-19'],
  },
  'the option chain of an expiry that was picked': {
    parameters: {
      resource: 'quote',
      operation: 'getOptionChain',
      underlying: 'NIFTY 50',
      exchange: 'NSE',
      expiry: 'date',
      expiryDate: '2026-11-23T00:00:00',
      output: 'one',
    },
    days: (items) => items.map(({ asset, expiry }) => [asset, expiry]),
    expected: [['NIFTY', '2026-11-23']],
  },
  'the candles from yesterday to tomorrow': {
    parameters: {
      resource: 'candle',
      operation: 'get',
      instrument,
      interval: '1d',
      range: 'custom',
      from: `={{ ${FRIDAY}.minus({ days: 1 }) }}`,
      to: `={{ ${FRIDAY}.plus({ days: 1 }) }}`,
    },
    days: (items) => items.map(({ time }) => time.slice(0, 10)),
    expected: ['2026-11-19', '2026-11-20'],
  },
};

describe('dates in workflows of several time zones', { timeout: 2 * TIMEOUT_MS }, () => {
  for (const zone of ZONES)
    it(`${zone}: the same days`, { timeout: TIMEOUT_MS }, async () => {
      const world = await openWorld({ start: NOW, env: { GENERIC_TIMEZONE: zone, TZ: zone } });
      try {
        const { n8n } = world;
        const credential = await n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
        for (const [name, { parameters, days, expected }] of Object.entries(WORKFLOWS)) {
          const workflow = await n8n.createWorkflow(
            chain(name, [byHand(), brokerageNode('Read', parameters)], credential),
          );
          const done = await n8n.finished(await n8n.run(workflow, 'Run by Hand'));
          assert.equal(done.status, 'success', `${name}: ${errorOf(done)}`);
          assert.deepEqual(days(outputOf(done, 'Read')), expected, name);
        }
      } finally {
        await world.close();
      }
    });
});
