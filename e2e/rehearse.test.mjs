/**
 * Any day is rehearsed in an n8n that has the machine's own clock: the sandbox's clock is moved by hours and days, and runs fast, and the
 * examples still run after each move. With `REHEARSE=all` all of them run after each, and the fast hour is a whole one; else they take turns.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { outputOf } from '../scripts/n8n.mjs';
import { openExamples } from './support/examples.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { brokerageNode, chain } from './support/workflows.mjs';

/** The examples that need nothing but the broker, with the trigger that the user clicks. */
const AT_ANY_TIME = [
  ['first-order.json', 'Run by Hand'],
  ['straddle.json', 'Try It'],
  ['covered-call.json', 'Try It'],
  ['indicator-scan.json', 'Try It'],
  ['roll-future.json', 'Try It'],
  ['good-till-date.json', 'Run by Hand'],
  ['square-off.json', 'Try It'],
  ['morning-check.json', 'Trading Days at 08:45'],
];
/** Those that wait a minute for a fill, which does not come at night. */
const IN_HOURS = [
  ['alert-to-order.json', 'Try It'],
  ['monthly-sip.json', 'Try It'],
  ['alert-with-exits.json', 'Try It'],
  ['trailing-stop.json', 'Run by Hand'],
  ['alert-to-option.json', 'Try It'],
];
/** Messages of a step when the clocks of both keep n8n out. Orders may be refused at night, with another message. */
const LOCKED_OUT = /log ?in|session|TOTP|one-time|clock|401|unauthori[sz]ed/i;
const isAll = process.env.REHEARSE === 'all';
const DAY_MS = 86_400_000;
const IST_MS = 19_800_000;

describe('A day that is rehearsed in an n8n with its own clock', { timeout: TIMEOUT_MS }, () => {
  let world;
  let everyDay;
  const workflows = { atAnyTime: [], inHours: [] };

  before(
    async () => {
      world = await openExamples({
        sandboxOptions: [
          ...['--order-interface', 'intent', '--hours', 'exchange'],
          // A Wednesday, whatever day the machine has.
          ...['--start', '2026-11-18T08:50:00+05:30'],
        ],
      });
      for (const [file, trigger] of AT_ANY_TIME) workflows.atAnyTime.push([await world.imported(file), trigger]);
      for (const [file, trigger] of IN_HOURS) workflows.inHours.push([await world.imported(file), trigger]);
      const times = brokerageNode(
        'At 09:20',
        { watch: 'marketTime', marketTimes: '09:20' },
        { type: 'n8n-nodes-brokerage.brokerageTrigger' },
      );
      everyDay = await world.n8n.createWorkflow(chain('Every day', [times], world.credential));
      await world.n8n.activate(everyDay);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await world?.close();
  });

  const clock = async () => await world.sandbox.control('GET', 'clock');
  const now = async () => Date.parse((await clock()).now);
  const dateOf = (at) => new Date(at + IST_MS).toISOString().slice(0, 10);

  async function move(advance) {
    await world.sandbox.control('POST', 'clock', { advance });
    // What it starts on the way makes it wait.
    await world.n8n.child.until(async () => (await clock()).going_to === null, 60_000);
  }

  /** Runs the next example that can run at this time, or all of them. */
  async function runExamples() {
    const { now: at } = await clock();
    const time = at.slice(11, 16);
    const isOpen = time >= '09:15' && time < '15:00' && expected(Date.parse(at) - DAY_MS, Date.parse(at)).length > 0;
    const { atAnyTime, inHours } = workflows;
    const list = isOpen ? [...inHours, ...atAnyTime] : atAnyTime;
    for (const [workflow, trigger] of isAll ? list : list.slice(0, 1)) {
      const execution = await world.run(workflow, trigger);
      const problems = JSON.stringify(outputOf(execution, 'Needs a Person'));
      assert.doesNotMatch(problems, LOCKED_OUT, `${workflow.name} at ${at}`);
      // The morning check's.
      assert.doesNotMatch(JSON.stringify(outputOf(execution, 'Message')), /- Login: /, `${workflow.name} at ${at}`);
    }
    const turn = isOpen ? inHours : atAnyTime;
    turn.push(turn.shift());
  }

  /** The dates on which the trigger has started the workflow, oldest first. */
  async function started() {
    const executions = await world.n8n.executions(everyDay.id);
    const dates = [];
    for (const { id } of executions) {
      const execution = await world.n8n.finished(id);
      dates.unshift(...outputOf(execution, 'At 09:20').map(({ date }) => date));
    }
    return dates;
  }

  /** The weekdays whose 09:20 lies between two instants; none of these weeks has a holiday but the 24th of November. */
  function expected(from, to) {
    const dates = [];
    for (let at = from; at < to + DAY_MS; at += DAY_MS) {
      const date = dateOf(at);
      const due = Date.parse(`${date}T09:20:00+05:30`);
      const isWeekday = ![0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());
      if (isWeekday && date !== '2026-11-24' && due > from && due <= to) dates.push(date);
    }
    return dates;
  }

  let begun;
  it('by an hour, 24 times', async () => {
    begun = await now();
    for (let hour = 0; hour < 24; hour++) {
      await move('PT1H');
      await runExamples();
    }
    assert.deepEqual(await started(), expected(begun, await now()));
  });

  it('by a day, ten times', async () => {
    for (let day = 0; day < 10; day++) {
      await move('P1D');
      await runExamples();
    }
    assert.deepEqual(await started(), expected(begun, await now()));
  });

  const fast = isAll ? 60 : 20;
  it(`for ${fast} minutes at sixty times the speed`, async () => {
    await world.sandbox.control('POST', 'clock', { mode: '60x' });
    const end = (await now()) + fast * 60_000;
    while ((await now()) < end) await runExamples();
    await world.sandbox.control('POST', 'clock', { mode: 'real' });
    await runExamples();
    assert.deepEqual(await started(), expected(begun, await now()));
  });
});
