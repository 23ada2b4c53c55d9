/** One run, one account: a credential that is changed while an execution runs ends what it still wants of the service. */
import { createHash } from 'crypto';
import type { IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';
import { InputError } from '../../client/base/errors';
import { tradingScope } from '../../client/orders/model/tags';
import type { CredentialStore } from '../../client/session/session-manager';
import type { CredentialFields } from '../../client/session/settings';

/** Maximum number of executions to remember, the newest. */
const MAX_EXECUTIONS = 5_000;
/** The account of each execution and credential, as a digest. */
const accounts = new Map<string, string>();

/** Returns the identity of a credential's environment and account. A pasted token names no account: the token itself counts. */
function accountMark(fields: CredentialFields): string {
  const pasted = fields.loginMethod === 'sessionToken' ? fields.pastedToken : '';
  return createHash('sha256')
    .update(JSON.stringify([tradingScope(fields), pasted]))
    .digest('hex');
}

/** The account with which a credential was first used in an execution. */
function firstAccountOf(name: string, mark: string): string {
  const first = accounts.get(name) ?? mark;
  accounts.delete(name);
  accounts.set(name, first);
  const [oldest] = accounts.keys();
  if (accounts.size > MAX_EXECUTIONS && oldest !== undefined) accounts.delete(oldest);
  return first;
}

/**
 * The store of a credential that stays with one account for as long as an execution runs, in all of its steps in this process.
 * @returns a store whose reads throw InputError once the credential is another account's
 */
export function oneAccountStore(
  store: CredentialStore,
  functions: IExecuteFunctions | ILoadOptionsFunctions,
): CredentialStore {
  // The editor has no execution: what fills its lists may be another account's each time.
  const execution: string | undefined = 'getExecutionId' in functions ? functions.getExecutionId() : undefined;
  const { id = '' } = functions.getNode().credentials?.brokerageApi ?? {};
  let own: string | undefined;
  const requireSame = (fields: CredentialFields): CredentialFields => {
    const mark = accountMark(fields);
    own ??= execution ? firstAccountOf(`${execution} ${id}`, mark) : mark;
    if (mark === own) return fields;
    throw new InputError('The credential was changed while this execution ran: it belongs to another account now.', {
      hint: 'Nothing more is sent in this execution, as one run trades for one account. Look at what it has placed before, and run the workflow again.',
    });
  };
  return {
    ...store,
    readStored: async () => requireSame(await store.readStored()),
    readLately: () => {
      const fields = store.readLately();
      return fields === undefined ? undefined : requireSame(fields);
    },
  };
}
