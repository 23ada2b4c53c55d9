/** Reads the sandbox's command line into options. */
import { parseArgs } from 'node:util';
import { withoutSlashes } from '../shared/without-slashes';
import { OptionError } from '../shared/option-error';
import { parseInstant } from '../shared/time';
import type { SpeedOrMode } from './clock';
import { MAX_USERS } from './data/first-users';
import { withVariant, type ServiceDialect } from './dialect';
import { DEFAULT_OPTIONS, type SandboxOptions } from './options';
import { SERVICE_PRESETS, SERVICE_PRESET_NAMES } from './services';

/** Maximum that any option allows to come out of a packed file. Node.js holds half a gigabyte of one text at most. */
const MAX_UNPACKED_MB = 16_384;

/** Reads the command line. @throws OptionError that names the option. */
export function parseOptions(args: string[]): SandboxOptions | 'help' | 'version' {
  const { values } = parseCommandLine(args);
  if (values.help) return 'help';
  if (values.version) return 'version';
  return {
    port: wholeNumber('--port', values.port, DEFAULT_OPTIONS.port, 65_535),
    host: filled('--host', values.host) ?? DEFAULT_OPTIONS.host,
    seed: wholeNumber('--seed', values.seed, DEFAULT_OPTIONS.seed, 0xffff_ffff),
    data: filled('--data', values.data),
    snapshotEvery: wholeNumber(
      '--snapshot-every',
      values['snapshot-every'],
      DEFAULT_OPTIONS.snapshotEvery,
      1_000_000_000,
    ),
    acceptLoss: values['accept-loss'],
    hours: oneOf('--hours', values.hours, ['always', 'exchange'], DEFAULT_OPTIONS.hours),
    clock: clockOption(values.clock),
    start: instant(values.start),
    ...replayOption(values),
    check: checkOption(values),
    ...mirrorOption(values),
    maxUnpackedMb: maxUnpackedOption(values['max-unpacked']),
    record: filled('--record', values.record),
    universe: oneOf('--universe', values.universe, ['demo', 'full'], DEFAULT_OPTIONS.universe),
    platformWord: word('--platform-word', values['platform-word'], DEFAULT_OPTIONS.platformWord),
    serviceWord: word('--service-word', values['service-word'], DEFAULT_OPTIONS.serviceWord),
    ...serviceOption(values),
    smtp: smtpOption(values.smtp),
    mailPort:
      values['mail-port'] === undefined ? undefined : wholeNumber('--mail-port', values['mail-port'], 0, 65_535),
    n8n: n8nOption(values.n8n),
    controlToken: filled('--control-token', values['control-token']),
    rules: oneOf('--rules', values.rules, ['off', '2026'], DEFAULT_OPTIONS.rules),
    accounts: accountsOption(values.accounts),
    latency: filled('--latency', values.latency) ?? DEFAULT_OPTIONS.latency,
    tariff: filled('--tariff', values.tariff),
    ...modelOptions(values),
    orderInterface: oneOf(
      '--order-interface',
      values['order-interface'],
      ['both', 'intent', 'v2'],
      DEFAULT_OPTIONS.orderInterface,
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
    fill: filled('--fill', values.fill) ?? DEFAULT_OPTIONS.fill,
    impact: filled('--impact', values.impact) ?? DEFAULT_OPTIONS.impact,
    fees: filled('--fees', values.fees) ?? DEFAULT_OPTIONS.fees,
  };
}

/** An option that is given without a text is a mistake, such as a variable that is not set: `--host ''` would listen on every address. */
function filled(option: string, value: string | undefined): string | undefined {
  if (value === undefined || value.trim() !== '') return value;
  throw new OptionError(`${option} must not be empty.`);
}

function accountsOption(value: string | undefined): number {
  const count = wholeNumber('--accounts', value, DEFAULT_OPTIONS.accounts, Infinity);
  if (count >= DEFAULT_OPTIONS.accounts && count <= MAX_USERS) return count;
  throw new OptionError(`--accounts must be from ${DEFAULT_OPTIONS.accounts} to ${MAX_USERS}, not "${value}".`);
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
  if (value === undefined) return DEFAULT_OPTIONS.clock;
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
  const as = oneOf('--as', values.as, SERVICE_PRESET_NAMES, DEFAULT_OPTIONS.as);
  const { dialect, funds, rateLimit } = SERVICE_PRESETS[as];
  return {
    as,
    dialect: { ...dialect, ...dialectOption(values.dialect ?? []) },
    funds: oneOf('--funds', values.funds, ['checked', 'unchecked'], funds),
    rateLimit: oneOf('--rate-limit', values['rate-limit'], ['live', 'uat', 'off'], rateLimit),
  };
}

function dialectOption(values: string[]): Partial<ServiceDialect> {
  let dialect: Partial<ServiceDialect> = {};
  for (const value of values) {
    const [name = '', ...rest] = value.split('=');
    const variant = rest.join('=');
    const result = withVariant(dialect, name, variant);
    if (typeof result === 'string') throw new OptionError(`--dialect ${value}: ${result}`);
    dialect = result;
  }
  return dialect;
}
