import { DEFAULT_OPTIONS, type SandboxOptions } from './simulation/options';
import { SERVICE_PRESETS } from './simulation/services';
import { openSandbox, serve, type RunningSandbox } from './cli/server';

export { OptionError } from './shared/option-error';
export type { SandboxOptions } from './simulation/options';
export type { RunningSandbox } from './cli/server';
export { Sandbox } from './simulation/sandbox';

/**
 * Starts a sandbox in this process; every option has a default, which `as` may change, and the port is a free one.
 * @param machineNow the machine's clock, milliseconds since the epoch: it decides when sessions and login codes expire
 * @throws when the port is taken.
 */
export async function startSandbox(
  options: Partial<SandboxOptions> = {},
  machineNow: () => number = Date.now,
): Promise<RunningSandbox> {
  const { dialect, ...service } = SERVICE_PRESETS[options.as ?? DEFAULT_OPTIONS.as];
  const complete = { ...DEFAULT_OPTIONS, port: 0, ...service, ...options, dialect: { ...dialect, ...options.dialect } };
  return await serve(await openSandbox(complete, machineNow));
}
