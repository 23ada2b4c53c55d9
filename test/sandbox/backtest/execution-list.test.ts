/** The executions of a backtest's workflow, from the list of an n8n before 2.41 and of one since, which refuses what the other takes. */
import { listExecutions } from '../../../sandbox/src/backtest/execution-list';

type Row = { id: string; status: string };

/** Lists as n8n 2.40.7 and 2.41.1 do: those that still run first, then the others, newest first. `asked` has the request of each page */
function n8nWith(rows: readonly Row[], hasCursors: boolean) {
  const asked: string[] = [];
  const read = async (resource: string) => {
    await Promise.resolve();
    asked.push(resource);
    const query = new URL(resource, 'http://n8n').searchParams;
    expect(query.get('filter')).toBe('{"workflowId":"w"}');
    const limit = Number(query.get('limit'));
    const mark = query.get(hasCursors ? 'cursor' : 'lastId');
    if (query.has(hasCursors ? 'lastId' : 'cursor')) throw new Error('400');
    const isUnderWay = ({ status }: Row): boolean => status === 'running';
    const done = rows.filter((row) => !isUnderWay(row) && (mark === null || Number(row.id) < Number(mark)));
    const page = done.sort((one, other) => Number(other.id) - Number(one.id)).slice(0, limit);
    const next = page.length < limit ? null : page.at(-1)!.id;
    // Before 2.41, those that still run are on each page.
    const first = mark === null || !hasCursors ? rows.filter(isUnderWay) : [];
    return { results: [...first, ...page], ...(hasCursors ? { nextCursor: next } : {}) };
  };
  return { asked, read };
}

const rows = (count: number, from = 1): Row[] =>
  Array.from({ length: count }, (_row, at) => ({ id: String(from + at), status: at % 7 === 3 ? 'error' : 'success' }));

describe.each([
  ['before 2.41', false],
  ['since 2.41', true],
])('the executions of an n8n %s', (_version, hasCursors) => {
  it.each([0, 1, 99, 100, 101, 375])('are all there, ascending: %d of them', async (count) => {
    const { read } = n8nWith(rows(count), hasCursors);
    expect(await listExecutions(read, 'w', undefined)).toEqual(rows(count));
  });

  it('are those after one alone, and older pages are not asked for', async () => {
    const { read, asked } = n8nWith(rows(1_000), hasCursors);
    expect(await listExecutions(read, 'w', '850')).toEqual(rows(1_000).slice(850));
    expect(asked).toHaveLength(2);
  });

  it('hold each that still runs once', async () => {
    const all = [...rows(250), { id: '251', status: 'running' }, { id: '252', status: 'running' }];
    const { read } = n8nWith(all, hasCursors);
    expect(await listExecutions(read, 'w', undefined)).toEqual(all);
  });
});
