/** Identity of an item's order across tries: its key, or its place in the execution, which only n8n knows. */
import { hash } from 'crypto';
import { InputError } from '../../../client/base/errors';
import type { RecordNoun } from '../../../client/orders/placing/outcome';
import {
  TAKEN_OVER_MS,
  type PlacementContext,
  type PlacementRequest,
  type SameStep,
  type StepOrders,
} from '../../../client/orders/account/placement-context';
import type { StepRun } from '../../../client/orders/account/sent-by-steps';
import { checkedUserTag, tagFrom, type TagSource } from '../../../client/orders/model/tags';
import type { ItemContext } from '../common/itemContext';
import { isAgentTool, type RunContext } from '../common/runContext';
import { keyOf } from './idempotencyKey';
import type { ExecutionCause } from './executionCause';
import { clock } from '../../host/clock';
import { isRetried, mayBeginAgain, recoveredRuns, sharesNodeId } from '../../host/execution';

/** The context in which orders are placed, with the cause of those without a key. */
export type CausedContext = PlacementContext & { cause: ExecutionCause };

/**
 * @throws InputError where an input of several items has one key for all of them: the first item would be placed, and the
 *   others taken for its repeats.
 */
export function requireOwnKey(item: ItemContext): void {
  const keyAt = (index: number): unknown => {
    const options = item.run.parameter('options', index);
    return typeof options === 'object' && options !== null && 'idempotencyKey' in options
      ? options.idempotencyKey
      : undefined;
  };
  const indexes = [...item.run.functions.getInputData().keys()];
  const key = keyAt(item.index);
  if (key === undefined || indexes.length < 2 || indexes.some((index) => keyAt(index) !== key)) return;
  throw new InputError(`All ${indexes.length} items have the same Idempotency Key. Nothing was sent.`, {
    parameter: 'idempotencyKey',
    hint: 'Each order needs its own key: take it from the item, such as {{ $json.alertId }}.',
  });
}

/**
 * Reads the key and the label of an item that cancels before it places: a refusal after that would leave a position without its stop.
 * @throws InputError (parameters `tag`, `idempotencyKey`)
 */
export function requireIdentity(item: ItemContext): void {
  requireOwnKey(item);
  keyOf(item);
  const label = item.group('options').raw('tag');
  if (typeof label === 'string') checkedUserTag(label);
}

type ExecutionSource = Extract<TagSource, { kind: 'execution' }>;

/**
 * The place of an item in the execution that caused it. An agent's tool may be asked for many things in one: what it is asked for counts
 * too. A node is known by its id, as it may have another name when the execution is retried with the workflow of now.
 */
function executionSource(item: ItemContext, terms: object, cause: ExecutionCause): ExecutionSource {
  const { functions, node, workflowData } = item.run;
  const { id, name } = node;
  const called = cause.isStored && !sharesNodeId(functions, id) ? id : `${id} ${name}`;
  const recovered = cause.isStored ? recoveredRuns(functions, name) : 0;
  return {
    kind: 'execution',
    executionId: cause.id,
    nodeId: `${called}${isAgentTool(node) ? ` ${JSON.stringify(terms)}` : ''}`,
    runIndex: Number(workflowData.$runIndex) - recovered,
    itemIndex: item.index,
    establishedAt: cause.establishedAt,
    ...(cause.caller === undefined ? {} : { caller: cause.caller }),
  };
}

/**
 * Returns the run of an AI agent's tool that an item belongs to. n8n gives each try of a tool ("Retry On Fail") a separate run: if an
 * earlier run may have placed the very same, it is taken up again, instead of placing another.
 */
function unclearRunOf(
  source: ExecutionSource,
  tagScope: string,
  { placements, scope }: PlacementContext,
): ExecutionSource {
  for (let runIndex = 0; runIndex < source.runIndex; runIndex++) {
    const earlierSource = { ...source, runIndex };
    if (placements.get(scope, tagFrom('', earlierSource, tagScope))?.state === 'unknown') return earlierSource;
  }
  return source;
}

/** Maximum number of runs of an agent's tool in an earlier try. */
const EARLIER_RUNS = 200;

/**
 * The tags under which an earlier try of an agent may have had its tool place the same: an agent that is retried may ask for the same
 * things in another order. Undefined for what is no such retry.
 */
function earlierTagsOf(
  item: ItemContext,
  source: ExecutionSource,
  tagScopes: readonly string[],
  { isRetry }: ExecutionCause,
): string[] | undefined {
  if (!isRetry || !isAgentTool(item.run.node)) return undefined;
  const runs = Array.from({ length: EARLIER_RUNS }, (_, runIndex) => runIndex);
  return tagScopes.flatMap((tagScope) => runs.map((runIndex) => tagFrom('', { ...source, runIndex }, tagScope)));
}

/** Minimum number of items that an earlier try of the step is thought to have had beyond those of now. */
const EARLIER_ITEMS = 500;
/** The tags of a step's items, by the step and the part of an item. */
const tagsOfSteps = new WeakMap<StepOrders, Map<string, readonly string[]>>();

/** The place of an item's order among those of all items of the step. */
function sameStepOf(item: ItemContext, source: ExecutionSource, tagScope: string, { step }: ExecutionCause): SameStep {
  const itemCount = item.run.functions.getInputData().length;
  const tagsByKey = tagsOfSteps.get(step) ?? new Map<string, readonly string[]>();
  tagsOfSteps.set(step, tagsByKey);
  const tags = (): readonly string[] => {
    const name = `${tagScope}\n${source.part ?? ''}`;
    const made =
      tagsByKey.get(name) ??
      Array.from({ length: itemCount + EARLIER_ITEMS }, (_, itemIndex) =>
        tagFrom('', { ...source, itemIndex }, tagScope),
      );
    tagsByKey.set(name, made);
    return made;
  };
  return { orders: step, tags, itemIndex: item.index, itemCount };
}

/** Returns true if another process may have run this step of the execution, or of the one that it retries. */
export function isRepeat({ functions }: RunContext): boolean {
  const since = functions.getExecutionContext()?.establishedAt;
  if (isRetried(functions) || since === undefined || mayBeginAgain(functions)) return true;
  return isOld(since);
}

/**
 * Returns true if an execution is so old that n8n may have given up the process that runs it.
 * @param establishedAt its start, milliseconds since the epoch
 */
const isOld = (establishedAt: number): boolean => clock.now() - establishedAt > TAKEN_OVER_MS;

/** Returns true if somebody may be retrying the execution at this moment, although it runs. One that is run by hand is run again instead. */
function mayBeRetried({ functions }: RunContext): boolean {
  const since = functions.getExecutionContext()?.establishedAt;
  return since !== undefined && functions.getMode() !== 'manual' && isOld(since);
}

/** Terms as they count for a key: of an instrument only which it is, as its facts may be another's tomorrow. */
function placedTerms(terms: object): object {
  return JSON.parse(
    JSON.stringify(terms, (name, value: unknown) =>
      name === 'instrument' && typeof value === 'object' && value !== null && 'refId' in value ? value.refId : value,
    ),
  ) as object;
}

/** Identity of an order or a basket across tries, in the client's terms. */
type Identity = Pick<
  PlacementRequest<object>,
  | 'tag'
  | 'formerTag'
  | 'keyed'
  | 'isRepeat'
  | 'isRetry'
  | 'mayBeRetried'
  | 'step'
  | 'sameCause'
  | 'sameStep'
  | 'earlierTags'
>;

/**
 * Returns the identity of the item's order or basket across tries. One key may place an order and a basket: the tags of baskets have a
 * separate scope.
 * @param terms the order or basket to place.
 * @param part its part, if one item places several.
 * @param label the user's own label, if it differs from the option Tag.
 * @throws InputError (parameters `tag`, `idempotencyKey`); the cause's `refusal`
 */
export function identityFor(
  item: ItemContext,
  terms: object,
  noun: RecordNoun,
  context: CausedContext,
  part?: string,
  label?: string,
): Identity {
  const scopeOf = (account: string): string => (noun === 'order' ? account : `${account} baskets`);
  const tagScope = scopeOf(context.scope);
  const formerScope = context.formerScope === undefined ? undefined : scopeOf(context.formerScope);
  const options = item.group('options');
  const tag = label ?? options.raw('tag');
  const userTag = typeof tag === 'string' ? tag : options.optionalText('tag');
  const key = keyOf(item);
  const { cause } = context;
  const repeat = isRepeat(item.run);
  const tagged = (source: TagSource): Pick<Identity, 'tag' | 'formerTag'> => ({
    tag: tagFrom(userTag, source, tagScope),
    ...(formerScope === undefined ? {} : { formerTag: () => tagFrom(userTag, source, formerScope) }),
  });
  if (key !== undefined)
    return {
      ...tagged({ kind: 'key', key, part, terms: placedTerms(terms) }),
      keyed: true,
      isRepeat: repeat,
      isRetry: cause.isRetry,
    };
  if (cause.refusal !== undefined) throw cause.refusal;
  const place = { ...executionSource(item, terms, cause), part };
  const source = isAgentTool(item.run.node) ? unclearRunOf(place, tagScope, context) : place;
  const scopes = [tagScope, ...(formerScope === undefined ? [] : [formerScope])];
  return {
    ...tagged(source),
    keyed: false,
    isRepeat: repeat,
    isRetry: cause.isRetry,
    mayBeRetried: mayBeRetried(item.run),
    ...(cause.sameCause === undefined ? {} : { sameCause: cause.sameCause }),
    ...(repeat && !isAgentTool(item.run.node) ? { sameStep: sameStepOf(item, source, tagScope, cause) } : {}),
    earlierTags: earlierTagsOf(item, source, scopes, cause),
  };
}

/**
 * Returns the run of a step that asks for an order. An order of unknown outcome that is led back to its step comes with prices of now: so the
 * instrument, the side, the product and the quantity count.
 */
function stepRunOf(item: ItemContext, terms: object, noun: RecordNoun, cause: ExecutionCause, part: string): StepRun {
  const ordered = (value: object): object => {
    const { instrument, side, product, quantity, multiplier, legs } = value as Readonly<Record<string, unknown>>;
    return {
      instrument,
      side,
      product,
      quantity,
      multiplier,
      legs: Array.isArray(legs) ? legs.map(ordered) : undefined,
    };
  };
  const { executionId, nodeId, runIndex } = executionSource(item, terms, cause);
  const order = JSON.stringify([noun, executionId, nodeId, part, ordered(placedTerms(terms))]);
  return { order: hash('sha256', order), run: runIndex };
}

/**
 * As `identityFor`, for an order of a step that may run again within its execution, in a loop or because its error output leads back to it. If
 * nobody knows what became of the same order of an earlier run, it is that order, and no other one is placed.
 * @throws what `identityFor` throws
 */
export function stepIdentityFor(
  ...[item, terms, noun, context, part, label]: Parameters<typeof identityFor>
): Identity {
  const identity = identityFor(item, terms, noun, context, part, label);
  if (identity.keyed || isAgentTool(item.run.node)) return identity;
  const step = stepRunOf(item, terms, noun, context.cause, part ?? '');
  const tag = context.placements.takeUp(context.scope, identity.tag, step);
  if (tag === undefined) return { ...identity, step };
  const { keyed, isRepeat: repeat, isRetry, mayBeRetried: retried } = identity;
  return { tag, keyed, isRepeat: repeat, isRetry, mayBeRetried: retried, step };
}
