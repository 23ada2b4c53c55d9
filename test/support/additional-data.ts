/** Data that n8n's command-line program hands to an execution beside its workflow. */
import './n8n-environment.cjs';
import { ExecutionLifecycleHooks } from 'n8n-core';
import type {
  ICredentialsHelper,
  IRunExecutionData,
  IWorkflowExecuteAdditionalData,
  Workflow,
  WorkflowExecuteMode,
} from 'n8n-workflow';

const base = 'http://localhost/';

export function additionalData(of: {
  mode: WorkflowExecuteMode;
  workflow: Workflow;
  executionId: string;
  credentials: ICredentialsHelper;
  /** Executions that n8n has stored, by id. */
  executions?: ReadonlyMap<string, IRunExecutionData>;
  /** Mode in which the execution started that called this workflow. */
  rootExecutionMode?: WorkflowExecuteMode;
}): IWorkflowExecuteAdditionalData {
  const { mode, workflow, executionId, credentials, executions, rootExecutionMode } = of;
  return {
    currentNodeExecutionIndex: 0,
    credentialsHelper: credentials,
    executionId,
    hooks: new ExecutionLifecycleHooks(mode, executionId, {
      id: workflow.id,
      name: 'Test',
      active: false,
      activeVersionId: null,
      isArchived: false,
      nodes: Object.values(workflow.nodes),
      connections: workflow.connectionsBySourceNode,
      createdAt: new Date(0),
      updatedAt: new Date(0),
    } as ConstructorParameters<typeof ExecutionLifecycleHooks>[2]),
    executeWorkflow: async () => {
      throw new Error('The test engine runs no sub-workflows');
    },
    getRunExecutionData: async (id: string) => executions?.get(id),
    ...(rootExecutionMode === undefined ? {} : { rootExecutionMode }),
    getRuntimeCredential: async () => undefined,
    restApiUrl: base,
    instanceBaseUrl: base,
    formBaseUrl: base,
    formWaitingBaseUrl: base,
    formTestBaseUrl: base,
    webhookBaseUrl: base,
    webhookWaitingBaseUrl: base,
    webhookTestBaseUrl: base,
    mcpBaseUrl: base,
    mcpTestBaseUrl: base,
    variables: {},
    logAiEvent: () => {},
  } as unknown as IWorkflowExecuteAdditionalData;
}
