/** Which account a credential trades for, as the service says: the same by phone and by a pasted token. */
import { createHash } from 'crypto';
import { getUserInfo } from '../../session/account';
import { readConnection, readState, type CredentialFields } from '../../session/settings';
import type { Transport } from '../../transport';
import { tradingScope } from '../model/tags';

/** The accounts of credentials, each asked for once; one for the whole process. */
export class AccountScopes {
  private readonly known = new Map<string, string>();

  /**
   * What tags and the limits of a day belong to: the environment and the account. Where the service names no account, what
   * the credential names stands for it (see `tradingScope`).
   * @throws what `getUserInfo` throws, while the account of this credential was never read.
   */
  async of(credential: CredentialFields, transport: Transport, signal?: AbortSignal): Promise<string> {
    const entered = tradingScope(credential);
    // The mark tells it from a credential in which somebody else has entered the same phone, with a session of their own.
    const parts = [
      readState(credential).mark,
      entered,
      credential.loginMethod,
      credential.loginMethod === 'sessionToken' && credential.pastedToken,
    ];
    const name = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const { client_code: code } = await getUserInfo(transport, signal);
    const { environment, baseUrl } = readConnection(credential);
    const scope =
      typeof code === 'string' && code.trim() !== '' ? `${environment} ${baseUrl} client ${code.trim()}` : entered;
    this.known.set(name, scope);
    return scope;
  }
}
