/** The account that a credential trades for, as the service names it: the same by phone and by a pasted token. */
import { createHash } from 'crypto';
import { getUserInfo } from '../../session/account';
import { readConnection, readState, type CredentialFields } from '../../session/settings';
import type { Transport } from '../../transport';
import { tradingScope } from '../model/tags';

/** The accounts of credentials, each asked for once; one for the whole process. */
export class AccountScopes {
  private readonly scopes = new Map<string, string>();

  /**
   * Returns the scope of tags and of daily limits: the environment and the account. If the service names no account, the credential's name
   * replaces it (see `tradingScope`).
   * @throws any error of `getUserInfo`, while the account of this credential was never read.
   */
  async of(credential: CredentialFields, transport: Transport, signal?: AbortSignal): Promise<string> {
    const entered = tradingScope(credential);
    // The mark distinguishes it from a credential with the same phone and a separate session, entered by somebody else.
    const parts = [
      readState(credential).mark,
      entered,
      credential.loginMethod,
      credential.loginMethod === 'sessionToken' && credential.pastedToken,
    ];
    const name = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
    const cachedScope = this.scopes.get(name);
    if (cachedScope !== undefined) return cachedScope;
    const { client_code: code } = await getUserInfo(transport, signal);
    const { environment, baseUrl } = readConnection(credential);
    const scope =
      typeof code === 'string' && code.trim() !== '' ? `${environment} ${baseUrl} client ${code.trim()}` : entered;
    this.scopes.set(name, scope);
    return scope;
  }
}
