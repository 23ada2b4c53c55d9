/** A TypeScript client that a generator makes from the sandbox's description: compiled in strict mode, and run. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describeWith } from '../../support/needs';
import { WHOLE_RUN } from '../../support/sample';
import { DEVICE, FIRST, now, start, totpAt, type Bench } from '../support';

const root = path.resolve(__dirname, '../../..');
const program = (name: string) => path.join(root, 'node_modules', ...name.split('/'));

/** As its user would write it: every path, body and reply has the types of the description. */
const USER = `
import createClient from 'openapi-fetch';
import type { paths } from './service.js';

const [baseUrl = '', device = '', phone = '', totp = '', pin = '', symbol = ''] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl, headers: { 'x-device-id': device } });
const bearer = (token: string) => ({ headers: { authorization: \`Bearer \${token}\` } });
function must<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const first = must(await api.POST('/totp/login', { body: { phone, totp, otp: '' } }));
const { session_token } = must(await api.POST('/verifypin', { body: { pin }, ...bearer(first.auth_token) }));
const session = bearer(session_token);
const date = must(await api.GET('/_sandbox/clock')).now.slice(0, 10);
const master = must(
  await api.GET('/refdata/refdata/{date}', { params: { path: { date }, query: { exchange: 'NSE' } }, ...session }),
);
const instrument = master.refdata.find(({ stock_name, series }) => stock_name === symbol && series === 'EQ');
if (instrument === undefined) throw new Error(\`There is no \${symbol}\`);
// Identifiers have up to 19 digits: the reply is read as text, because JSON.parse would round them.
const reply = must(
  await api.POST('/orders/v2/single', {
    body: {
      ref_id: instrument.ref_id,
      order_type: 'ORDER_TYPE_REGULAR',
      order_qty: 1,
      order_side: 'ORDER_SIDE_BUY',
      order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
      validity_type: 'DAY',
      price_type: 'MARKET',
    },
    parseAs: 'text',
    ...session,
  }),
);
const price: number = instrument.tick_size;
// @ts-expect-error A wrong type is seen by the compiler: prices are whole paise.
const wrong: string = instrument.tick_size;
console.log(JSON.stringify({ id: /"order_id":(\\d+)/.exec(String(reply))?.[1], price, wrong }));
`;

/** Left to CI, because a generator and a compiler take seconds; python.test.ts calls the same description in every run. */
describeWith(WHOLE_RUN, 'A client that openapi-typescript makes', () => {
  let bench: Bench;
  let folder: string;
  beforeAll(async () => {
    bench = await start();
    folder = mkdtempSync(path.join(tmpdir(), 'client-'));
  });
  afterAll(async () => {
    await bench.close();
    rmSync(folder, { recursive: true });
  });

  it('compiles, logs in and places an order', async () => {
    const at = (name: string) => path.join(folder, name);
    const { data: description } = await bench.http.get('/_sandbox/openapi.json');
    writeFileSync(at('openapi.json'), JSON.stringify(description));
    writeFileSync(at('package.json'), '{ "type": "module" }');
    writeFileSync(at('user.ts'), USER);
    symlinkSync(path.join(root, 'node_modules'), at('node_modules'), 'junction');
    const run = async (...args: string[]) => await promisify(execFile)(process.execPath, args, { cwd: folder });
    await run(program('openapi-typescript/bin/cli.js'), at('openapi.json'), '-o', at('service.d.ts'));
    const strict = ['--strict', '--target', 'es2023', '--module', 'nodenext', '--types', 'node', '--skipLibCheck'];
    await run(program('typescript/bin/tsc'), ...strict, at('user.ts'));
    const totp = totpAt(FIRST.secret, await now(bench.http));
    const { stdout } = await run('user.js', bench.running.url, DEVICE, FIRST.phone, totp, FIRST.mpin, 'INFY');
    const { id } = JSON.parse(stdout) as { id: string };
    const order = bench.running.sandbox.journal.after(0, 'order', 10).find(({ data }) => data['event'] === 'received');
    expect(id).toMatch(/^\d{19}$/);
    expect(String(order?.data['order_id'])).toBe(id);
  });
});
