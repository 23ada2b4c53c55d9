/** Triggers in n8n's engine against a separate sandbox, and another program that trades on the same account. */
import axios from 'axios';
import { startSandbox, type RunningSandbox, type SandboxOptions } from '../../sandbox/src';
import { FIRST } from '../sandbox/support';
import { chosenDialect } from './sandbox';
import { Engine } from './engine';
import type { Emitted, RunningTrigger } from './engine-types';
import { hurryWith, type HurriedTime } from './hurried-clock';
import { pacedNow } from './paced-time';

const DEVICE = 'device-of-a-trigger';
/** A Friday in the hours of all markets: before nine a list may be that of the day before. */
const STARTS = '2026-11-20T11:00:00+05:30';
const IST_MS = 19_800_000;
const TOTP_STEP_MS = 30_000;

export interface ListedOrder {
  order_id: string;
  order_status: string;
  order_qty: number;
  filled_qty: number;
}

export class TriggerBench {
  private readonly triggers: RunningTrigger[] = [];
  private infy: number | undefined;

  private constructor(
    readonly sandbox: RunningSandbox,
    readonly engine: Engine,
  ) {}

  /**
   * Starts both and logs in, once for a file of tests: a TOTP code is good for one, and the next comes after half a minute. Thirty seconds
   * of the sandbox's pass in one that this process has had (paced-time), and of the client's where a file has the clock of both (hurried-clock).
   * @param time of the machine of both, where it is another's
   * @param through starts a proxy between the client and the sandbox; it returns the address of the proxy
   */
  static async start(
    options: Partial<SandboxOptions> = {},
    time?: HurriedTime,
    through?: (url: string) => Promise<string>,
  ): Promise<TriggerBench> {
    const own = { seed: 7, rateLimit: 'off', dialect: chosenDialect(), clock: '30x' } as const;
    const starts = time === undefined && options.replay === undefined ? { start: STARTS } : {};
    const sandbox = await startSandbox({ ...own, ...starts, ...options }, time?.now ?? pacedNow);
    hurryWith(time ?? sandbox.sandbox.clock);
    const sandboxBaseUrl = through === undefined ? sandbox.url : await through(sandbox.url);
    const engine = await Engine.start({ ...credentialFor(sandbox), sandboxBaseUrl });
    const { error } = await engine.run({ resource: 'session', operation: 'getUser' });
    if (error) throw error;
    return new TriggerBench(sandbox, engine);
  }

  credential(more: Record<string, string> = {}): Record<string, string> {
    return { ...credentialFor(this.sandbox), ...more };
  }

  async activate(
    parameters: Record<string, unknown>,
    options?: Parameters<Engine['trigger']>[1],
  ): Promise<RunningTrigger> {
    const trigger = await this.engine.trigger(parameters as never, options);
    this.triggers.push(trigger);
    return trigger;
  }

  /** After a test: nothing that happened in it may be near the activation of the next one. */
  async endTest(): Promise<void> {
    await this.closeTriggers();
    await this.passSeconds();
  }

  /** Puts so much time between before and after that the service's clock, which tells whole seconds, tells them apart. */
  async passSeconds(): Promise<void> {
    await this.moveClock({ advance: 'PT2S' });
  }

  /** Moves the sandbox's clock, and waits until it is there: what a message has started is done first. */
  async moveClock(move: { advance: string } | { set: string }): Promise<void> {
    let { going_to: goal } = await this.control<{ going_to: string | null }>('POST', '/clock', move);
    while (goal !== null) ({ going_to: goal } = await this.control('GET', '/clock'));
  }

  /**
   * Goes to the beginning of the next TOTP step: a code is good for one login. Near the end of a step the client would wait for the next one by
   * the sandbox's clock, which the sandbox stops until the client is back on the stream.
   */
  async passTotpStep(): Promise<void> {
    const now = this.sandbox.sandbox.clock.now();
    const next = (Math.floor(now / TOTP_STEP_MS) + 1) * TOTP_STEP_MS;
    await this.moveClock({ set: new Date(next).toISOString() });
  }

  /** Closes every trigger that is still open. */
  async closeTriggers(): Promise<void> {
    for (const trigger of this.triggers.splice(0)) await trigger.close();
  }

  async close(): Promise<void> {
    await this.closeTriggers();
    await this.sandbox.close();
  }

  /** A request of another program with the session that n8n stored. */
  async ask<T>(method: string, path: string, data?: unknown): Promise<T> {
    const { sessionToken } = await this.engine.storedCredential();
    const headers = { authorization: `Bearer ${String(sessionToken)}`, 'x-device-id': DEVICE };
    return (await axios.request<T>({ method, url: this.sandbox.url + path, data, headers })).data;
  }

  async infyRefId(): Promise<number> {
    const today = new Date(this.sandbox.sandbox.clock.now() + IST_MS).toISOString().slice(0, 10);
    const master = async () =>
      await this.ask<{ refdata: { ref_id: number; plat_name: string }[] }>(
        'GET',
        `/refdata/refdata/${today}?exchange=NSE`,
      );
    this.infy ??= (await master()).refdata.find(({ plat_name: name }) => name === 'STOCK_INFY.NSECM')?.ref_id;
    return this.infy as number;
  }

  /** Buys INFY, at the market unless the order says otherwise. */
  async buy(quantity: number, order: Record<string, unknown> = {}): Promise<void> {
    await this.ask('POST', '/orders/v2/single', {
      ref_id: await this.infyRefId(),
      order_type: 'ORDER_TYPE_REGULAR',
      order_qty: quantity,
      order_side: 'ORDER_SIDE_BUY',
      order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
      validity_type: 'DAY',
      price_type: 'MARKET',
      order_price: 0,
      tag: 'test',
      ...order,
    });
  }

  /** Waits until an order of the quantity is filled, without the trigger. */
  async filled(quantity: number): Promise<ListedOrder> {
    for (;;) {
      const orders = await this.ask<ListedOrder[] | null>('GET', '/orders');
      const item = orders?.find(
        (order) => order.order_status === 'ORDER_STATUS_FILLED' && order.order_qty === quantity,
      );
      if (item) return item;
    }
  }

  async control<T = unknown>(method: string, path: string, data?: unknown): Promise<T> {
    return (await axios.request<T>({ method, url: `${this.sandbox.url}/_sandbox${path}`, data })).data;
  }

  async streamsOpen(): Promise<number> {
    return (await this.control<{ streams_open: number }>('GET', '/stats')).streams_open;
  }

  /** Waits until the sandbox has seen every stream end. */
  async noStreamsLeft(): Promise<void> {
    while ((await this.streamsOpen()) > 0);
  }
}

/** A credential of the sandbox's first account, with which nobody has logged in yet. */
export function credentialFor(sandbox: RunningSandbox): Record<string, string> {
  return {
    environment: 'sandbox',
    sandboxBaseUrl: sandbox.url,
    loginMethod: 'totp',
    phone: FIRST.phone,
    mpin: FIRST.mpin,
    totpSecret: FIRST.secret,
    deviceId: DEVICE,
    sessionToken: '',
  };
}

export const json = (emitted: Emitted): Record<string, unknown> => emitted.items[0]?.json as Record<string, unknown>;

/** True if an emit is an event, of an order of the quantity where one is given. */
export const is =
  (event: string, quantity?: number) =>
  (emitted: Emitted): boolean =>
    json(emitted).event === event && (quantity === undefined || json(emitted).order_qty === quantity);
