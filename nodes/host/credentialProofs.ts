/**
 * Proofs that a node hands to the signing and the login step of its credential, and that the login step hands to the signing step. Between
 * them is n8n, and anybody may have it call these steps: with another credential, through another node, with any text in any field and
 * header. A text therefore proves nothing. A symbol of this module carries a proof, which no JSON, form, expression or database can hold,
 * and it names a key of 128 random bits. The key is bound to the credential, opens once, and is gone after a minute.
 *
 * n8n runs the login step and stores its result, but before 2.34 it stores its input too, and takes the cause off an error: so a renewal
 * and its outcome go through the memory of the process.
 */
import type { Moment } from '../../client/base/ports';
import { randomBytes } from 'crypto';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import type { BrokerageError } from '../../client/base/errors';
import type { LoginStepTask } from '../../client/session/session-manager';
import { hashParts, readConnection, readState, type CredentialFields } from '../../client/session/settings';
import { clock } from './clock';

/** Result of a renewal: n8n was given the data to store, or it ended with an error. */
export type ProofOutcome = 'given' | BrokerageError;

/** A renewal that a node waits for. */
export interface RenewalUnderWay {
  readonly renewal: LoginStepTask;
  /** Undefined until n8n has come to it. */
  outcome?: ProofOutcome;
}

/** A login step that has just ended: for a node that waits for it, or in the test of the credential. */
export interface ProvenLogin {
  readonly underWay: RenewalUnderWay | undefined;
}

const KEY_BYTES = 16;
const KEY_LIFE_MS = 60_000;

/** Property with the proof of an object. n8n passes it on in memory; its JSON lacks it. */
const PROOF = Symbol('proof of handover');

/** The key with which an object claims the value kept for it. */
type Proof = string;

/** Things that are kept under keys, each for one taker. */
class OneTimeStore<T> {
  private readonly proofs = new Map<string, { value: T; binding: string; until: Moment }>();

  /** Keeps a value for a minute. @returns the proof that takes it. */
  keep(value: T, binding: string): Proof {
    for (const [key, { until }] of this.proofs) if (clock.since(until) >= 0) this.proofs.delete(key);
    const key = randomBytes(KEY_BYTES).toString('hex');
    this.proofs.set(key, { value, binding, until: clock.moment(KEY_LIFE_MS) });
    return key;
  }

  /** Takes what is kept; the key ends, also where it is for another binding. @returns undefined if nothing is kept for this one. */
  take(key: Proof, binding: string): T | undefined {
    const entry = this.proofs.get(key);
    this.proofs.delete(key);
    return entry?.binding === binding && clock.since(entry.until) < 0 ? entry.value : undefined;
  }

  /** Ends a key. @returns whether nobody has shown it. */
  drop(key: Proof): boolean {
    return this.proofs.delete(key);
  }
}

// One of each for the process: the credential and the nodes are in it together.
const renewals = new OneTimeStore<RenewalUnderWay>();
const logins = new OneTimeStore<ProvenLogin>();
const marks = new OneTimeStore<true>();

/**
 * Returns the binding of a key to its credential, with the account and the address for secrets. n8n does not give these steps the
 * credential's id: its mark replaces it (see `isCredentialId`), or the id itself if it has none.
 * @throws InputError for an invalid address.
 */
function bindingOf(fields: CredentialFields): string {
  const { environment, baseUrl, deviceId } = readConnection(fields);
  const { loginMethod, phone, clientCode } = fields;
  const account = loginMethod === 'institutional' ? clientCode : phone;
  return hashParts([readState(fields).mark, environment, baseUrl, deviceId, String(loginMethod), String(account)]);
}

/** Returns the binding of a key to a request, and to its credential. */
function bindingOfRequest({ method, url }: IHttpRequestOptions, fields: CredentialFields): string {
  return hashParts([bindingOf(fields), method ?? 'GET', url]);
}

/** Takes the proof off an object: it goes no further. */
function takeProof(from: object): Proof | undefined {
  const carrier = from as { [PROOF]?: Proof };
  const proof = carrier[PROOF];
  delete carrier[PROOF];
  return proof;
}

/**
 * Hands a renewal to the login step.
 * @returns the fields to hand to n8n, without a token, so that n8n asks for the login step; and `end`, to be called when n8n is done.
 * @throws InputError if the credential's address is none.
 */
export function handOverRenewal(
  stored: CredentialFields,
  renewal: LoginStepTask,
): { fields: CredentialFields; end(): ProofOutcome | undefined } {
  const underWay: RenewalUnderWay = { renewal };
  const proof = renewals.keep(underWay, bindingOf(stored));
  return {
    fields: { ...stored, sessionToken: '', [PROOF]: proof } as CredentialFields,
    end: () => {
      renewals.drop(proof);
      return underWay.outcome;
    },
  };
}

/** The renewal that the login step is called for; undefined if no node of ours has asked for one. */
export function takeRenewal(fields: CredentialFields): RenewalUnderWay | undefined {
  const proof = takeProof(fields);
  return proof === undefined ? undefined : renewals.take(proof, bindingOf(fields));
}

/**
 * Returns the login step's result, with the proof for the signing step that the session in it has just been checked.
 * @param fields input of the login step.
 * @param output data for n8n to store.
 */
export function withLogin(fields: CredentialFields, output: IDataObject, underWay?: RenewalUnderWay): IDataObject {
  return { ...output, [PROOF]: logins.keep({ underWay }, bindingOf({ ...fields, ...output })) } as IDataObject;
}

/** The login that the fields of the signing step come from; undefined if they come from no login of just now. */
export function takeLogin(fields: CredentialFields): ProvenLogin | undefined {
  const proof = takeProof(fields);
  return proof === undefined ? undefined : logins.take(proof, bindingOf(fields));
}

/**
 * Marks a request of ours, so that it is signed, once: this method and address, with this credential.
 * @returns the request, and `end`, to be called when n8n is done, which says whether the request came to be signed.
 * @throws InputError if the credential's address is none.
 */
export function markRequest(
  options: IHttpRequestOptions,
  fields: CredentialFields,
): { request: IHttpRequestOptions; end(): boolean } {
  const proof = marks.keep(true, bindingOfRequest(options, fields));
  return { request: { ...options, [PROOF]: proof } as IHttpRequestOptions, end: () => !marks.drop(proof) };
}

/** Takes the mark off a request. @returns whether a node of ours has just made this request, for this credential. */
export function takeMark(options: IHttpRequestOptions, fields: CredentialFields): boolean {
  const proof = takeProof(options);
  return proof !== undefined && marks.take(proof, bindingOfRequest(options, fields)) === true;
}
