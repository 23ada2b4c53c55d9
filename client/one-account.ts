/**
 * The account that replies are about. Orders, positions, holdings and funds name it by its client code. A cache or a proxy on the way may
 * answer with those of somebody else, and they would be closed, cancelled or counted as one's own.
 */
import { MismatchedReplyError } from './base/errors';
import { redact } from './values/redact';
import type { Json } from './values/json';

/** Maximum length of a client code in an error. */
const MAX_CODE_LENGTH = 40;

/** The client code that the replies to one transport have named. */
export class RepliedAccount {
  private code: string | undefined;

  /**
   * Checks that a reply names no other account than those before it, and only one. A reply may leave the code out.
   * @param codes each client code in it. @param what the reply: "list of the day's orders".
   * @throws MismatchedReplyError
   */
  require(codes: Iterable<Json | undefined>, what: string): void {
    const error = this.whyOther(codes, what);
    if (error !== undefined) throw error;
  }

  /** Checks as `require`. @returns the error */
  whyOther(codes: Iterable<Json | undefined>, what: string): MismatchedReplyError | undefined {
    let { code } = this;
    for (const written of codes) {
      const read =
        typeof written === 'string' || typeof written === 'number' ? String(written).trim().toUpperCase() : '';
      if (read === '' || read === '0') continue;
      if (code !== undefined && read !== code) return otherAccount(code, read, what);
      code = read;
    }
    this.code = code;
    return undefined;
  }
}

function otherAccount(own: string, other: string, what: string): MismatchedReplyError {
  const shown = (code: string): string => redact(code.slice(0, MAX_CODE_LENGTH));
  return new MismatchedReplyError(
    `The service answered with a ${what} of the account ${shown(other)}, but this credential reads the account ${shown(own)}. The answer was not used.`,
    {
      hint: 'Try again. If the credential of an active trigger was changed to another account, publish its workflow again. If it stays, something between n8n and the service gives the answers of others, or the login reaches several accounts: ask your broker for one that reaches only yours.',
    },
  );
}
