/** What n8n's command-line program hands to an execution beside its workflow. */
import './n8n-environment.cjs';
import { ExecutionLifecycleHooks } from 'n8n-core';
import type { ICredentialsHelper, IWorkflowExecuteAdditionalData, Workflow, WorkflowExecuteMode } from 'n8n-workflow';

const base = 'http://localhost/';

export function additionalData(of: {
  mode: WorkflowExecuteMode;
  workflow: Workflow;
  executionId: string;
  credentials: ICredentialsHelper;
}): IWorkflowExecuteAdditionalData {
  const { mode, workflow, executionId, credentials } = of;
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
    getRunExecutionData: async () => undefined,
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
