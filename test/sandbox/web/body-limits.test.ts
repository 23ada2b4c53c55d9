import { start, logIn, type Bench } from '../support';

let bench: Bench;
let headers: Record<string, string>;
beforeAll(async () => {
  bench = await start({ rateLimit: 'off' });
  headers = await logIn(bench);
});
afterAll(async () => await bench.close());

const nested = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`;

it.each([
  ['a text', (text: string) => ({ tag: text }), 'tag'],
  ['a text of a list', (text: string) => ({ orders: [{ order_id: [text] }] }), 'order_id'],
  ['a name', (text: string) => ({ [text]: 1 }), 'A name in the body'],
  ['a body that is a text', (text: string) => text, 'A text of the body'],
])('refuses %s that is too long, by its name, and shows its first 80 characters', async (_what, body, name) => {
  const { status, data } = await bench.http.post('/orders/v2/single', body(`${'ab'.repeat(40)}${'c'.repeat(60_000)}`), {
    headers: { ...headers, 'content-type': 'application/json' },
    transformRequest: (value: unknown) => JSON.stringify(value),
  });
  expect([status, data.error]).toEqual([
    400,
    `${name} has 60080 characters, and at most 10000 are read: "${'ab'.repeat(40)}…"`,
  ]);
});

it.each([51, 100_000])('refuses a body that is nested %i levels deep', async (depth) => {
  const { status, data } = await bench.http.post('/orders/v2/single', nested(depth), {
    headers: { ...headers, 'content-type': 'application/json' },
  });
  expect([status, data.error]).toEqual([400, 'The body is nested more than 50 levels deep']);
});
