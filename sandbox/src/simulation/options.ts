import { parseArgs } from 'node:util';
import type { SpeedOrMode } from './clock';
import { DIALECT_DEFAULTS, withVariant, type Dialect } from './dialect';
import { SERVICES, SERVICE_NAMES, type FundsOption, type RateLimitOption, type ServiceName } from './services';
import type { RulesOption } from './data/api-order-rules';
import { MAX_PEOPLE } from './data/first-users';
import { withoutSlashes } from '../shared/addresses';
import { OptionError } from '../shared/option-error';
import { parseInstant } from '../shared/time';

/** Options of a sandbox; all of it has a default. */
export interface SandboxOptions {
  /** TCP port; 0 takes a free one. */
  port: number;
  host: string;
  /** Makes ref_ids, prices, identifiers and one-time passwords; the same seed and requests give the same journal. */
  seed: number;
  /** Folder of the event log; undefined keeps everything in memory. */
  data: string | undefined;
  /** With `data`: entries of the log after which a snapshot is written; 0 for none, then a start carries out the whole log. */
  snapshotEvery: number;
  /** With `data`: goes on with what can be read of a damaged log. A copy of the damaged folder is kept beside it. */
  acceptLoss: boolean | undefined;
  /** `always` trades around the clock, `exchange` keeps the exchanges' sessions and holidays. */
  hours: 'always' | 'exchange';
  clock: SpeedOrMode;
  /** ISO instant at which virtual time starts; undefined is now. */
  start: string | undefined;
  universe: 'demo' | 'full';
  /** Folder with candles of a real market, which is then replayed; undefined for the made-up one. */
  replay: string | undefined;
  /** With `replay`: only says how its files are understood. */
  check: boolean;
  /** With `replay`: date (YYYY-MM-DD) from which it is replayed; undefined for its first day. */
  from: string | undefined;
  /** Folder into which each day's candles are written, as `replay` takes them; undefined for none. */
  record: string | undefined;
  /** With `replay`: date at whose end the clock `fastest` stops; undefined for its last day. */
  to: string | undefined;
  /** Largest unpacked size of a recording, megabytes; undefined for 256. */
  maxUnpackedMb: number | undefined;
  /** File with a credential of the service, whose market is then mirrored; undefined for the made-up one. */
  mirror: string | undefined;
  /** The platform word of branded names (`plat_name`). */
  platformWord: string;
  /** The service word of branded names (`svc_name`, `SvcToClientIntentUpdate`). */
  serviceWord: string;
  /** Service that it behaves like; where an option or a dialect switch is given too, that one counts. */
  as: ServiceName;
  dialect: Partial<Dialect>;
  /** True if an order needs the money for it; `unchecked` lets every account trade on credit, without margin calls. */
  funds: FundsOption;
  /** Address of a mail server, smtp://user:password@host:port. E-mails are then really sent; they are in the inbox always. */
  smtp: string | undefined;
  /** TCP port on which e-mails are taken (SMTP) into the mailboxes; 0 takes a free one, undefined takes none. */
  mailPort: number | undefined;
  /** Whoever uses the control plane sends it in `x-control-token`, from this machine too; other machines may then. */
  controlToken: string | undefined;
  /** Address of n8n in the browser, without a slash at the end: the page links orders to its executions. */
  n8n: string | undefined;
  rateLimit: RateLimitOption;
  /** Rules on orders over an API since April 2026: registered addresses, ten orders a second, sessions that end each day. */
  rules: RulesOption;
  /** Number of accounts, the first two included: up to 200. */
  accounts: number;
  /** Time that orders take to the exchange and back: `retail`, `colocated`, `0`, or a JSON file that says it. */
  latency: string;
  /** JSON file of what the broker asks for; undefined for the sandbox's own tariff. */
  tariff: string | undefined;
  /** Model of the fills of orders, their impact on prices, and the fees: each the name of a model and its numbers (see `models.ts`). */
  fill: string;
  impact: string;
  fees: string;
  /** Order interface of accounts, unless one is set for an account: intent orders, the older one, or both. */
  orderInterface: OrderInterface;
}

export type OrderInterface = 'both' | 'intent' | 'v2';
export const ORDER_INTERFACES: OrderInterface[] = ['both', 'intent', 'v2'];

export const DEFAULTS: SandboxOptions = {
  port: 8787,
  host: '127.0.0.1',
  seed: 1,
  data: undefined,
  snapshotEvery: 5_000,
  acceptLoss: undefined,
  hours: 'always',
  clock: 'real',
  start: undefined,
  universe: 'demo',
  replay: undefined,
  check: false,
  from: undefined,
  record: undefined,
  to: undefined,
  maxUnpackedMb: undefined,
  mirror: undefined,
  platformWord: 'plat',
  serviceWord: 'svc',
  as: 'specification',
  dialect: {},
  funds: 'checked',
  smtp: undefined,
  mailPort: undefined,
  controlToken: undefined,
  n8n: undefined,
  rateLimit: 'uat',
  rules: 'off',
  accounts: 2,
  latency: 'retail',
  tariff: undefined,
  fill: 'queue',
  impact: 'square-root',
  fees: 'dated',
  orderInterface: 'both',
};

/** Help of the command and of `backtest` on the models. */
export const MODELS_HELP = `  --fill queue|touch|through[:PERCENT]
                               when an order that waits trades: in its turn, once the price comes to it, or once it has
                               passed it; at most PERCENT of a minute's volume (queue)
  --impact square-root|volume-share[:PERCENT:NUMBER]|fixed[:POINTS]|none
                               what an order does to the price (square-root)
  --fees dated|fixed:RUPEES|percent:PERCENT|none
                               what trades cost: taxes and fees of their day, so much an order, of the value (dated)`;

/** More than this much no option allows to come out of a packed file: Node.js holds no more of a text than half a gigabyte. */
const MAX_UNPACKED_MB = 16_384;

export const HELP = `brokerage-sandbox [options]

An Indian brokerage's REST and WebSocket service, simulated on an exchange with a real order book.
No account, no money, no network. Everything it knows is invented.

  brokerage-sandbox                            start it, then open http://127.0.0.1:8787/_sandbox/
  brokerage-sandbox --data ./kept              keep everything, and continue from there tomorrow
  brokerage-sandbox --hours exchange --clock 60x --start 2026-11-23T09:00:00+05:30
                                               a whole trading day, its auctions included, in a few minutes
  brokerage-sandbox --clock manual             time passes only when you move it: good for tests
  brokerage-sandbox backtest --help            what a workflow of n8n would have earned on recorded days

Log in with
  phone 9000000001, MPIN 1357, TOTP secret KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU   or
  phone 9000000002, MPIN 2468, and the OTP that appears on the page (or in /_sandbox/inbox?phone=9000000002)

Where it listens
  --port N                     port (8787; 0 takes a free one)
  --host ADDRESS               address (127.0.0.1: this machine only)
  --n8n ADDRESS                where n8n is, such as http://localhost:5678: the page links orders to its executions
  --control-token TEXT         asks everybody for it in the control plane (x-control-token, or a browser's password),
                               and opens that to other machines

The market and its time
  --universe demo|full         about 3,000 instruments (demo), or all 150,000 and more
  --hours always|exchange      trades around the clock (always), or in the exchanges' sessions and holidays
  --clock real|manual|60x|fastest
                               real time, only when you move it, that many times faster, or as fast as it goes
  --start ISO                  the time at which its clock starts (now)
  --replay FOLDER              replays a real market: candles of 1 second to 1 day (CSV, JSON, Parquet), bhavcopies, and
                               what --record wrote
  --check                      with --replay: only says how its files are understood, and ends
  --from DATE                  with --replay: the day on which it begins (the first that was recorded)
  --record FOLDER              writes each day's minute candles there, and ticks with depth of what was ordered,
                               as --replay takes them
  --to DATE                    with --replay: the day at whose end --clock fastest stops (the last that was recorded)
  --max-unpacked MB            with --replay: so much may come out of a packed file, zip, gzip or Parquet (256)
  --mirror FILE                paper trading on the live market: prices and depth of the service, read with the
                               credential in FILE and never traded on; orders, funds and reports are the sandbox's own
  --seed N                     whole number that makes prices, ids and one-time passwords (1)

  --accounts N                 so many accounts, from phone 9000000001 on, trading against each other (2; up to 200)
  --latency retail|colocated|0|FILE
                               how long orders take to the exchange and back; FILE is JSON (retail)
  --tariff FILE                what the broker asks for, as JSON: brokerage, deliveries, interest (its own)
${MODELS_HELP}

What it keeps
  --data DIR                   keeps everything in a folder and continues from there (memory only)
  --accept-loss                with --data: continues with what can be read of a damaged log; keeps a copy of the folder
  --snapshot-every N           with --data: writes a snapshot after this many changes (5000; 0 for never)

E-mail
  --mail-port N                receives e-mails (SMTP, from this machine) into the mailboxes; read them on the page
  --smtp URL                   also sends report e-mails for real: smtp://user:password@host:port

Like a service that differs
  --as specification|live|uat  behaves like the specified service, or like the one that has been seen: sets
                               --rate-limit, --funds and each --dialect, unless you give one too (specification)
  --funds checked|unchecked    whether an order needs the money for it; unchecked as on UAT (checked)
  --order-interface both|intent|v2
                               the order interface that accounts have: intent orders, the older one, or both (both)
  --rate-limit live|uat|off    trading requests a second: 10, 100 (uat) or any number
  --rules off|2026             keeps the rules for orders over an API since April 2026: registered addresses only,
                               ten orders a second on each exchange, sessions that end at 06:00 (off)
  --platform-word WORD         word for "plat" in names such as plat_name
  --service-word WORD          word for "svc" in names such as svc_name and SvcToClientIntentUpdate
  --dialect NAME=VALUE         a variant seen on the live service; can be repeated. The first of each is the default:
${Object.entries(DIALECT_DEFAULTS)
  .map(([name, values]) => `                                 ${name} = ${values.join(' | ')}`)
  .join('\n')}

  --help, --version

While it runs, below its address
  /_sandbox/          the exchange's page: market, orders, phone and mailbox, clock, faults
  /_sandbox/docs      every endpoint, to read (OpenAPI: /_sandbox/openapi.json)
  /_sandbox/faults    POST what goes wrong on purpose: a reply that never comes, a stream that breaks
  /_sandbox/clock     POST {"advance": "PT1H"} to let an hour pass
`;

/** Reads the command line. @throws OptionError that names the option. */
export function parseOptions(args: string[]): SandboxOptions | 'help' | 'version' {
  const { values } = parseCommandLine(args);
  if (values.help) return 'help';
  if (values.version) return 'version';
  return {
    port: wholeNumber('--port', values.port, DEFAULTS.port, 65_535),
    host: filled('--host', values.host) ?? DEFAULTS.host,
    seed: wholeNumber('--seed', values.seed, DEFAULTS.seed, 0xffff_ffff),
    data: filled('--data', values.data),
    snapshotEvery: wholeNumber('--snapshot-every', values['snapshot-every'], DEFAULTS.snapshotEvery, 1_000_000_000),
    acceptLoss: values['accept-loss'],
    hours: oneOf('--hours', values.hours, ['always', 'exchange'], DEFAULTS.hours),
    clock: clockOption(values.clock),
    start: instant(values.start),
    ...replayOption(values),
    check: checkOption(values),
    ...mirrorOption(values),
    maxUnpackedMb: maxUnpackedOption(values['max-unpacked']),
    record: filled('--record', values.record),
    universe: oneOf('--universe', values.universe, ['demo', 'full'], DEFAULTS.universe),
    platformWord: word('--platform-word', values['platform-word'], DEFAULTS.platformWord),
    serviceWord: word('--service-word', values['service-word'], DEFAULTS.serviceWord),
    ...serviceOption(values),
    smtp: smtpOption(values.smtp),
    mailPort:
      values['mail-port'] === undefined ? undefined : wholeNumber('--mail-port', values['mail-port'], 0, 65_535),
    n8n: n8nOption(values.n8n),
    controlToken: filled('--control-token', values['control-token']),
    rules: oneOf('--rules', values.rules, ['off', '2026'], DEFAULTS.rules),
    accounts: accountsOption(values.accounts),
    latency: filled('--latency', values.latency) ?? DEFAULTS.latency,
    tariff: filled('--tariff', values.tariff),
    ...modelOptions(values),
    orderInterface: oneOf(
      '--order-interface',
      values['order-interface'],
      ['both', 'intent', 'v2'],
      DEFAULTS.orderInterface,
    ),
  };
}

const text = { type: 'string' } as const;
const COMMAND_LINE = {
  port: text,
  host: text,
  seed: text,
  data: text,
  'snapshot-every': text,
  'accept-loss': { type: 'boolean' },
  hours: text,
  clock: text,
  start: text,
  universe: text,
  replay: text,
  check: { type: 'boolean' },
  from: text,
  record: text,
  to: text,
  'max-unpacked': text,
  mirror: text,
  'platform-word': text,
  'service-word': text,
  as: text,
  dialect: { type: 'string', multiple: true },
  funds: text,
  smtp: text,
  'mail-port': text,
  'control-token': text,
  n8n: text,
  'rate-limit': text,
  rules: text,
  'order-interface': text,
  accounts: text,
  latency: text,
  tariff: text,
  fill: text,
  impact: text,
  fees: text,
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

function parseCommandLine(args: string[]) {
  try {
    return parseArgs({ args, options: COMMAND_LINE });
  } catch (error) {
    throw new OptionError(`${error instanceof Error ? error.message : String(error)}. See --help.`);
  }
}

function wholeNumber(option: string, value: string | undefined, otherwise: number, max: number): number {
  if (value === undefined) return otherwise;
  const number = Number(value);
  if (/^\d+$/.test(value) && number <= max) return number;
  throw new OptionError(`${option} must be a whole number from 0 to ${max}, not "${value}".`);
}

/** The models of fills, impact and fees, of the command and of `backtest`; each is the sandbox's own where it is left out. */
export function modelOptions(values: {
  fill?: string | undefined;
  impact?: string | undefined;
  fees?: string | undefined;
}): Pick<SandboxOptions, 'fill' | 'impact' | 'fees'> {
  return {
    fill: filled('--fill', values.fill) ?? DEFAULTS.fill,
    impact: filled('--impact', values.impact) ?? DEFAULTS.impact,
    fees: filled('--fees', values.fees) ?? DEFAULTS.fees,
  };
}

/** An option that is given without a text is a mistake, such as a variable that is not set: `--host ''` would listen on every address. */
function filled(option: string, value: string | undefined): string | undefined {
  if (value === undefined || value.trim() !== '') return value;
  throw new OptionError(`${option} must not be empty.`);
}

function accountsOption(value: string | undefined): number {
  const count = wholeNumber('--accounts', value, DEFAULTS.accounts, Infinity);
  if (count >= DEFAULTS.accounts && count <= MAX_PEOPLE) return count;
  throw new OptionError(`--accounts must be from ${DEFAULTS.accounts} to ${MAX_PEOPLE}, not "${value}".`);
}

function smtpOption(value: string | undefined): string | undefined {
  if (value === undefined || (/^smtps?:\/\/./.test(value) && URL.canParse(value))) return value;
  throw new OptionError('--smtp must be an address such as smtp://user:password@host:port.');
}

/** An address without query and without a slash at its end. */
function n8nOption(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (/^https?:\/\/./i.test(value) && URL.canParse(value) && !/[?#]/.test(value)) return withoutSlashes(value);
  throw new OptionError('--n8n must be the address of n8n, such as http://localhost:5678.');
}

function oneOf<T extends string>(option: string, value: string | undefined, allowed: readonly T[], otherwise: T): T {
  if (value === undefined) return otherwise;
  const found = allowed.find((candidate) => candidate === value);
  if (found !== undefined) return found;
  throw new OptionError(`${option} must be one of ${allowed.join(', ')}, not "${value}".`);
}

function clockOption(value: string | undefined): SpeedOrMode {
  if (value === undefined) return DEFAULTS.clock;
  if (value === 'real' || value === 'manual' || value === 'fastest') return value;
  if (/^\d+(\.\d+)?x$/.test(value) && parseFloat(value) > 0) return value as SpeedOrMode;
  throw new OptionError(`--clock must be real, manual, fastest or a speed such as 60x, not "${value}".`);
}

function instant(value: string | undefined): string | undefined {
  if (value === undefined || !Number.isNaN(parseInstant(value))) return value;
  throw new OptionError(
    `--start must be an ISO instant with its offset, such as 2026-11-23T09:10:00+05:30, not "${value}".`,
  );
}

/** Reads `--check`, which takes the files of a replay. */
function checkOption({ check = false, replay }: { check?: boolean; replay?: string }): boolean {
  if (check && replay === undefined)
    throw new OptionError('--check says how the files of a replay are understood: give --replay FOLDER too.');
  return check;
}

/** A replay keeps the exchanges' hours, and has one beginning. */
function replayOption(values: { replay?: string; from?: string; to?: string; start?: string; hours?: string }) {
  const replay = filled('--replay', values.replay);
  const { from, to, start, hours } = values;
  if (from !== undefined && replay === undefined)
    throw new OptionError('--from says on which day a replay begins: give --replay FOLDER too.');
  if (to !== undefined && (replay === undefined || !(/^\d{4}-\d\d-\d\d$/.test(to) && !Number.isNaN(Date.parse(to)))))
    throw new OptionError(`--to must be a date such as 2020-03-31, with --replay FOLDER, not "${to}".`);
  if (from !== undefined && start !== undefined)
    throw new OptionError('--from and --start both say when it begins: give one of them.');
  if (from !== undefined && !(/^\d{4}-\d\d-\d\d$/.test(from) && !Number.isNaN(Date.parse(from))))
    throw new OptionError(`--from must be a date such as 2020-03-13, not "${from}".`);
  if (replay === undefined) return { replay, from, to };
  if (hours === 'always') throw new OptionError('--replay keeps the hours of the exchanges: leave out --hours always.');
  return { replay, from, to, hours: 'exchange' as const };
}

/** @throws OptionError; also used by the command `backtest` */
export function maxUnpackedOption(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const megabytes = wholeNumber('--max-unpacked', value, 0, MAX_UNPACKED_MB);
  if (megabytes > 0) return megabytes;
  throw new OptionError(`--max-unpacked must be megabytes from 1 to ${MAX_UNPACKED_MB}, not "${value}".`);
}

/**
 * Reads the options of a mirror, whose market is the live one: its time, and its hours where none are told. Nothing of it could be had
 * again.
 */
function mirrorOption(values: Record<string, string | boolean | string[] | undefined>) {
  const mirror = filled('--mirror', values['mirror'] as string | undefined);
  if (mirror === undefined) return { mirror };
  for (const name of ['replay', 'data', 'start'])
    if (values[name] !== undefined)
      throw new OptionError(`--mirror shows the live market as it is now: leave out --${name}.`);
  if ((values['clock'] ?? 'real') !== 'real')
    throw new OptionError('--mirror goes by the time of the live market: leave out --clock.');
  return { mirror, ...(values['hours'] === undefined ? { hours: 'exchange' as const } : {}) };
}

/** Words whose `_name` or `_id` the service has for something else (docs/service/README.md#neutral-names). */
const TAKEN_WORDS = ['stock', 'display', 'basket', 'client', 'company', 'ref', 'order', 'user', 'inst', 'position'];

function word(option: string, value: string | undefined, otherwise: string): string {
  if (value === undefined) return otherwise;
  if (!/^[a-z][a-z0-9]*$/.test(value))
    throw new OptionError(`${option} must be a word of small letters, not "${value}".`);
  if (TAKEN_WORDS.includes(value))
    throw new OptionError(
      `${option} cannot be "${value}": a name of the service begins with it, such as ${value}_name or ${value}_id.`,
    );
  return value;
}

/** Returns the settings of `--as`, and of the options beside it. */
function serviceOption(values: {
  as?: string;
  dialect?: string[];
  funds?: string;
  'rate-limit'?: string;
}): Pick<SandboxOptions, 'as' | 'dialect' | 'funds' | 'rateLimit'> {
  const as = oneOf('--as', values.as, SERVICE_NAMES, DEFAULTS.as);
  const { dialect, funds, rateLimit } = SERVICES[as];
  return {
    as,
    dialect: { ...dialect, ...dialectOption(values.dialect ?? []) },
    funds: oneOf('--funds', values.funds, ['checked', 'unchecked'], funds),
    rateLimit: oneOf('--rate-limit', values['rate-limit'], ['live', 'uat', 'off'], rateLimit),
  };
}

function dialectOption(values: string[]): Partial<Dialect> {
  let dialect: Partial<Dialect> = {};
  for (const value of values) {
    const [name = '', ...rest] = value.split('=');
    const variant = rest.join('=');
    const result = withVariant(dialect, name, variant);
    if (typeof result === 'string') throw new OptionError(`--dialect ${value}: ${result}`);
    dialect = result;
  }
  return dialect;
}
