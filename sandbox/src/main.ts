import { OptionError } from './option-error';
import { HELP, parseOptions, type SandboxOptions } from './options';
import { Sandbox } from './sandbox';
import { serve } from './server';
import { VERSION } from './version';

/** The command line: starts a sandbox and says where to log in and with what; Ctrl-C ends it. */
export async function main(args: string[]): Promise<void> {
  try {
    const options = parseOptions(args);
    if (options === 'help') return console.log(HELP);
    if (options === 'version') return console.log(VERSION);
    await run(options);
  } catch (error) {
    console.error(error instanceof OptionError ? error.message : inWords(error));
    process.exitCode = 1;
  }
}

async function run(options: SandboxOptions): Promise<void> {
  const running = await serve(new Sandbox(options));
  console.log(welcome(running.url, options));
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

function welcome(url: string, options: SandboxOptions): string {
  return `brokerage-sandbox ${VERSION} is ready. Everything in it is invented; no order leaves this machine.

  Address   ${url}
  Page      ${url}/_sandbox/
  API       ${url}/_sandbox/docs
  Log in    phone 9000000001, MPIN 1357, TOTP secret KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU
        or  phone 9000000002, MPIN 2468, OTP from ${url}/_sandbox/inbox?phone=9000000002
  Kept in   ${options.data ?? 'memory: all is gone when it stops (see --data)'}

Press Ctrl-C to stop it.`;
}

function inWords(error: unknown): string {
  const { code, port, message } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Choose another one with --port, or 0 for any free one.`;
  if (code === 'EADDRNOTAVAIL') return 'This machine does not have that address. See --host.';
  return message;
}
