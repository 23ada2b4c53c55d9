import { DEFAULTS, type SandboxOptions } from './simulation/options';
import { openSandbox, serve, type RunningSandbox } from './cli/server';

export { OptionError } from './shared/option-error';
export type { SandboxOptions } from './simulation/options';
export type { RunningSandbox } from './cli/server';
export { Sandbox } from './simulation/sandbox';

/**
 * Starts a sandbox in this process; every option has a default, and the port is a free one.
 * @param machineNow the machine's clock, milliseconds since the epoch: sessions and codes of logins live by it
 * @throws when the port is taken.
 */
export async function startSandbox(
  options: Partial<SandboxOptions> = {},
  machineNow: () => number = Date.now,
): Promise<RunningSandbox> {
  return await serve(await openSandbox({ ...DEFAULTS, port: 0, ...options }, machineNow));
}
