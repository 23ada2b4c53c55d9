import { DEFAULTS, type SandboxOptions } from './options';
import { Sandbox } from './sandbox';
import { serve, type RunningSandbox } from './server';

export { OptionError } from './option-error';
export type { SandboxOptions } from './options';
export type { RunningSandbox } from './server';
export { Sandbox } from './sandbox';

/**
 * Starts a sandbox in this process; every option has a default, and the port is a free one.
 * @throws when the port is taken.
 */
export function startSandbox(options: Partial<SandboxOptions> = {}): Promise<RunningSandbox> {
  return serve(new Sandbox({ ...DEFAULTS, port: 0, ...options }));
}
