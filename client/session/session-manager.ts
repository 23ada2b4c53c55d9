/**
 * Keeps a session for every request of every execution, over any number of processes that share one stored credential. One login replaces
 * an expired session, made by the first process to notice. n8n has no lock, and each login here ends the session before. A process that
 * wants to log in therefore writes its claim into the credential, waits until every claim that may have been written at the same moment is
 * there too, and logs in only if the remaining claim is its own (Fischer's algorithm: the last writer wins).
 */
import { attempt } from '../attempt';
import { BrokerageError, NetworkError, SessionError } from '../base/errors';
import { isSessionEnded } from '../reply-gate';
import type { Clock, Random, StreamedResponse, WireRequest, WireResponse } from '../base/ports';
import { isSessionOf, lastLogin, storedProblem } from './login-state';
import { problemOf } from './login-errors';
import { sessionError } from './sessions';
import { credentialKey, fingerprintLogin, readSettings, readState, type CredentialFields } from './settings';
import { RENEW_BEFORE_MS, needsRenewal } from './token';

/** Instructions for the login step; n8n stores its result. */
export type LoginStepTask =
  /**
   * Nothing but to store some fields: a claim, the lock of positions, a new TOTP secret, or that trading is stopped. n8n does so only where
   * the session token is among them.
   */
  | {
      step: 'store';
      fields: {
        sessionToken: string;
        loginClaim?: string;
        positionLock?: string;
        generatedTotpSecret?: string;
        tradingStopped?: true;
      };
    }
  /** `otp` is set if the user waits for this login: the entered OTP, or '' to request one; with `sendOtpAgain` even if one is pending. */
  | { step: 'login'; otp?: string; sendOtpAgain?: boolean };

/** Returns the fields that a login starts from: newly entered values replace those in the credential. */
export function loginFields(stored: CredentialFields, renewal: LoginStepTask & { step: 'login' }): CredentialFields {
  const { otp, sendOtpAgain } = renewal;
  return { ...stored, unattended: otp === undefined, otp: otp ?? '', sendOtpAgain: sendOtpAgain === true };
}

/** The stored credential, in the form that the session manager needs. */
export interface CredentialStore {
  /** Reads what is stored now, by whichever process. */
  readStored(): Promise<CredentialFields>;
  /** Returns the fields read within the last second; undefined if the last read is older. */
  readLately(): CredentialFields | undefined;
  /** Stores a claim with the credential, and nothing else; '' takes it back. */
  writeClaim(stored: CredentialFields, claim: string): Promise<void>;
  /**
   * Logs in and stores what comes of it: the session, or the problem. The claim is stored as ''.
   * @throws BrokerageError if there is no session.
   */
  logIn(stored: CredentialFields): Promise<void>;
}

/** The stored credential, where it also holds the lock of positions. */
export interface LockingStore extends CredentialStore {
  /** Stores the record of the lock (see `CredentialEntries`), and nothing else; '' removes it. */
  writeLock(stored: CredentialFields, record: string): Promise<void>;
}

/** Longer than a claim takes from the read before it until it is stored. */
export const CLAIM_VISIBLE_MS = 2_000;
/** Age at which a claim counts as that of a stopped process. A login waits for a code up to half a minute. */
export const CLAIM_LIFE_MS = 90_000;
export const POLL_MS = 400;
/** Prefix of claims; values from earlier versions in the credential have none. */
const CLAIM = 'claim ';

/**
 * Keeps a valid session in a stored credential. One manager serves a process: calls that meet the same expired session at the same moment
 * share one renewal. Processes coordinate by the claim in the credential (see the head of this file).
 */
export class SessionManager {
  private readonly underWay = new Map<string, Promise<CredentialFields>>();
  private claims = 0;
  private readonly name: string;

  /** @param random tells the processes apart. */
  constructor(
    private readonly clock: Clock,
    random: Random,
  ) {
    this.name = Array.from({ length: 3 }, () => Math.floor(random() * 2 ** 32).toString(36)).join('');
  }

  /**
   * The stored credential with a session in it that is not known to be dead.
   * @param dead a token that the service has just refused.
   * @param lately what was read a moment ago, where that is enough.
   * @throws SessionError that says why there is none; InputError when the credential is not filled in.
   */
  async session(store: CredentialStore, dead = '', lately?: CredentialFields): Promise<CredentialFields> {
    const stored = lately ?? (await store.readStored());
    if (this.isUsable(stored, dead, RENEW_BEFORE_MS)) return stored;
    const key = credentialKey(stored);
    const running = this.underWay.get(key);
    if (running !== undefined) return await running;
    const renewing = this.renew(store, dead === '' ? readState(stored).sessionToken : dead);
    this.underWay.set(key, renewing);
    const renewed = await attempt(renewing);
    this.underWay.delete(key);
    if (renewed.ok) return renewed.value;
    if (this.isUsable(stored, dead, 0)) return stored;
    throw renewed.error;
  }

  /**
   * Changes the stored credential while no process logs in: a login may store an older copy of the credential (n8n before 2.34), which
   * would undo the change. Waits for a login in progress.
   * @throws any error of the work; SessionError if n8n does not store the required fields.
   */
  async alone(store: CredentialStore, work: (stored: CredentialFields) => Promise<void>): Promise<void> {
    for (;;) {
      let stored = await store.readStored();
      if (readClaim(stored) !== '') {
        await this.waitForOther(store, stored, readState(stored).sessionToken);
        continue;
      }
      const mine = await this.claim(store, stored);
      stored = await store.readStored();
      if (readClaim(stored) !== mine) continue;
      const result = await attempt(work(stored));
      const now = await store.readStored();
      if (readClaim(now) === mine) await store.writeClaim(now, '');
      if (!result.ok) return rethrow(result.error);
      return;
    }
  }

  /** Returns the stored credential without a login; without a token that belongs to other settings. */
  async asStored(store: CredentialStore): Promise<CredentialFields> {
    const stored = await store.readStored();
    return isSessionOf(readState(stored).loginState, ownerOf(stored)) ? stored : { ...stored, sessionToken: '' };
  }

  private isUsable(stored: CredentialFields, dead: string, marginMs: number): boolean {
    const owner = ownerOf(stored);
    const { sessionToken, loginState } = readState(stored);
    if (sessionToken === '' || sessionToken === dead) return false;
    const isExpired = needsRenewal(sessionToken, this.clock.now(), lastLogin(loginState), marginMs);
    return isSessionOf(loginState, owner) && !isExpired;
  }

  /** One renewal of this process; `old` is the token that is to be replaced. */
  private async renew(store: CredentialStore, old: string): Promise<CredentialFields> {
    let stored = await store.readStored();
    let otherFailed = false;
    for (;;) {
      if (this.isUsable(stored, old, 0)) return stored;
      const { loginState } = readState(stored);
      const problem = isSessionOf(loginState, ownerOf(stored)) ? storedProblem(loginState) : undefined;
      // Only the person can end a final one; and what another process has just met is not tried again at once.
      if (problem !== undefined && (problem.final || otherFailed)) throw sessionError(problem);
      if (readClaim(stored) === '') {
        const mine = await this.claim(store, stored);
        stored = await store.readStored();
        if (readClaim(stored) === mine && !this.isUsable(stored, old, 0)) return await this.logIn(store, stored);
        continue;
      }
      ({ stored, otherFailed } = await this.waitForOther(store, stored, old));
    }
  }

  private async claim(store: CredentialStore, stored: CredentialFields): Promise<string> {
    const mine = `${CLAIM}${this.name}-${++this.claims}`;
    const started = this.clock.moment();
    await store.writeClaim(stored, mine);
    requireStored(stored, await store.readStored());
    // Where the machine is slow, others may be slow too.
    await this.clock.sleep(Math.max(CLAIM_VISIBLE_MS, 3 * this.clock.since(started)));
    return mine;
  }

  private async logIn(store: CredentialStore, stored: CredentialFields): Promise<CredentialFields> {
    try {
      await store.logIn(stored);
    } catch (error) {
      const now = await store.readStored();
      if (readClaim(now) !== '' && readClaim(now) === readClaim(stored)) await store.writeClaim(now, '');
      return rethrow(error);
    }
    return await store.readStored();
  }

  /** Waits while another process logs in, until its claim is gone or has stood too long. */
  private async waitForOther(
    store: CredentialStore,
    first: CredentialFields,
    old: string,
  ): Promise<{ stored: CredentialFields; otherFailed: boolean }> {
    const claim = readClaim(first);
    const since = this.clock.moment();
    let stored = first;
    while (readClaim(stored) === claim && !this.isUsable(stored, old, 0)) {
      if (this.clock.since(since) > CLAIM_LIFE_MS) {
        await store.writeClaim(stored, '');
        return { stored: { ...stored, loginClaim: '' }, otherFailed: false };
      }
      await this.clock.sleep(POLL_MS);
      stored = await store.readStored();
    }
    return { stored, otherFailed: readClaim(stored) === '' };
  }
}

/** Returns the owner of a credential's tokens. A pending OTP in it is for the next save only. */
function ownerOf(stored: CredentialFields): { for: string } {
  return { for: fingerprintLogin(readSettings({ ...stored, otp: '' })) };
}

/** The claim of a login that is in progress; '' where there is none. */
export function readClaim(stored: CredentialFields): string {
  const claim = stored.loginClaim;
  return typeof claim === 'string' && claim.startsWith(CLAIM) ? claim : '';
}

/**
 * Checks that n8n stored a claim. @throws SessionError if the credential is the same as before a claim was written: nothing could then keep
 * logins apart.
 */
function requireStored(before: CredentialFields, after: CredentialFields): void {
  if (readClaim(after) !== '' || readState(after).loginState !== readState(before).loginState) return;
  throw new SessionError('n8n did not store what the login needs: this n8n is too old: 1.123.81 or later is needed.', {
    hint: 'Update n8n. Nothing was sent.',
  });
}

function rethrow(error: unknown): never {
  throw error instanceof BrokerageError ? error : sessionError(problemOf(error));
}

/** Properties of a request that determine its session, and its repetition. */
export type SessionUse = Pick<WireRequest, 'method' | 'keepSession' | 'once'>;

/**
 * A question may be asked with a session that was read a moment ago: one that has ended since is refused, and the session is read again.
 */
function mayComeLate({ method }: SessionUse): boolean {
  return method === 'GET';
}

/** A login that met a broken network may have been sent; the request that needed it was not carried out. */
function notSent(error: unknown): never {
  if (!(error instanceof NetworkError) || !error.maySent) throw error;
  throw new NetworkError(`The session could not be renewed, so the request was not made: ${error.message}`, {
    maySent: false,
    hint: error.hint,
    cause: error,
  });
}

const NOTHING = new Uint8Array();
/** Maximum number of renewals during one request: if a new session expires again and again, another login competes for the account. */
const MAX_RENEWALS = 3;

/**
 * Sends a request with the session of a stored credential, and once more with a new one where the service says that the
 * session is dead: a request that it refused for its session was not carried out. A page of somebody in between says nothing of it. One that keeps its session goes out with
 * the token that is stored, and leads to a login only where there is none and it says so. One that may be sent once is not
 * repeated.
 * @param send sends it with the session in the fields, once, whatever status comes back.
 */
export async function sendInSession<
  Reply extends Pick<WireResponse, 'status'> & Partial<WireResponse & StreamedResponse>,
>(
  manager: SessionManager,
  store: CredentialStore,
  use: SessionUse,
  send: (fields: CredentialFields) => Promise<Reply>,
): Promise<Reply> {
  if (use.keepSession) {
    const stored = await manager.asStored(store);
    const none = use.keepSession === 'first' && readState(stored).sessionToken === '';
    return await send(none ? await manager.session(store).catch(notSent) : stored);
  }
  let fields = await manager.session(store, '', mayComeLate(use) ? store.readLately() : undefined).catch(notSent);
  for (let renewals = 0; ; renewals++) {
    const reply = await send(fields);
    const { status, headers = {}, body = reply.refusal ?? NOTHING } = reply;
    const isDead = isSessionEnded({ status, headers, body });
    if (!isDead || use.once || renewals === MAX_RENEWALS) return reply;
    fields = await manager.session(store, readState(fields).sessionToken).catch(notSent);
  }
}
