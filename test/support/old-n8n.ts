/** An n8n before 2.34 (seen in 1.123), with one credential, and the service that it logs in to. */
import { randomUUID } from 'crypto';
import { Readable } from 'stream';
import type {
  IAllExecuteFunctions,
  ICredentialDataDecryptedObject,
  IHttpRequestHelper,
  IHttpRequestOptions,
} from 'n8n-workflow';
import { BrokerageApi } from '../../credentials/BrokerageApi.credentials';
import { BASE, LoginModel, MPIN, PHONE, SECRET } from './login-service';
import type { VirtualTime } from './virtual-time';

/** Error that n8n makes of a failed request: without a cause, and without a special class. */
class OldNodeApiError extends Error {
  override readonly cause = undefined;
  readonly httpCode = null;
}

/** One credential of an old n8n, and the service that it logs in to. */
export class OldN8n {
  readonly service: LoginModel;
  private readonly type = new BrokerageApi();
  /** True if what the login step returns is stored. */
  stores = true;
  /** Events in this n8n around the login step and the signing step: reading and writing its database takes time. */
  meanwhile: () => Promise<void> = async () => undefined;

  constructor(
    public stored: ICredentialDataDecryptedObject,
    time: VirtualTime,
    latencyMs = 50,
  ) {
    this.service = new LoginModel(time, { latency: () => latencyMs });
  }

  private readonly helper = {
    httpRequest: async (options: IHttpRequestOptions) => {
      const reply = await this.service.http({
        method: (options.method ?? 'GET') as 'GET',
        url: options.url,
        headers: options.headers as Record<string, string>,
        ...(options.body === undefined ? {} : { body: options.body as string }),
        timeoutMs: 1_000,
      });
      return { statusCode: reply.status, headers: reply.headers, body: Readable.from([reply.body]) };
    },
  };

  readonly context = this.contextOf(this.type);

  /** Returns the context that the nodes of a process are handed. @param type the credential as that process has it */
  contextOf(type: Pick<BrokerageApi, 'preAuthentication' | 'authenticate'>): IAllExecuteFunctions {
    return {
      logger: { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined },
      getNode: () => ({ credentials: { brokerageApi: { id: 'one', name: 'one' } } }),
      getCredentials: async () => ({ ...this.stored }),
      helpers: {
        httpRequestWithAuthentication: async (
          _type: string,
          options: IHttpRequestOptions,
          { credentialsDecrypted }: { credentialsDecrypted: { data: ICredentialDataDecryptedObject } },
        ) => {
          try {
            const credentials = credentialsDecrypted.data;
            if (credentials.sessionToken === '') {
              await this.meanwhile();
              const output = await type.preAuthentication.call(
                { helpers: this.helper } as unknown as IHttpRequestHelper,
                credentials,
              );
              Object.assign(credentials, output);
              // What has no value is not stored: n8n stores JSON.
              if (this.stores) this.stored = JSON.parse(JSON.stringify(credentials)) as ICredentialDataDecryptedObject;
            }
            await this.meanwhile();
            return await this.helper.httpRequest(await type.authenticate(credentials, options));
          } catch (error) {
            throw new OldNodeApiError((error as Error).message);
          }
        },
      },
    } as unknown as IAllExecuteFunctions;
  }

  /** The credential's own test in the form: the login step, and nothing of a node. */
  async test() {
    const helper = { helpers: this.helper } as unknown as IHttpRequestHelper;
    Object.assign(this.stored, await this.type.preAuthentication.call(helper, { ...this.stored }));
  }
}

/** Fields of a credential that logs in by TOTP. */
export const fields = (more: object = {}) => ({
  environment: 'live',
  liveBaseUrl: BASE,
  deviceId: `old ${randomUUID()}`,
  loginMethod: 'totp',
  phone: PHONE,
  mpin: MPIN,
  totpSecret: SECRET,
  mark: '',
  sessionToken: '',
  authToken: '',
  tempToken: '',
  loginClaim: '',
  loginState: '',
  ...more,
});
