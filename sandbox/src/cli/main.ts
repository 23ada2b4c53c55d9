import { backtest } from '../backtest/backtest';
import { BACKTEST_HELP, parseBacktest } from '../backtest/options';
import { backtestSeveral } from '../backtest/several';
import { choicesOf } from '../backtest/settings';
import { OptionError } from '../shared/option-error';
import { COMMAND_LINE_HELP } from '../simulation/command-line-help';
import { parseOptions } from '../simulation/command-line';
import type { SandboxOptions } from '../simulation/options';
import { modelLines } from '../simulation/models';
import { checkRecordings } from '../simulation/recordings';
import type { Sandbox } from '../simulation/sandbox';
import { runInSeparateProcess } from './backtest-process';
import { openSandbox, serve, type RunningSandbox } from './server';
import { VERSION } from '../shared/version';

/** The command line: starts a sandbox and says where to log in and with what; Ctrl-C ends it. */
export async function main(args: string[]): Promise<void> {
  try {
    if (args[0] === 'backtest') return await runBacktest(args.slice(1));
    const options = parseOptions(args);
    if (options === 'help') return console.log(COMMAND_LINE_HELP);
    if (options === 'version') return console.log(VERSION);
    if (options.check) return await check(options);
    await run(options);
  } catch (error) {
    console.error(error instanceof OptionError ? error.message : inWords(error));
    process.exitCode = 1;
  }
}

/** Says how the files of a replay are understood, and by which models orders would meet them. @throws OptionError of the first that is not */
async function check(options: SandboxOptions): Promise<void> {
  const { replay, maxUnpackedMb } = options;
  const bytes = maxUnpackedMb === undefined ? undefined : maxUnpackedMb * 2 ** 20;
  const models = modelLines(options);
  console.log(`${await checkRecordings(replay!, bytes)}\n\n${models}`);
}

async function runBacktest(args: string[]): Promise<void> {
  const options = parseBacktest(args);
  if (options === 'help') return console.log(BACKTEST_HELP);
  const interrupted = new AbortController();
  const stop = (): void => {
    console.log('\nStopping …');
    interrupted.abort();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const say = (text: string): void => console.log(text);
  const { signal } = interrupted;
  const ended =
    choicesOf(options.settings).length === 1
      ? backtest(options, serve, say, signal)
      : backtestSeveral(options, runInSeparateProcess, say, signal).then((isWhole) => {
          if (!isWhole) process.exitCode = 1;
        });
  await ended.catch((error: unknown) => {
    // Steps in progress may take minutes to notice that the user stopped the backtest.
    if (interrupted.signal.aborted) process.exit(1);
    throw error;
  });
}

async function run(options: SandboxOptions): Promise<void> {
  const running = await serve(await openSandbox(options));
  console.log(welcome(running, options));
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    console.log('\nStopping …');
    void running.close().then(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

function welcome({ url, mailPort, sandbox }: RunningSandbox, options: SandboxOptions): string {
  const mail =
    mailPort === undefined
      ? 'no (see --mail-port)'
      : `at 127.0.0.1:${mailPort} (SMTP, no password); it then stands on the page`;
  return `brokerage-sandbox ${VERSION} is ready. ${marketOf(sandbox)} No order leaves this machine.

  Look         ${url}/_sandbox/ in a browser: the exchange at work, no login needed
  Address      ${url} (the base address, in n8n's credential for instance)
  Log in       phone 9000000001, MPIN 1357, TOTP secret KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU
           or  phone 9000000002, MPIN 2468, and the OTP that then stands on the page
  Interface    ${url}/_sandbox/docs
  Take e-mail  ${mail}
  Kept in      ${options.data ?? 'memory: all is gone when it stops (see --data)'}

Press Ctrl-C to stop it.`;
}

/** Returns the source of the prices, and the reading of each recording. */
function marketOf({ recordings, options, mirror }: Sandbox): string {
  if (mirror !== undefined)
    return `Its market is the live one (${mirror.status().text}), read and never traded on; people, funds and orders are its own.`;
  if (recordings === undefined) return 'Everything in it is invented.';
  const { instruments, dates, notes } = recordings;
  const names = [...instruments.keys()];
  const shown = names.length > 6 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
  const lines = notes.length > 20 ? [...notes.slice(0, 19), `… and ${notes.length - 19} more.`] : notes;
  return `It replays ${shown} of ${dates[0]} to ${dates.at(-1)} and begins at ${options.start}. People, and what was not recorded, are invented.
${lines.map((line) => `  - ${line}\n`).join('')}`;
}

function inWords(error: unknown): string {
  const { code, port, hostname, message } = error as NodeJS.ErrnoException & { port?: number; hostname?: string };
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken. Choose another one with --port (--mail-port for e-mail), or 0 for any free one.`;
  if (code === 'ENOTFOUND') return `No machine has the address ${hostname}. See --host.`;
  if (code === 'EADDRNOTAVAIL') return 'This machine does not have that address. See --host.';
  return message;
}
