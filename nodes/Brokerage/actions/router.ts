import {
  NodeOperationError,
  type ExecutionBaseError,
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
} from 'n8n-workflow';
import { attempt } from '../../../client/attempt';
import { concurrently } from '../../../client/concurrency';
import { InputError, RejectedError, UnknownOutcomeError, type InstrumentChoice } from '../../../client/base/errors';
import { showValue } from '../../../client/values/input';
import { istDate } from '../../../client/values/time';
import { labelOf, nodeError } from '../../shared/errors';
import { collectionFields, requireEntries, requireFields } from '../../shared/collectionFields';
import { ItemContext } from '../common/itemContext';
import {
  MAX_CONCURRENT,
  type BatchOperation,
  type FailItem,
  type ItemOperation,
  type Operation,
} from '../common/operation';
import { resources } from './resources';
import { LABELS_VERSION } from '../../shared/itemLabels';
import { RunContext, isAgentTool } from '../common/runContext';

const knownFields = collectionFields(
  Object.values(resources).flatMap(({ operations }) =>
    Object.values(operations).flatMap(({ properties }) => properties),
  ),
);

/** @throws InputError if a collection of the operation is written so that some of it would be passed over. */
function requireCollections({ node, properties }: RunContext): void {
  for (const name of collectionFields(properties).keys())
    requireFields(node.parameters[name], knownFields.get(name) ?? new Set(), name, labelOf(properties, name) ?? name);
  for (const property of properties) requireEntries(node.parameters[property.name], property);
}

/** The operation that the node is set to. */
function chosenOperation(functions: IExecuteFunctions): Operation {
  const resource = functions.getNodeParameter('resource', 0) as string;
  const name = functions.getNodeParameter('operation', 0) as string;
  const operations = Object.hasOwn(resources, resource) ? resources[resource]?.operations : undefined;
  const operation = operations && Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (!operation) {
    throw new NodeOperationError(
      functions.getNode(),
      `This version of the node has no operation ${showValue(name)} of ${showValue(resource)}`,
      {
        description: 'Choose the resource and the operation again.',
      },
    );
  }
  if (operation.notForAgents === true && isAgentTool(functions.getNode())) {
    throw new NodeOperationError(functions.getNode(), `"${operation.name}" is not for AI agents`, {
      description: 'It makes, shows or changes secrets or logins. Run it yourself in a workflow. Nothing was sent.',
    });
  }
  return operation;
}

/**
 * Returns the output of a failed item while the node continues: keys that n8n takes for an error, so that it leaves by the error output if
 * there is one.
 * @param before orders that were placed for the item before it failed, or may have been: no other output holds them.
 */
function errorItem(
  failure: ExecutionBaseError,
  cause: unknown,
  itemIndex: number,
  before: Before = { placed: [], unclear: [] },
): INodeExecutionData {
  const details: IDataObject = { itemIndex };
  if (failure.description) details.description = failure.description;
  if (failure.context.hint !== undefined) details.hint = failure.context.hint;
  if (failure.context.parameter !== undefined) details.parameter = failure.context.parameter;
  if ('httpCode' in failure && typeof failure.httpCode === 'string') details.httpCode = failure.httpCode;
  if (cause instanceof InputError && cause.choices.length > 0) details.choices = copyOf(cause.choices);
  if (cause instanceof UnknownOutcomeError) Object.assign(details, { outcome: 'unknown', tag: cause.tag });
  if (cause instanceof RejectedError) Object.assign(details, { outcome: 'rejected', ...cause.id, tag: cause.tag });
  if (before.placed.length > 0) details.placed = [...before.placed];
  if (before.unclear.length > 0) details.unclear = [...before.unclear];
  return { json: { error: failure.message, details }, pairedItem: { item: itemIndex } };
}

const copyOf = (choices: readonly InstrumentChoice[]): IDataObject[] => choices.map((choice) => ({ ...choice }));

/**
 * Returns the answer that an agent gets instead of an error if a name is ambiguous, or unknown: the choices, as data. It gets no advice: it
 * names its choice in its next call.
 */
function choicesItem(message: string, { choices, parameter }: InputError, itemIndex: number): INodeExecutionData {
  const json: IDataObject = { error: message, choices: copyOf(choices) };
  if (parameter !== undefined) json.parameter = parameter;
  return { json, pairedItem: { item: itemIndex } };
}

/** Puts what to do, and what was placed, into the message: n8n tells an agent nothing else of an error. */
function moveIntoMessage(failure: ExecutionBaseError): void {
  failure.message = [failure.message, failure.description ?? ''].filter(Boolean).join('\n');
  failure.description = undefined;
}

/** Ids of what was placed beside an error, and tags of what may have been. */
interface Before {
  placed: readonly string[];
  unclear: readonly string[];
}

/** Returns the orders placed beside an error, for the same item or for others; those that the error is about are excluded. */
function placedBeside(run: RunContext, error: unknown, itemIndex?: number): Before {
  const own: string[] = error instanceof RejectedError ? Object.values(error.id) : [];
  if (error instanceof UnknownOutcomeError) own.push(error.tag);
  const isOf = (item: { itemIndex: number }): boolean => itemIndex === undefined || item.itemIndex === itemIndex;
  const others = (names: readonly string[]): string[] => [...new Set(names)].filter((name) => !own.includes(name));
  return {
    placed: others(run.placed.filter(isOf).map(({ id }) => id)),
    unclear: others(run.unclear.filter(isOf).map(({ tag }) => tag)),
  };
}

/**
 * Runs the chosen operation over the input items. One that only reads takes the sandbox's time from an earlier reply, which spares a request;
 * if the replies then show that the clock was moved, it runs again.
 */
export async function route(functions: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const operation = chosenOperation(functions);
  const output =
    'concurrent' in operation
      ? await readOutput(operation, functions)
      : await outputOf(operation, new RunContext(functions, operation.properties));
  if (output.length > 0 || operation.nothing === undefined) return [output];
  functions.addExecutionHints({ message: operation.nothing, location: 'outputPane' });
  const node = functions.getNode();
  if (!isAgentTool(node) || node.typeVersion < LABELS_VERSION) return [output];
  // An agent is told an empty text of no items, and would have to guess what that means.
  return [[{ json: { summary: operation.nothing }, pairedItem: { item: 0 } }]];
}

async function readOutput(operation: ItemOperation, functions: IExecuteFunctions): Promise<INodeExecutionData[]> {
  const run = new RunContext(functions, operation.properties, true);
  const output = await attempt(outputOf(operation, run));
  if (await run.wasClockMoved()) return await outputOf(operation, new RunContext(functions, operation.properties));
  if (output.ok) return output.value;
  throw output.error;
}

/** @throws ExecutionBaseError where an item fails and the node does not continue. */
async function outputOf(operation: Operation, run: RunContext): Promise<INodeExecutionData[]> {
  const { functions } = run;
  let ended: ExecutionBaseError | undefined;
  const failed: FailItem = (error, itemIndex) => {
    // What ended the run is on its way already.
    if (ended !== undefined && error === ended) throw ended;
    const failure = nodeError(functions.getNode(), error, {
      itemIndex,
      ...(itemIndex === undefined ? {} : { item: functions.getInputData()[itemIndex]?.json }),
      properties: operation.properties,
      today: istDate(run.market.now()),
      secrets: run.secrets,
    });
    const goesOn = functions.continueOnFail() && !run.signal?.aborted;
    // Where the run ends, the items before are lost with it, and must not be placed again.
    const before = placedBeside(run, error, goesOn ? itemIndex : undefined);
    const { placed, unclear } = before;
    const isAlone = placed.length + unclear.length === 0;
    if (isAlone && error instanceof InputError && error.choices.length > 0 && isAgentTool(functions.getNode()))
      return choicesItem(failure.message, error, itemIndex);
    const notes = [
      placed.length > 0 ? [`Placed before this error, and still there: ${placed.join(', ')}`] : [],
      unclear.length > 0
        ? [`It is not known either whether these were placed; look for their tags: ${unclear.join(', ')}`]
        : [],
    ].flat();
    if (notes.length > 0) failure.description = [failure.description ?? '', ...notes].join('\n');
    if (isAgentTool(run.node) && run.node.typeVersion >= LABELS_VERSION) moveIntoMessage(failure);
    if (goesOn) return errorItem(failure, error, itemIndex, before);
    ended = failure;
    throw failure;
  };
  return 'executeAll' in operation
    ? await executeAll(operation, run, failed)
    : await executeItems(operation, run, failed);
}

/** Runs each item separately, one after another, or several at the same time if they only read: the results have the order of the items. */
async function executeItems(
  operation: ItemOperation,
  run: RunContext,
  failed: FailItem,
): Promise<INodeExecutionData[]> {
  const outputs = await concurrently(
    [...run.functions.getInputData().keys()],
    operation.concurrent ? MAX_CONCURRENT : 1,
    async (itemIndex) => {
      try {
        run.signal?.throwIfAborted();
        requireCollections(run);
        return await operation.execute(new ItemContext(run, itemIndex));
      } catch (error) {
        return [failed(error, itemIndex)];
      }
    },
  );
  return outputs.flat();
}

/** An error of all items together is the error of each where the node goes on. */
async function executeAll(operation: BatchOperation, run: RunContext, failed: FailItem): Promise<INodeExecutionData[]> {
  try {
    requireCollections(run);
    return await operation.executeAll(run, failed);
  } catch (error) {
    return [...run.functions.getInputData().keys()].map((itemIndex) => failed(error, itemIndex));
  }
}
