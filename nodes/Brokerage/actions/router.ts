import {
  NodeOperationError,
  type ExecutionBaseError,
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
} from 'n8n-workflow';
import { together } from '../../../client/concurrency';
import { RejectedError, UnknownOutcomeError } from '../../../client/errors';
import { nodeError } from '../../shared/errors';
import { ItemContext } from './itemContext';
import { MOST_TOGETHER, type BatchOperation, type Failed, type ItemOperation, type Operation } from './operation';
import { resources } from './resources';
import { RunContext } from './runContext';

/** The operation that the node is set to. */
function chosenOperation(functions: IExecuteFunctions): Operation {
  const resource = functions.getNodeParameter('resource', 0) as string;
  const name = functions.getNodeParameter('operation', 0) as string;
  const operations = Object.hasOwn(resources, resource) ? resources[resource]?.operations : undefined;
  const operation = operations && Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (!operation) {
    throw new NodeOperationError(
      functions.getNode(),
      `This version of the node has no operation "${name}" of "${resource}"`,
      {
        description: 'Choose the resource and the operation again.',
      },
    );
  }
  return operation;
}

/**
 * What an item becomes that failed while the node goes on: keys that n8n takes for an error, so that it leaves by the
 * error output where there is one.
 */
export function errorItem(failure: ExecutionBaseError, cause: unknown, itemIndex: number): INodeExecutionData {
  const details: IDataObject = { itemIndex };
  if (failure.description) details.description = failure.description;
  if (failure.context.parameter !== undefined) details.parameter = failure.context.parameter;
  if ('httpCode' in failure && typeof failure.httpCode === 'string') details.httpCode = failure.httpCode;
  if (cause instanceof UnknownOutcomeError) Object.assign(details, { outcome: 'unknown', tag: cause.tag });
  if (cause instanceof RejectedError) Object.assign(details, { outcome: 'rejected', ...cause.id, tag: cause.tag });
  return { json: { error: failure.message, details }, pairedItem: { item: itemIndex } };
}

/** What was placed before an error ended the run: its items are lost with it, and must not be placed again. */
function doneBefore(operation: Operation, done: readonly INodeExecutionData[]): string {
  const ids = done.map(({ json }) => json.order_id ?? json.basket_id).filter((id) => typeof id === 'string');
  return operation.places && ids.length > 0 ? `\nPlaced before this error, and still there: ${ids.join(', ')}` : '';
}

/** Runs the chosen operation over the input items. */
export async function route(functions: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const operation = chosenOperation(functions);
  const run = new RunContext(functions, operation);
  const failed: Failed = (error, itemIndex, done = []) => {
    const failure = nodeError(functions.getNode(), error, { itemIndex, properties: operation.properties });
    if (functions.continueOnFail() && !run.signal?.aborted) return errorItem(failure, error, itemIndex);
    failure.description = `${failure.description ?? ''}${doneBefore(operation, done)}`;
    throw failure;
  };
  const output =
    'executeAll' in operation ? await executeAll(operation, run, failed) : await executeItems(operation, run, failed);
  if (output.length === 0 && operation.nothing !== undefined)
    functions.addExecutionHints({ message: operation.nothing, location: 'outputPane' });
  return [output];
}

/**
 * Each item for itself, one after another, or several at the same time where they only ask: what they gave out stands in
 * the order of the items.
 */
async function executeItems(operation: ItemOperation, run: RunContext, failed: Failed): Promise<INodeExecutionData[]> {
  const done: INodeExecutionData[] = [];
  const outputs = await together(
    [...run.functions.getInputData().keys()],
    operation.together ? MOST_TOGETHER : 1,
    async (itemIndex) => {
      try {
        run.signal?.throwIfAborted();
        const made = await operation.execute(new ItemContext(run, itemIndex));
        for (const one of made) done.push(one);
        return made;
      } catch (error) {
        return [failed(error, itemIndex, done)];
      }
    },
  );
  return outputs.flat();
}

/** An error of all items together is the error of each where the node goes on. */
async function executeAll(operation: BatchOperation, run: RunContext, failed: Failed): Promise<INodeExecutionData[]> {
  try {
    return await operation.executeAll(run, failed);
  } catch (error) {
    return [...run.functions.getInputData().keys()].map((itemIndex) => failed(error, itemIndex));
  }
}
