/** What placing needs besides the order itself: the tag, the guards' facts, the process's memory of what it placed. */
import { InputError } from '../../../../client/errors';
import { isTradingDay } from '../../../../client/instruments/catalogue';
import type { Exchange } from '../../../../client/instruments/instrument';
import { checkGuards, type Guards } from '../../../../client/orders/guards';
import {
  orderIdOf,
  tagOf,
  type OrderRecord,
  type OrderTerms,
  type TradedInstrument,
} from '../../../../client/orders/order';
import type { PlacementContext, OrderRequest } from '../../../../client/orders/place';
import { getOrders } from '../../../../client/orders/read';
import { identityOf, tagFrom, tradingScope, type TagSource } from '../../../../client/orders/tags';
import { getCurrentPrice } from '../../../../client/market/quotes';
import { shown } from '../../../../client/values/input';
import type { JsonObject } from '../../../../client/values/json';
import { nanosToMs } from '../../../../client/values/time';
import type { FollowOrder } from '../../../../client/orders/wait';
import { clock } from '../../../shared/clock';
import { accountKey, hub } from '../../../shared/feeds';
import { placements } from '../../../shared/placements';
import { priceUnitOf } from '../fields';
import { isAgentTool, type ItemContext } from '../itemContext';
import { today } from '../lookup';
import { isAbsent } from '../parameters';
import type { Service } from '../runContext';

/** The context of the credential's account. */
export function placementContext(service: Service, signal?: AbortSignal): PlacementContext {
  const { credential, transport } = service;
  return { transport, placements, scope: tradingScope(credential), signal };
}

/** Listens to the stream of a trigger of this process, where one runs on the account; a partial fill decides nothing. */
export function followOrder({ credential }: Service): FollowOrder {
  return (orderId, onChange) =>
    hub.follow(accountKey(credential), ({ order, trade }) => {
      if (order.orderId === orderId && (trade === undefined || order.end !== '')) onChange();
    });
}

/** Where an execution keeps the id of the first try, as n8n's custom data: a retry from the list of executions brings it along. */
const FIRST_EXECUTION = 'brokerage_first_execution';

/** n8n's custom data of an execution. */
interface CustomData {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
}

/**
 * The id of the execution that tried first. "Retry" in n8n's list of executions runs the node again, with all its items,
 * under a new id.
 * @throws InputError when a retry cannot tell what the first try placed.
 */
function firstExecutionId(item: ItemContext): string {
  const { functions } = item.run;
  const own = functions.getExecutionId() ?? item.run.id;
  const { customData } = item.run.workflowData.$execution as { customData?: CustomData };
  const first = customData?.get(FIRST_EXECUTION);
  if (first !== undefined) return first;
  customData?.set(FIRST_EXECUTION, own);
  if (functions.getMode() === 'retry' && customData?.get(FIRST_EXECUTION) !== own) {
    throw new InputError(
      'This is a retry of an execution that kept no record of what it placed, so that nothing was sent.',
      {
        hint: "The execution holds ten entries of custom data already, which is n8n's limit. Give an Idempotency Key, which needs no record, or look at the orders and run the workflow anew.",
      },
    );
  }
  return own;
}

/**
 * The key of the item's order; undefined where the person wants none.
 * @throws InputError for one that is empty or is no text: every order with such a key would be taken for the same one, and
 *   without it an alert that comes twice would be two orders.
 */
function keyOf(item: ItemContext): string | undefined {
  const options = item.raw('options');
  if (typeof options !== 'object' || options === null || !Object.hasOwn(options, 'idempotencyKey')) return undefined;
  const key = item.group('options').raw('idempotencyKey');
  const isText = typeof key === 'string' && key.trim() !== '' && !key.includes('[object Object]');
  if (isText || (typeof key === 'number' && Number.isFinite(key) && Math.abs(key) <= Number.MAX_SAFE_INTEGER))
    return String(key);
  if (typeof key === 'number' && Number.isFinite(key)) {
    throw new InputError(
      `Idempotency Key ${shown(key)} came as a number that is too long to be exact: another alert can have the same. Nothing was sent.`,
      {
        parameter: 'idempotencyKey',
        hint: 'Have the sender give its id as text (in quotes), or take another field that is different for every cause of an order.',
      },
    );
  }
  const what = isAbsent(key) ? 'is empty' : `must be text or a number, but is ${shown(key)}`;
  throw new InputError(`Idempotency Key ${what}. Nothing was sent.`, {
    parameter: 'idempotencyKey',
    hint: 'Look at what its expression gives for this item: it must be the id of what caused the order. Remove the option to place without a key.',
  });
}

/** Where the tags of orders, or those of baskets, are kept: one key may place an order and a basket. */
interface TagScope {
  /** Of the placements. */
  scope: string;
  /** What the tags belong to. */
  tags: string;
}

/** An execution, told apart from those of other n8n instances. */
const executionOf = (item: ItemContext, id: string): string => `${item.run.functions.getInstanceId()} ${id}`;

/** What makes the item's request one and the same when it is tried again. */
function sourceOf(item: ItemContext, tagScope: TagScope, terms: object): TagSource {
  const key = keyOf(item);
  if (key !== undefined) return { kind: 'key', key };
  const { id, name } = item.run.node;
  const source = {
    kind: 'execution',
    executionId: executionOf(item, firstExecutionId(item)),
    nodeId: `${id} ${name}`,
    runIndex: Number(item.run.workflowData.$runIndex),
    itemIndex: item.index,
  } as const;
  return isAgentTool(item.run.node)
    ? sourceOfTool({ ...source, nodeId: `${source.nodeId} ${JSON.stringify(terms)}` }, tagScope)
    : source;
}

/**
 * The source of what an AI agent places. n8n gives each try of a tool ("Retry On Fail") a run of its own: a run of which
 * nobody can tell whether it placed the very same is taken up again, instead of placing another.
 */
function sourceOfTool(source: Extract<TagSource, { kind: 'execution' }>, { scope, tags }: TagScope): TagSource {
  for (let runIndex = 0; runIndex < source.runIndex; runIndex++) {
    const earlier = { ...source, runIndex };
    if (placements.get(scope, tagFrom('', earlier, tags))?.state === 'unknown') return earlier;
  }
  return source;
}

const tagScopeOf = ({ scope }: PlacementContext, what: 'order' | 'basket'): TagScope => ({
  scope,
  tags: what === 'order' ? scope : `${scope} baskets`,
});

/** So many executions before a retry one may have been its first try. */
const EARLIER_EXECUTIONS = 20_000;
/** How far the clocks of n8n and of the service may be apart. */
const CLOCKS_APART_MS = 600_000;

/**
 * Makes sure that the first try of a retry did not place the order, where it kept no record, as n8n was killed before it
 * stored one: then the order is in the day's list with the tag of an execution before this one.
 * @param list reads the orders, or the baskets, of the day.
 * @throws InputError when there is one; see `getOrders`
 */
export async function requireNoTrace(
  item: ItemContext,
  context: PlacementContext,
  terms: object,
  what: 'order' | 'basket',
  list: () => Promise<JsonObject[]>,
): Promise<void> {
  const { functions } = item.run;
  if (functions.getMode() !== 'retry') return;
  const own = functions.getExecutionId() ?? '';
  const tagScope = tagScopeOf(context, what);
  const source = sourceOf(item, tagScope, terms);
  if (source.kind === 'key' || !/^\d+$/.test(own) || firstExecutionId(item) !== own) return;
  const earlier = new Set<string>();
  for (let id = Number(own) - 1; id > 0 && id >= Number(own) - EARLIER_EXECUTIONS; id--)
    earlier.add(tagFrom('', { ...source, executionId: executionOf(item, String(id)) }, tagScope.tags));
  const since = (functions.getExecutionContext()?.establishedAt ?? 0) - CLOCKS_APART_MS;
  const trace = (await list()).find(
    (record) => earlier.has(identityOf(tagOf(record))) && (nanosToMs(record.order_time) ?? Infinity) >= since,
  );
  if (trace === undefined) return;
  throw new InputError(
    `This is a retry of an execution that kept no record, and since that began this step placed the ${what} with the tag ${tagOf(trace)}. It may be this one, so that nothing was sent.`,
    {
      hint: `Look at that ${what}. If it is another, run the workflow anew. With an Idempotency Key no record is needed.`,
    },
  );
}

/**
 * The tag of the item's order or basket, and whether it comes from a key.
 * @param terms what is to be placed.
 */
export function tagFor(
  item: ItemContext,
  context: PlacementContext,
  terms: object,
  what: 'order' | 'basket',
): { tag: string; keyed: boolean } {
  const tagScope = tagScopeOf(context, what);
  const source = sourceOf(item, tagScope, terms);
  const options = item.group('options');
  const given = options.raw('tag');
  const userTag = typeof given === 'string' ? given : options.optionalText('tag');
  return { tag: tagFrom(userTag, source, tagScope.tags), keyed: source.kind === 'key' };
}

/**
 * Checks an order against all guards.
 * @returns its value in paise where a guard reckoned it, for the day's limit.
 * @throws InputError that names the guard, before anything is sent.
 */
export async function passGuards(
  item: ItemContext,
  service: Service,
  guards: readonly Guards[],
  order: GuardedOrder,
  context: PlacementContext,
): Promise<number> {
  const { transport, connection } = service;
  const { traded, terms, tag, replaces } = order;
  const { signal } = item.run;
  const orders = async () =>
    (await getOrders(transport, signal)).map((one) =>
      replaces !== undefined && orderIdOf(one) === orderIdOf(replaces) ? { ...one, order_qty: 0, filled_qty: 0 } : one,
    );
  let value = 0;
  for (const guard of guards) {
    const reckoned = await checkGuards(terms, guard, {
      environment: connection.environment,
      instrument: traded,
      now: clock.now(),
      unit: priceUnitOf(item),
      lastPrice: async () => (await getCurrentPrice(transport, traded.symbol, traded.exchange, signal)).price,
      day: { orders, placements, scope: context.scope, tag },
      isTradingDay: async () => await isTradingDay(transport, traded.exchange as Exchange, today(), signal),
    });
    value = Math.max(value, reckoned);
  }
  return value;
}

interface GuardedOrder {
  terms: OrderTerms;
  traded: TradedInstrument;
  tag: string;
  /** The order as it is before a change: it no longer counts beside what it becomes. */
  replaces?: OrderRecord;
}

/** Gives back what the guards held of the day's limit for an order that is not sent under this tag, or no longer needs it. */
export function release(context: PlacementContext, tag: string): void {
  context.placements.release(context.scope, tag);
}

/** The item's order with its tag and its guards, ready to be placed. */
export function requestOf(
  item: ItemContext,
  service: Service,
  guards: readonly Guards[],
  order: Omit<GuardedOrder, 'tag' | 'replaces'>,
  context: PlacementContext,
): OrderRequest & { guard: () => Promise<number> } {
  const { terms } = order;
  const { tag, keyed } = tagFor(item, context, terms, 'order');
  const guard = async (): Promise<number> => {
    await requireNoTrace(
      item,
      context,
      terms,
      'order',
      async () => await getOrders(service.transport, item.run.signal),
    );
    return await passGuards(item, service, guards, { ...order, tag }, context);
  };
  return { terms, tag, keyed, guard };
}
