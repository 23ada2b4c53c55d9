/**
 * `npm start`: the sandbox and a real n8n with the nodes, the credentials and the example workflows in it.
 * `-- --headless` then runs the first workflow by itself, waits for the second, prints both results and ends.
 */
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const HELP = `npm start -- [options]

  --port N          n8n's port (5678)
  --sandbox-port N  the sandbox's port (8787)
  --data DIR        where n8n keeps its workflows (.brokerage in this folder)
  --headless        run the first example, wait for the second, print both results, end
  --help            this text`;

/** The first is run by hand, the second starts from its fill. */
const FIRST = { file: 'first-order.json', start: 'Run by Hand', result: 'Place Order' };
const SECOND = { file: 'on-fill.json', result: 'When an Order Fills' };
const ALERT = 'alert-to-order.json';
const REPORT = 'report-by-email.json';
/** The examples that work by themselves from the start; the others wait until their reader publishes them. */
const PUBLISHED = [ALERT, SECOND.file];
const SANDBOX_ACCOUNT = { phone: '9000000001', mpin: '1357', totpSecret: 'KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU' };

/** Columns of a workflow's name in what is printed. */
const WIDTH = 22;

const children = [];
let stopping;

/** Ends all that was started, the last first; called once however often it is asked for. */
function stopAll() {
  stopping ??= (async () => {
    for (const child of [...children].reverse()) await child.stop();
  })();
  return stopping;
}

async function main() {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '5678' },
      'sandbox-port': { type: 'string', default: '8787' },
      data: { type: 'string' },
      headless: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const support = await import('./support.mjs');
  const port = portOf(values.port, '--port');
  const sandboxPort = portOf(values['sandbox-port'], '--sandbox-port');
  if (port === sandboxPort) throw new support.PlainError('--port and --sandbox-port must differ.');
  await support.assertPortFree(port, '127.0.0.1', '--port');
  await support.assertPortFree(sandboxPort, '127.0.0.1', '--sandbox-port');

  await support.installIfMissing();
  await support.buildIfChanged();
  const { ensureRuntime } = await import('./runtime.mjs');
  const runtime = await ensureRuntime();
  const { Child } = await import('./children.mjs');
  const { N8n, OWNER, installNodes, outputOf, errorOf, pack, withCredential, withOwnPaths } = await import('./n8n.mjs');

  const home = values.data === undefined ? path.join(support.root, '.brokerage') : path.resolve(values.data);
  mkdirSync(home, { recursive: true });

  console.log('Starting the sandbox …');
  const mailPort = await support.freePort();
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const sandbox = new Child(
    'The sandbox',
    support.node24,
    [
      '--no-warnings',
      path.join(support.root, 'sandbox', 'bin', 'brokerage-sandbox.js'),
      ...['--port', String(sandboxPort), '--host', '127.0.0.1', '--mail-port', String(mailPort)],
      ...['--n8n', `http://127.0.0.1:${port}`],
    ],
    { cwd: support.root, log: path.join(home, 'sandbox.log') },
  );
  children.push(sandbox);
  await sandbox.until(async () => (await fetch(`${sandboxUrl}/_sandbox/health`)).ok, 60_000);

  console.log('Starting n8n …');
  installNodes(home, pack(path.join(home, 'package')));
  const n8n = new N8n({ runtime, userFolder: home, port });
  children.push({ stop: () => n8n.stop() });
  await n8n.start();
  await n8n.signIn();
  const credential = await n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', {
    environment: 'sandbox',
    sandboxBaseUrl: sandboxUrl,
    loginMethod: 'totp',
    ...SANDBOX_ACCOUNT,
  });
  const mailbox = await n8n.saveCredential("Sandbox's Mailbox", 'smtp', {
    host: '127.0.0.1',
    port: mailPort,
    secure: false,
    disableStartTls: true,
  });
  const workflows = new Map();
  // n8n lists the latest first: the one to begin with comes last.
  const files = readdirSync(path.join(support.root, 'examples')).filter(
    (file) => file.endsWith('.json') && file !== FIRST.file,
  );
  for (const file of [...files.sort(byUse), FIRST.file]) {
    const text = readFileSync(path.join(support.root, 'examples', file), 'utf8');
    const example = JSON.parse(text.replaceAll('http://127.0.0.1:8787', sandboxUrl));
    const workflow = await n8n.ensureWorkflow(
      withOwnPaths(withCredential(example, credential, { 'n8n-nodes-base.emailSend': mailbox })),
    );
    if (PUBLISHED.includes(file) && !workflow.active) await n8n.activate(workflow);
    workflows.set(file, workflow);
  }
  const first = workflows.get(FIRST.file);
  const second = workflows.get(SECOND.file);

  if (values.headless) {
    console.log(`Running "${first.name}" …`);
    const earlierIds = (await n8n.executions(second.id)).map(({ id }) => id);
    const placed = await n8n.finished(await n8n.run(first, FIRST.start));
    if (placed.status !== 'success')
      throw new support.PlainError(`"${first.name}" ended with ${placed.status}: ${errorOf(placed)}`);
    show(`The order placed by "${first.name}"`, outputOf(placed, FIRST.result));
    console.log(`Waiting for "${second.name}" …`);
    const filled = await n8n.child.until(async () => {
      const [latest] = (await n8n.executions(second.id)).filter(({ id }) => !earlierIds.includes(id));
      return latest?.status === 'success' ? await n8n.execution(latest.id) : undefined;
    }, 60_000);
    show(`What started "${second.name}"`, outputOf(filled, SECOND.result));
    return;
  }

  const line = (file, note, more = '') =>
    `  ${workflows.get(file).name.padEnd(WIDTH)} ${n8n.url}/workflow/${workflows.get(file).id}${more}\n  ${''.padEnd(WIDTH)} ${note}`;
  console.log(`
Ready. Everything runs on this machine, and no money is real.

  n8n        ${n8n.url}
             sign in with ${OWNER.email} and the password ${OWNER.password}
  Exchange   ${sandboxUrl}/_sandbox/
             what your workflows do there: orders, fills, e-mails (no sign-in)

Open the exchange in a second window. Then try these in n8n:

${line(FIRST.file, 'press "Execute workflow": it buys 10 shares')}
${line(SECOND.file, 'nothing to press: the fill has started it', '/executions')}
${line(ALERT, 'choose "Try It" at the arrow of the button, then press "Execute workflow"')}
${line(REPORT, "the same; the e-mail is in the mailbox on the exchange's page")}

All ${workflows.size} examples: ${n8n.url}/home/workflows
They log in with the credential "Brokerage Sandbox" (phone ${SANDBOX_ACCOUNT.phone}, MPIN ${SANDBOX_ACCOUNT.mpin}).
Press Ctrl-C to stop. Your workflows are kept; the exchange begins anew each time.`);
  await Promise.race([sandbox.ended, n8n.child.ended]);
  if (!stopping)
    throw new support.PlainError(`${sandbox.running ? 'n8n' : 'The sandbox'} ended by itself. Its log is in ${home}.`);
}

/** Sorts published workflows last: n8n lists the latest first. */
function byUse(a, b) {
  return PUBLISHED.indexOf(a) - PUBLISHED.indexOf(b) || b.localeCompare(a);
}

function portOf(text, option) {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error(`${option} must be a port number from 1 to 65535, not "${text}".`);
}

function show(title, items) {
  console.log(`\n${title}:\n${JSON.stringify(items.length === 1 ? items[0] : items, null, 2)}`);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (!stopping) console.log('\nStopping …');
    stopAll().then(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  });
}

try {
  await main();
} catch (error) {
  if (!stopping) {
    console.error(`\n${error.message}`);
    process.exitCode = 1;
  }
} finally {
  await stopAll();
}
