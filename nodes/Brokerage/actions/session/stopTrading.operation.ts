import type { INodeExecutionData } from 'n8n-workflow';
import { BrokerageError, InputError, UnknownOutcomeError } from '../../../../client/base/errors';
import { cancelWaitingBaskets } from '../../../../client/closing/exit-baskets';
import { cancelOpenOrders } from '../../../../client/orders/changing/cancel-open';
import type { OrderRecord } from '../../../../client/endpoints/orders';
import { isDryRun } from '../../../../client/orders/model/guard-settings';
import { brokerageErrorOnly } from '../../../../client/orders/placing/outcome';
import type { PlacementContext } from '../../../../client/orders/account/placement-context';
import { entryHasEnded, basketIdOfLeg, symbolOf } from '../../../../client/orders/model/order-record';
import { TRADING_STOPPED } from '../../../../client/orders/guards/kill-switch';
import { stopTrading as stopInCredential } from '../../../host/http';
import { closeAtFields } from '../../trading/closePriceFields';
import { collection, notice, priceUnitField } from '../../../shared/fields';
import type { ItemContext } from '../../common/itemContext';
import type { ItemOperation } from '../../common/operation';
import { isSince12 } from '../../common/version';
import { requireAllowed, waitMsOf } from '../../trading/changeContext';
import { waitSecondsField } from '../../trading/orderFields';
import { orderContext } from '../../trading/placement';
import { guardsOf, safetyField } from '../../trading/safetyLimits';
import { exitPositions } from '../../trading/exitPositions';

/** The list shows a new order so late at most: what another workflow placed in the last moment is cancelled, too. */
const LISTED_MS = 2_500;

/** Something that may still be open, with the reason. */
interface OpenRemainder {
  what: string;
  error: BrokerageError;
}

/** The results for the orders and the baskets that were to be cancelled, and what may be open all the same. */
interface CancelledAll {
  orders: { order_id: string; symbol: string | null; result: string }[];
  baskets: { basket_id: string; result: string }[];
  left: OpenRemainder[];
}

/** Cancels open orders and baskets that have not entered. @returns the result for each. */
async function cancelOpen(context: PlacementContext, waitMs: number): Promise<CancelledAll> {
  const isSelected = (order: OrderRecord): boolean => basketIdOfLeg(order) === '';
  const baskets = await cancelWaitingBaskets(waitMs, context);
  const orders = await cancelOpenOrders(isSelected, waitMs, context, { isOver: entryHasEnded, lookMs: LISTED_MS });
  const left = [
    ...baskets.flatMap(({ basketId, result, error }): OpenRemainder[] =>
      result === 'done'
        ? []
        : [
            {
              what: `basket ${basketId}`,
              error: error ?? new InputError('It has not ended yet.', { hint: 'Look at it with Basket: Get.' }),
            },
          ],
    ),
    ...orders.flatMap(({ orderId, result, error }): OpenRemainder[] =>
      error !== undefined && (result === 'refused' || result === 'unknown')
        ? [{ what: `order ${orderId}`, error }]
        : [],
    ),
  ];
  return {
    orders: orders.map(({ orderId, result, order }) => ({
      order_id: orderId,
      symbol: order === undefined ? null : symbolOf(order) || null,
      result,
    })),
    baskets: baskets.map(({ basketId, result }) => ({ basket_id: basketId, result })),
    left,
  };
}

/** The results of two rounds, one for each order and basket: that of the second counts. */
function joined(first: CancelledAll, second: CancelledAll): CancelledAll {
  const merged = <T>(before: readonly T[], after: readonly T[], idOf: (one: T) => string): T[] => [
    ...new Map([...before, ...after].map((one) => [idOf(one), one])).values(),
  ];
  return {
    orders: merged(first.orders, second.orders, ({ order_id }) => order_id),
    baskets: merged(first.baskets, second.baskets, ({ basket_id }) => basket_id),
    left: second.left,
  };
}

/** @throws one error for all that may be open, or where trading goes on. */
function requireNothingLeft(left: readonly OpenRemainder[], isStopped: boolean): void {
  if (left.length === 0) return;
  const unknown = left.map(({ error }) => error).find((error) => error instanceof UnknownOutcomeError);
  const reported = left.map(({ what, error }) => `${what}: ${error.message}`).join(' ');
  const start = isStopped ? 'Trading is stopped, but not everything is done.' : 'Trading is not stopped.';
  const message = `${start} ${reported}`;
  const hint = [
    ...new Set(left.map(({ error }) => error.hint).filter((name) => name !== '')),
    'Run it again: what is cancelled or closed is not done twice.',
  ].join(' ');
  throw unknown === undefined
    ? new InputError(message, { hint })
    : new UnknownOutcomeError(message, { tag: unknown.tag, hint, cause: unknown });
}

/** Returns the result of one part of an item; an error of the service is kept, so that the other parts run nevertheless. */
async function attempt<T>(
  item: ItemContext,
  what: string,
  left: OpenRemainder[],
  part: () => Promise<T>,
): Promise<T | undefined> {
  const done = await part().catch((error: unknown) => brokerageErrorOnly(error, item.run.signal));
  if (!(done instanceof BrokerageError)) return done;
  left.push({ what, error: done });
  return undefined;
}

/** Returns a sentence for a message: `Trading is stopped. Cancelled: 2 orders. Closed: INFY (Intraday), sold 10, 0 left.` */
function summaryOf(
  cancelled: Pick<CancelledAll, 'orders' | 'baskets'> | undefined,
  positions: readonly INodeExecutionData[] = [],
): string {
  const count = [...(cancelled?.orders ?? []), ...(cancelled?.baskets ?? [])].filter(
    ({ result }) => result === 'done',
  ).length;
  const closed = positions.flatMap(({ json: { summary } }) => (typeof summary === 'string' ? [summary] : []));
  return ['Trading is stopped.', `Cancelled: ${count} ${count === 1 ? 'order' : 'orders'}.`, ...closed].join(' ');
}

export const stopTrading: ItemOperation = {
  name: 'Stop Trading',
  action: 'Stop trading',
  description:
    'Kill switch: refuse new and changed orders in every workflow with this credential, cancel all open orders, and close all positions if you want. Only you can allow trading again, in the credential.',
  properties: [
    notice(
      'stopNotice',
      `This refuses orders of this credential in every workflow, until you switch "${TRADING_STOPPED}" off in it. On Live, cancelling and exiting need "Allow Live Orders". Try it with Dry Run under Safety Limits first.`,
    ),
    {
      displayName: 'Exit Positions',
      name: 'exitPositions',
      type: 'boolean',
      default: false,
      description:
        'Whether to close all open positions, too, with their stop losses and targets. Otherwise filled orders keep theirs.',
    },
    ...closeAtFields('Close At', 'How far below the last price it may sell, or above it buy back, such as 0.5').map(
      (field) => ({
        ...field,
        displayOptions: { show: { exitPositions: [true], ...field.displayOptions?.show } },
      }),
    ),
    collection('Options', 'options', [priceUnitField, waitSecondsField]),
    safetyField,
  ],
  async execute(item) {
    const waitMs = waitMsOf(item);
    const exits = item.flag('exitPositions');
    const service = await item.service();
    const guards = guardsOf(item, service);
    const { environment } = service.connection;
    if (isDryRun(guards)) {
      const positions = exits ? await exitPositions(item) : [];
      return [
        item.output({
          dry_run: true,
          trading_stopped: false,
          positions: positions.map(({ json }) => json),
          environment,
        }),
      ];
    }
    const context = await orderContext(item.run);
    const left: OpenRemainder[] = [];
    const store = async () => await stopInCredential(item.run.functions, service.store);
    await attempt(item, 'the credential', left, store);
    const isStopped = left.length === 0;
    const answered = context.placements.untilAnswered();
    const cancelled = await attempt(item, 'open orders', left, async () => {
      requireAllowed(service);
      const first = await cancelOpen(context, waitMs);
      // What was on its way to the service when trading was stopped.
      return (await answered) ? joined(first, await cancelOpen(context, waitMs)) : first;
    });
    left.push(...(cancelled?.left ?? []));
    const positions = exits ? await attempt(item, 'positions', left, async () => await exitPositions(item)) : [];
    requireNothingLeft(left, isStopped);
    return [
      item.output({
        trading_stopped: true,
        cancelled_orders: cancelled?.orders ?? [],
        cancelled_baskets: cancelled?.baskets ?? [],
        positions: (positions ?? []).map(({ json }) => json),
        ...(isSince12(item) ? { summary: summaryOf(cancelled, positions) } : {}),
        to_trade_again: `Switch "${TRADING_STOPPED}" off in the credential.`,
        environment,
      }),
    ];
  },
};
