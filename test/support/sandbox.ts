/** A sandbox of our own in this process, and its control plane. */
import { SERVICE_DIALECTS, type ServiceDialect } from '../../sandbox/src/simulation/dialect';
import { startSandbox, type RunningSandbox, type SandboxOptions } from '../../sandbox/src/index';
import { follow } from './virtual-clock';

export interface JournalEntry {
  seq: number;
  kind: string;
  [key: string]: unknown;
}

export interface TestSandbox {
  url: string;
  /** The credential of the first account, with TOTP. */
  credential: Record<string, string | boolean | number>;
  control<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<T>;
  journal(): Promise<JournalEntry[]>;
  /** Returns the number of requests to place an order that it has received. */
  ordersReceived(): Promise<number>;
  running: RunningSandbox;
  close(): Promise<void>;
}

export const FIRST_ACCOUNT = { phone: '9000000001', mpin: '1357', totpSecret: 'KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU' };

/** A Friday on which everything trades: prices are the same in every run. */
export const TEST_START = '2026-11-20T10:30:00+05:30';

/**
 * Behaviour of the live service where it was seen to differ from the specification: the second value of each switch.
 */
export const OTHER_DIALECT = Object.fromEntries(
  Object.entries(SERVICE_DIALECTS).map(([name, [, other]]) => [name, other]),
) as unknown as ServiceDialect;

/** With DIALECT=other a test that does not choose itself meets the other dialect (jest.config.js). */
export const chosenDialect = () => (process.env['DIALECT'] === 'other' ? OTHER_DIALECT : {});

/**
 * Starts one on a free port, whose accounts have the older order interface unless a test wants the other. Its clock, which passes only
 * when it is told to, is the test's as well (virtual-clock).
 */
export async function testSandbox(
  options: Partial<SandboxOptions> = {},
  machineNow?: () => number,
): Promise<TestSandbox> {
  const running = await startSandbox(
    {
      start: TEST_START,
      clock: 'manual',
      orderInterface: 'v2',
      ...options,
      dialect: { ...chosenDialect(), ...options.dialect },
    },
    machineNow,
  );
  const control = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${running.url}/_sandbox/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} /_sandbox/${path}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  follow({
    now: () => running.sandbox.clock.now(),
    // What the control plane does to advance, without a request: a test sleeps hundreds of times.
    advance: async (ms) => {
      const { sandbox } = running;
      sandbox.time.leap(sandbox.instant + Math.round(ms));
      sandbox.now();
      sandbox.changed();
    },
  });
  return {
    url: running.url,
    credential: {
      environment: 'sandbox',
      sandboxBaseUrl: running.url,
      loginMethod: 'totp',
      ...FIRST_ACCOUNT,
      deviceId: 'test',
      sessionToken: '',
    },
    control,
    journal: async () => {
      const reply = await control<JournalEntry[] | { entries: JournalEntry[] }>('GET', 'journal');
      return Array.isArray(reply) ? reply : reply.entries;
    },
    ordersReceived: async () => (await control<{ orders_received: number }>('GET', 'stats')).orders_received,
    running,
    close: async () => await running.close(),
  };
}

/** For a test whose trigger waits by the same clock: a sleep takes a request, so that a stream opens before its deadline has passed. */
export function sleepByRequests({ running, control }: TestSandbox): void {
  follow({
    now: () => running.sandbox.clock.now(),
    advance: async (ms) => void (await control('POST', 'clock', { advance: `PT${(ms / 1_000).toFixed(3)}S` })),
  });
}
