/**
 * Credentials around the engine, rebuilt after the example of n8n's command-line program: the store, and the login
 * before a request, so that a renewed token is really stored.
 */
import './n8n-environment.cjs';
import { Credentials } from 'n8n-core';
import {
  ICredentialsHelper,
  NodeHelpers,
  type ICredentialDataDecryptedObject,
  type ICredentialType,
  type ICredentials,
  type ICredentialsExpressionResolveValues,
  type IExecuteData,
  type IHttpRequestHelper,
  type IHttpRequestOptions,
  type INode,
  type INodeCredentialsDetails,
  type INodeParameters,
  type INodeProperties,
  type IRequestOptionsSimplified,
  type IWorkflowExecuteAdditionalData,
  type Workflow,
  type WorkflowExecuteMode,
} from 'n8n-workflow';
import type { SourceLoader } from './loaded-package';

/** The credentials of the instance: encrypted at rest, read again at every use, as n8n's own helper does. */
export class CredentialStore extends ICredentialsHelper {
  private readonly stored = new Map<string, { name: string; type: string; data: string }>();
  /** Decrypted credentials by their encrypted text: to decrypt takes a twentieth of all the time of these tests. */
  private readonly decrypted = new Map<string, ICredentialDataDecryptedObject>();
  /** Number of logins of a credential type. */
  preAuthentications = 0;

  constructor(private readonly loader: SourceLoader) {
    super();
  }

  async put(id: string, type: string, data: ICredentialDataDecryptedObject): Promise<void> {
    const credentials = new Credentials({ id, name: id }, type);
    await credentials.setData(data);
    this.stored.set(id, { name: id, type, data: credentials.getDataToSave().data as string });
  }

  /** Returns the data stored now, decrypted. */
  async read(id: string): Promise<ICredentialDataDecryptedObject> {
    return await this.dataOf({ id, name: id });
  }

  private typeOf(name: string): ICredentialType {
    return this.loader.getCredential(name).type;
  }

  getParentTypes(): string[] {
    return [];
  }

  isCredentialUsableByNode(type: string, nodeType: string): boolean {
    const { restrictToSupportedNodes, supportedNodes } = this.typeOf(type);
    return (
      !restrictToSupportedNodes ||
      (supportedNodes ?? []).map((name) => `${this.loader.packageName}.${name}`).includes(nodeType.replace(/Tool$/, ''))
    );
  }

  async authenticate(
    credentials: ICredentialDataDecryptedObject,
    typeName: string,
    options: IHttpRequestOptions | IRequestOptionsSimplified,
    workflow?: Workflow,
    node?: INode,
  ): Promise<IHttpRequestOptions> {
    const request = options as IHttpRequestOptions;
    const { authenticate } = this.typeOf(typeName);
    if (typeof authenticate === 'function') return await authenticate(credentials, request);
    if (!authenticate || !workflow || !node) return request;
    const resolve = (value: string) =>
      value.startsWith('=')
        ? String(
            workflow.expression.getSimpleParameterValue(
              node,
              value,
              'internal',
              { $credentials: credentials },
              undefined,
              '',
            ) ?? '',
          )
        : value;
    for (const [part, entries] of Object.entries(authenticate.properties)) {
      const target = ((request as unknown as Record<string, Record<string, string>>)[part] ??= {});
      for (const [key, value] of Object.entries(entries as Record<string, string>))
        target[resolve(key)] = resolve(value);
    }
    return request;
  }

  async preAuthentication(
    helpers: IHttpRequestHelper,
    credentials: ICredentialDataDecryptedObject,
    typeName: string,
    node: INode,
    credentialsExpired: boolean,
  ): Promise<ICredentialDataDecryptedObject | undefined> {
    const type = this.typeOf(typeName);
    const expirable = type.properties.find(
      (property) => property.type === 'hidden' && property.typeOptions?.expirable === true,
    );
    if (!expirable || !type.preAuthentication) return undefined;
    if (credentials[expirable.name] !== '' && !credentialsExpired) return undefined;
    this.preAuthentications += 1;
    const output = await type.preAuthentication.call(helpers, credentials);
    if (output[expirable.name] === undefined || !node.credentials) return undefined;
    const details = node.credentials[typeName] as INodeCredentialsDetails;
    const before = await this.dataOf(details);
    await this.updateCredentials(details, typeName, { ...before, ...output } as ICredentialDataDecryptedObject);
    return Object.assign(credentials, output);
  }

  async runPreAuthentication(
    helpers: IHttpRequestHelper,
    credentials: ICredentialDataDecryptedObject,
    typeName: string,
  ) {
    return (await this.typeOf(typeName).preAuthentication?.call(helpers, credentials)) as
      ICredentialDataDecryptedObject | undefined;
  }

  private async dataOf(details: INodeCredentialsDetails): Promise<ICredentialDataDecryptedObject> {
    const encrypted = this.stored.get(details.id ?? '')?.data ?? '';
    const data = this.decrypted.get(encrypted) ?? (await (await this.getCredentials(details)).getData());
    this.decrypted.set(encrypted, data);
    return structuredClone(data);
  }

  async getCredentials(details: INodeCredentialsDetails): Promise<ICredentials> {
    const entry = this.stored.get(details.id ?? '');
    if (!entry) throw new Error(`No credential has the id ${details.id}`);
    return new Credentials({ id: details.id as string, name: entry.name }, entry.type, entry.data);
  }

  async getDecrypted(
    _additionalData: IWorkflowExecuteAdditionalData,
    details: INodeCredentialsDetails,
    type: string,
    mode: WorkflowExecuteMode,
    executeData?: IExecuteData,
    raw?: boolean,
    where?: ICredentialsExpressionResolveValues,
  ): Promise<ICredentialDataDecryptedObject> {
    const data = await this.dataOf(details);
    if (raw) return data;
    const shown = NodeHelpers.getNodeParameters(
      this.getCredentialsProperties(type),
      data as INodeParameters,
      true,
      false,
      null,
      null,
    ) as ICredentialDataDecryptedObject;
    if (where === undefined) return shown;
    // As n8n does: expressions in a credential see the data of the node that uses it.
    return where.workflow.expression.getParameterValue(
      shown as INodeParameters,
      where.runExecutionData,
      where.runIndex,
      where.itemIndex,
      where.node.name,
      where.connectionInputData,
      mode,
      {},
      executeData,
      false,
      shown as INodeParameters,
    ) as ICredentialDataDecryptedObject;
  }

  async updateCredentials(
    details: INodeCredentialsDetails,
    type: string,
    data: ICredentialDataDecryptedObject,
  ): Promise<void> {
    await this.put(details.id as string, type, data);
  }

  async updateCredentialsOauthTokenData(): Promise<void> {}

  getCredentialsProperties(type: string): INodeProperties[] {
    return this.typeOf(type).properties;
  }
}
