/** What makes two tries of an item one and the same: its key, or its place in the execution, as only n8n knows it. */
import { InputError } from '../../../client/base/errors';
import type { Noun } from '../../../client/orders/placing/outcome';
import type { PlacementContext, PlacementRequest } from '../../../client/orders/account/placement-context';
import { tagFrom, type TagSource } from '../../../client/orders/model/tags';
import { isAgentTool, type ItemContext } from '../common/itemContext';
import type { RunContext } from '../common/runContext';
import { keyOf } from './idempotencyKey';
import { customDataOf } from './executionRecord';
import { clock } from '../../host/clock';

/** Where an execution keeps the id of the first try, as n8n's custom data: a retry from the list of executions brings it along. */
const FIRST_EXECUTION = 'brokerage_first_execution';

/**
 * The id of the execution that tried first. "Retry" in n8n's list of executions runs the node again, with all its items,
 * under a new id.
 * @throws InputError when a retry cannot tell what the first try placed.
 */
function firstExecutionId(item: ItemContext): string {
  const { functions } = item.run;
  const own = functions.getExecutionId() ?? item.run.id;
  const customData = customDataOf(item.run);
  const first = customData?.get(FIRST_EXECUTION);
  if (first !== undefined) return first;
  customData?.set(FIRST_EXECUTION, own);
  if (functions.getMode() === 'retry' && customData?.get(FIRST_EXECUTION) !== own) {
    throw new InputError(
      'This is a retry of an execution that kept no record of what it placed, so nothing was sent.',
      {
        hint: "The execution holds ten entries of custom data already, which is n8n's limit. Use an Idempotency Key, which needs no record, or check the orders and run the workflow again from the start.",
      },
    );
  }
  return own;
}

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

type ExecutionSource = Extract<TagSource, { kind: 'execution' }>;

/** An execution, told apart from those of other n8n instances. */
const executionOf = (item: ItemContext, id: string): string => `${item.run.functions.getInstanceId()} ${id}`;

/** The place of an item in its execution. An agent's tool may be asked for many things in one: what it is asked for counts too. */
function executionSource(item: ItemContext, terms: object): ExecutionSource {
  const { id, name } = item.run.node;
  return {
    kind: 'execution',
    executionId: executionOf(item, firstExecutionId(item)),
    nodeId: `${id} ${name}${isAgentTool(item.run.node) ? ` ${JSON.stringify(terms)}` : ''}`,
    runIndex: Number(item.run.workflowData.$runIndex),
    itemIndex: item.index,
    establishedAt: item.run.functions.getExecutionContext()?.establishedAt,
  };
}

/**
 * The run of an AI agent's tool that an item belongs to. n8n gives each try of a tool ("Retry On Fail") a run of its own:
 * a run of which nobody can tell whether it placed the very same is taken up again, instead of placing another.
 */
function unclearRunOf(
  source: ExecutionSource,
  tagScope: string,
  { placements, scope }: PlacementContext,
): ExecutionSource {
  for (let runIndex = 0; runIndex < source.runIndex; runIndex++) {
    const earlier = { ...source, runIndex };
    if (placements.get(scope, tagFrom('', earlier, tagScope))?.state === 'unknown') return earlier;
  }
  return source;
}

/** So many executions before a retry one may have been its first try. */
const EARLIER_EXECUTIONS = 20_000;

/**
 * The tags under which the first try of a retry may have placed it, where it kept no record, as n8n was killed before it
 * stored one: those of the executions before this one that began when the first try did. Undefined for what is no such retry.
 */
function earlierTagsOf(
  item: ItemContext,
  source: ExecutionSource,
  tagScopes: readonly string[],
): Iterable<string> | undefined {
  const { functions } = item.run;
  const own = functions.getExecutionId() ?? '';
  if (functions.getMode() !== 'retry' || !/^\d+$/.test(own) || firstExecutionId(item) !== own) return undefined;
  // Twenty thousand tags an item: made when they are looked at.
  return {
    *[Symbol.iterator]() {
      for (let id = Number(own) - 1; id > 0 && id >= Number(own) - EARLIER_EXECUTIONS; id--)
        for (const tagScope of tagScopes)
          yield tagFrom('', { ...source, executionId: executionOf(item, String(id)) }, tagScope);
    },
  };
}

/** In queue mode another worker takes over what a dead one left, half a minute after it at the earliest. */
const TAKEN_OVER_MS = 20_000;

/** Whether another process may have run this step of the execution, or of the one of which it is a retry. */
export function isRepeat({ functions }: RunContext): boolean {
  const since = functions.getExecutionContext()?.establishedAt;
  return functions.getMode() === 'retry' || since === undefined || clock.now() - since > TAKEN_OVER_MS;
}

/** Terms as they count for a key: of an instrument only which it is, as its facts may be another's tomorrow. */
function placedTerms(terms: object): object {
  return JSON.parse(
    JSON.stringify(terms, (name, value: unknown) =>
      name === 'instrument' && typeof value === 'object' && value !== null && 'refId' in value ? value.refId : value,
    ),
  ) as object;
}

/** What makes an order or a basket one and the same when it is tried again, as the client is told. */
type Identity = Pick<PlacementRequest<object>, 'tag' | 'formerTag' | 'keyed' | 'isRepeat' | 'earlierTags'>;

/**
 * What makes the item's order or basket one and the same when it is tried again. One key may place an order and a basket:
 * the tags of baskets have a scope of their own.
 * @param terms what is to be placed.
 * @param part which of several it is, where one item places several.
 * @param label the person's own label, where it is not that of the option Tag.
 * @throws InputError (parameters `tag`, `idempotencyKey`); see `firstExecutionId`
 */
export function identityFor(
  item: ItemContext,
  terms: object,
  noun: Noun,
  context: PlacementContext,
  part?: string,
  label?: string,
): Identity {
  const scopeOf = (account: string): string => (noun === 'order' ? account : `${account} baskets`);
  const tagScope = scopeOf(context.scope);
  const formerScope = context.formerScope === undefined ? undefined : scopeOf(context.formerScope);
  const options = item.group('options');
  const given = label ?? options.raw('tag');
  const userTag = typeof given === 'string' ? given : options.optionalText('tag');
  const key = keyOf(item);
  const repeat = isRepeat(item.run);
  const tagged = (source: TagSource): Pick<Identity, 'tag' | 'formerTag'> => ({
    tag: tagFrom(userTag, source, tagScope),
    ...(formerScope === undefined ? {} : { formerTag: tagFrom(userTag, source, formerScope) }),
  });
  if (key !== undefined)
    return { ...tagged({ kind: 'key', key, part, terms: placedTerms(terms) }), keyed: true, isRepeat: repeat };
  const place = { ...executionSource(item, terms), part };
  const source = isAgentTool(item.run.node) ? unclearRunOf(place, tagScope, context) : place;
  const scopes = [tagScope, ...(formerScope === undefined ? [] : [formerScope])];
  return {
    ...tagged(source),
    keyed: false,
    isRepeat: repeat,
    earlierTags: earlierTagsOf(item, source, scopes),
  };
}
