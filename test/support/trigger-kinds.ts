/** Every kind of trigger that reads answers of the service: what it is set to, what makes it start the workflow, and what that sends. */
import type { INodeParameters } from 'n8n-workflow';
import { allTextOf } from './engine';
import type { Emitted } from './engine-types';
import { clock } from './hurried-clock';
import { bySymbol, orderForm } from './parameters';
import { TriggerBench, is, json } from './trigger-bench';

export const NEWEST = { typeVersion: 1.2 };
const SHARES = 10;
const REPEAT_MINUTES = 5;
const REPEAT_MS = REPEAT_MINUTES * 60_000;
const IST_MS = 19_800_000;

export interface TriggerKind {
  parameters(): Record<string, unknown>;
  /** Makes what there is before the trigger is published. */
  before?(): Promise<void>;
  /** An event after which the trigger is at work; none for one that waits. */
  begins?: string;
  /** Makes what starts the workflow. @returns the event that it must tell, once */
  happens(): Promise<(emitted: Emitted) => boolean>;
  /** Orders that it sends after that. */
  orders: number;
  /** True if it may start the workflow by itself at any time. */
  isAnyTime?: true;
  /** True of an event that n8n has not been given before; left out where all are new. */
  isNew?: (emitted: Emitted) => boolean;
}

/** A market of one share that is moved, and an account that trades it. */
export class TriggerKinds {
  private quantity = 100;
  /** Profit of the day until a trigger is published, rupees. */
  private lost = 0;
  /** Number of the last order. */
  private entry: unknown;

  private constructor(
    private readonly bench: TriggerBench,
    private readonly refId: number,
    private readonly price: number,
  ) {}

  static async open(bench: TriggerBench): Promise<TriggerKinds> {
    return new TriggerKinds(bench, await bench.infyRefId(), await priceNow(bench));
  }

  /** Moves the price to a share of the first one. */
  async move(share: number): Promise<void> {
    const requested = Math.round((this.price * share) / 10) * 10;
    await this.bench.control('POST', '/market', { ref_id: this.refId, price: requested });
    while (Math.abs((await priceNow(this.bench)) / requested - 1) > 0.005) await this.bench.passSeconds();
  }

  /** Returns what is wrong with an item of a beginning: it must tell what is held, at the price that was paid. */
  wrongIn(item: Record<string, unknown>): string | undefined {
    const average = Number(item.average_price ?? this.price / 100);
    const isRight =
      Math.abs(average / (this.price / 100) - 1) < 0.02 && Math.abs(Number(item.held_qty ?? SHARES)) === SHARES;
    return isRight ? undefined : `held ${String(item.held_qty)} at ${average}`;
  }

  async received(): Promise<number> {
    return (await this.bench.control<{ orders_received: number }>('GET', '/stats')).orders_received;
  }

  /** The market's time as UTC would tell it in India, milliseconds. */
  private get istNow(): number {
    return this.bench.sandbox.sandbox.clock.now() + IST_MS;
  }

  private async pnlToday(): Promise<number> {
    const { items, error } = await this.bench.engine.run({ resource: 'portfolio', operation: 'getPositions' }, NEWEST);
    if (error !== undefined) throw new Error(allTextOf(error));
    return Math.round(items.reduce((sum, { json: { pnl } }) => sum + Number(pnl ?? 0), 0));
  }

  private async hold(more: INodeParameters = {}): Promise<void> {
    const parameters = orderForm({
      ...{ priceType: 'MARKET', product: 'IDAY', quantity: SHARES, options: { waitFor: 'filled' }, ...more },
    });
    const { items, error } = await this.bench.engine.run(parameters, NEWEST);
    if (error !== undefined) throw new Error(allTextOf(error));
    this.entry = items[0]!.json.order_id;
  }

  /** True of an event of the last order. A trigger that starts tells again how earlier ones ended, and n8n drops the repeat. */
  private readonly isOfEntry = (emitted: Emitted): boolean => json(emitted).order_id === this.entry;

  /** Every kind that an account of the interface has. */
  of(orderInterface: 'v2' | 'intent'): Readonly<Record<string, TriggerKind>> {
    const falls = async (event: string): Promise<(emitted: Emitted) => boolean> => {
      await this.move(0.95);
      return is(event);
    };
    const held = (more: Record<string, unknown>): TriggerKind => ({
      parameters: () => ({ watch: 'orderExits', heldProducts: ['IDAY'], heldExits: { stopLoss: 3 }, ...more }),
      before: async () => await this.hold(),
      begins: 'exitsKept',
      happens: async () => await falls('positionClosed'),
      orders: 1,
    });
    const loss = (share: number): number => Math.round((this.price * SHARES * share) / 100);
    const profit = (figure: string): TriggerKind => ({
      parameters: () => ({
        ...{ watch: 'portfolioAlert', figure, amountCondition: 'crossesBelow', amount: this.lost - loss(0.03) },
        instrument: bySymbol('INFY').instrument,
      }),
      before: async () => {
        await this.hold();
        this.lost = await this.pnlToday();
      },
      happens: async () => await falls('portfolioAlert'),
      orders: 0,
    });
    return {
      'order events': {
        parameters: () => ({ events: ['accepted', 'fill', 'executed'], options: { compareEvery: 5 } }),
        before: async () => {
          await this.hold({ quantity: 3, product: 'CNC' });
          await clock.sleep(5_000);
        },
        happens: async () => {
          this.quantity += 1;
          const own = this.quantity;
          await this.hold({ quantity: own, product: 'CNC' });
          return is('executed', own);
        },
        orders: 0,
      },
      'exits of what is held': held({ exitsOf: 'held', ...bySymbol('INFY') }),
      'exits of everything': held({ exitsOf: 'all' }),
      'exits of a strategy': {
        ...held({}),
        parameters: () => ({
          ...{ watch: 'orderExits', exitsOf: 'strategy', strategyLegs: 'INFY', heldProducts: ['IDAY'] },
          strategyExits: { exitsIn: 'profit', stopLoss: loss(0.03) },
        }),
      },
      'a price alert since the entry': {
        parameters: () => ({
          ...{ watch: 'price', instrument: bySymbol('INFY').instrument, condition: 'fallsBy', distance: 3 },
          since: 'entry',
        }),
        before: async () => await this.hold({ product: 'CNC', quantity: 2 }),
        happens: async () => await falls('priceAlert'),
        orders: 0,
      },
      'a price alert without the stream': {
        parameters: () => ({
          ...{ watch: 'price', instrument: bySymbol('INFY').instrument, condition: 'crossesBelow' },
          level: Math.round((this.price / 100) * 0.97),
        }),
        before: async () => {
          await this.bench.control('POST', '/faults', { match: { stream: true }, action: 'drop_frame' });
        },
        happens: async () => {
          // An alert begins with its first price, which is asked for only once the stream is found silent.
          await clock.sleep(60_000);
          return await falls('priceAlert');
        },
        orders: 0,
      },
      "an alert on the day's loss": profit('dayPnl'),
      "an alert on a position's loss": profit('positionPnl'),
      'an alert on the margin': {
        parameters: () => ({
          ...{ watch: 'portfolioAlert', figure: 'marginUsed', amountCondition: 'crossesAbove' },
          amount: Math.round((this.price / 100) * SHARES * 1.5),
        }),
        before: async () => await this.hold(),
        happens: async () => {
          await this.hold({ quantity: 100 });
          return is('portfolioAlert');
        },
        orders: 0,
      },
      'an alert on an option chain': {
        parameters: () => ({
          ...{ watch: 'optionChain', underlying: 'NIFTY', exchange: 'NSE', expiry: 'next' },
          ...{ chainFigure: 'straddlePrice', chainCondition: 'moves', chainPercent: 0.01, chainRepeat: 'onceADay' },
        }),
        happens: async () => await Promise.resolve((emitted: Emitted) => json(emitted).event === 'optionChainAlert'),
        orders: 0,
        isAnyTime: true,
      },
      'at market times': {
        parameters: () => ({
          ...{ watch: 'marketTime', marketTimes: '00:00', repeatEvery: REPEAT_MINUTES, repeatUntil: '23:59' },
          ...{ days: 'dayOfMonth', dayOfMonth: new Date(this.istNow).getUTCDate() },
        }),
        happens: async () => {
          const next = Math.ceil((this.istNow + 1) / REPEAT_MS) * REPEAT_MS;
          const time = new Date(next).toISOString().slice(11, 19);
          return await Promise.resolve((emitted: Emitted) => json(emitted).time === time);
        },
        orders: 0,
        isAnyTime: true,
      },
      ...(orderInterface === 'intent'
        ? {}
        : {
            'exits on an order': {
              parameters: () => ({ watch: 'orderExits' }),
              before: async () => await this.hold({ exits: { keptBy: 'trigger', stopLoss: 3, target: 3 } }),
              begins: 'stopPlaced',
              happens: async () => {
                await this.move(1.05);
                return (emitted: Emitted) => is('positionClosed')(emitted) && this.isOfEntry(emitted);
              },
              orders: 1,
              isNew: this.isOfEntry,
            } satisfies TriggerKind,
          }),
    };
  }
}

/** The names of the kinds, in the order of `TriggerKinds.of`. */
export const triggerKindNames = (orderInterface: 'v2' | 'intent'): string[] => [
  ...['order events', 'exits of what is held', 'exits of everything', 'exits of a strategy'],
  ...['a price alert since the entry', 'a price alert without the stream', "an alert on the day's loss"],
  ...["an alert on a position's loss", 'an alert on the margin', 'an alert on an option chain'],
  'at market times',
  ...(orderInterface === 'intent' ? [] : ['exits on an order']),
];

async function priceNow(bench: TriggerBench): Promise<number> {
  return (await bench.ask<{ price: number }>('GET', '/optionchains/INFY/price?exchange=NSE')).price;
}
