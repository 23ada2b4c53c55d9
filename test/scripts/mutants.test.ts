import { judge, named, onlyLoading, secondsOf } from '../../scripts/mutants/names.mjs';

const mutant = (id: string, line: number, fileName = 'client/a.ts') => ({
  id,
  fileName,
  mutatorName: 'ConditionalExpression',
  original: 'one ===\n  two',
  replacement: 'true',
  location: { start: { line, column: 2 }, end: { line, column: 9 } },
});
const NAME = 'client/a.ts: ConditionalExpression: one === two -> true';

it('an explained mutant excuses no equal one of its file', () => {
  const all = named([
    mutant('third', 30),
    mutant('first', 10),
    mutant('second', 20),
    mutant('other', 5, 'client/b.ts'),
  ]);
  expect(all.map(({ id, name }) => [id, name])).toEqual([
    ['third', `${NAME} #3`],
    ['first', NAME],
    ['second', `${NAME} #2`],
    ['other', NAME.replace('a.ts', 'b.ts')],
  ]);
  const judged = (explained: object) => judge(all, new Set(['other']), explained);
  expect(judged({ [NAME]: 'why' })).toEqual({
    noticed: 1,
    survived: 2,
    explained: 1,
    score: 100 / 3,
    survivors: [
      'client/a.ts:31 ConditionalExpression: one === two -> true #3',
      'client/a.ts:21 ConditionalExpression: one === two -> true #2',
    ],
  });
  expect(judged({ [`${NAME} #2`]: 'why' }).survivors.map((line) => line.slice(0, 14))).toEqual([
    'client/a.ts:31',
    'client/a.ts:11',
  ]);
});

it('a mutant that another process tries is not taken for one that is only reached while a file is loaded', () => {
  const reached = [
    { loading: ['mine', 'constant', 'of another'], running: [] },
    { loading: ['constant'], running: ['mine'] },
  ];
  expect(onlyLoading([mutant('mine', 1), mutant('constant', 2), mutant('unreached', 3)], reached)).toEqual([
    'constant',
  ]);
});

it('the time of the processor is read as systems print it', () => {
  expect(['02:03\n', ' 01:02:03', '1-02:03:04', '2:03.50', ''].map(secondsOf)).toEqual([123, 3_723, 93_784, 123.5, 0]);
});
