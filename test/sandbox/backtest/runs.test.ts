/** Runs of a workflow in the report of its backtest. */
import { stringify } from 'flatted';
import { RunCount, runsInWords, type Execution, type Runs } from '../../../sandbox/src/backtest/runs';
import type { Workflow } from '../../../sandbox/src/backtest/workflow';

const WORKFLOW: Workflow = {
  name: 'Mine',
  nodes: [
    { name: 'Start', type: 't' },
    { name: 'Prices', type: 't', onError: 'stopWorkflow' },
    { name: 'Buy', type: 't', onError: 'continueErrorOutput' },
    { name: 'Tell', type: 't', onError: 'continueRegularOutput' },
  ],
  connections: {},
};
const DATE = '2020-03-13';
const AT = Date.parse(`${DATE}T09:20:00.100+05:30`);

const run = (id: string, status: string, resultData: object = { runData: {} }): Execution => ({
  id,
  status,
  data: stringify({ version: 1, resultData }),
});
const failed = (id: string, message: string, node = 'Prices') =>
  run(id, 'error', { error: { message, name: 'NodeApiError' }, lastNodeExecuted: node, runData: {} });
/** A run in which a node gave these items, by its outputs. */
const gave = (node: string, ...outputs: object[][]) =>
  run('1', 'success', {
    runData: { [node]: [{ data: { main: outputs.map((items) => items.map((json) => ({ json }))) } }] },
  });
const summed = (...executions: Execution[]): Runs => {
  const count = new RunCount(WORKFLOW, (message) => message.replaceAll('http://127.0.0.1:4711', 'the sandbox'));
  for (const execution of executions)
    count.add(execution, { date: DATE, at: execution.id === 'late' ? undefined : AT });
  return count.runs;
};

describe('The runs of a backtest', () => {
  it('are counted, and errors are told only where there are some', () => {
    const runs = summed(run('1', 'success'), run('2', 'success'));
    expect(runs).toEqual({ total: 2, failed: 0, handled: 0, unfinished: 0, errors: [] });
    expect(runsInWords(runs)).toBe('2 runs of the workflow, 0 failed.');
    expect(runsInWords(summed())).toBe('Nothing started the workflow on these days.');
  });

  it('are told with node, time, words and how often where they failed, without what differs from one backtest to the next', () => {
    const runs = summed(
      run('1', 'success'),
      failed('2', 'No answer of http://127.0.0.1:4711'),
      failed('3', 'No answer of http://127.0.0.1:4711'),
      failed('late', 'Bad expression', 'Start'),
    );
    expect(runs).toMatchObject({ total: 4, failed: 3 });
    expect(runs.errors).toEqual([
      {
        at: '2020-03-13T09:20:00.000+05:30',
        node: 'Prices',
        message: 'No answer of the sandbox',
        count: 2,
        handled: false,
      },
      { at: DATE, node: 'Start', message: 'Bad expression', count: 1, handled: false },
    ]);
    expect(runsInWords(runs)).toBe(
      '4 runs of the workflow, 3 failed. The first error, 2020-03-13 09:20 in "Prices": No answer of the sandbox.',
    );
  });

  it.each([
    ['by the error output', gave('Buy', [{ ok: 1 }], [{ error: { message: 'Rejected' } }]), 'Buy'],
    ['by the error output, as text', gave('Buy', [], [{ error: 'Rejected' }]), 'Buy'],
    ['by its only output', gave('Tell', [{ ok: 1 }, { error: 'Rejected' }]), 'Tell'],
    [
      'thrown',
      run('1', 'success', { runData: { Buy: [{ error: { message: 'Rejected' }, executionStatus: 'error' }] } }),
      'Buy',
    ],
  ])('are told apart from those that failed where they went on after an error: %s', (_how, execution, node) => {
    const runs = summed(execution);
    expect(runs).toMatchObject({ total: 1, failed: 0, handled: 1 });
    expect(runs.errors).toEqual([
      { at: '2020-03-13T09:20:00.000+05:30', node, message: 'Rejected', count: 1, handled: true },
    ]);
    expect(runsInWords(runs)).toContain('0 failed, 1 had an error that the workflow handled. The first error,');
  });

  it('take no item with a field called error for one, where it is not given as one', () => {
    expect(summed(gave('Buy', [{ error: 'x' }], [])).errors).toEqual([]);
    expect(summed(gave('Buy', [{ error: 'x' }])).errors).toEqual([]);
    expect(summed(gave('Start', [{ error: 'x' }])).errors).toEqual([]);
    expect(summed(gave('Tell', [{ error: null }, { error: 5 }])).errors).toEqual([]);
  });

  it('are no success where they crashed, or were not over', () => {
    const runs = summed(run('1', 'crashed'), run('2', 'waiting'), { id: '3', status: 'running' });
    expect(runs).toMatchObject({ total: 3, failed: 1, unfinished: 2 });
    expect(runs.errors).toMatchObject([{ node: '', message: 'n8n says that the run is "crashed"' }]);
    expect(runsInWords(runs)).toContain(
      '2 had not ended when the last day was over. The first error, 2020-03-13 09:20:',
    );
  });

  it('name the first error that ended a run, before one that was handled', () => {
    const runs = summed(gave('Tell', [{ error: 'Small' }]), failed('2', 'Large!'));
    expect(runsInWords(runs)).toMatch(/in "Prices": Large!$/);
  });
});
