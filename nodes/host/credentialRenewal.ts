/**
 * What a node tells the login step of its credential, and what comes of it. n8n runs the login step and stores what it returns, but
 * before 2.34 it stores what it was given too, and takes the cause off an error: so both ways lead through the memory of the process,
 * and nothing but a ticket goes through n8n.
 */
import type { IHttpRequestOptions } from 'n8n-workflow';
import type { BrokerageError } from '../../client/base/errors';
import type { Renewal } from '../../client/session/session-manager';
import type { CredentialFields } from '../../client/session/settings';

/** What became of a renewal: n8n was given what to store, or it ended with an error. */
export type Outcome = 'given' | BrokerageError;

/** The header that brings a ticket to the signing step, which takes it off again. */
const HEADER = 'x-brokerage-ticket';
/** Of requests that are signed with the stored session as it is. */
const KEPT = 'kept';

/** The renewals under way in a process. */
class Handover {
  private readonly underWay = new Map<string, { renewal: Renewal; outcome?: Outcome }>();
  private made = 0;

  /** @returns the ticket of a renewal; `end` must follow. */
  begin(renewal: Renewal): string {
    const ticket = `ticket ${++this.made}`;
    this.underWay.set(ticket, { renewal });
    return ticket;
  }

  /** @returns what became of the renewal; undefined where n8n never came to it. */
  end(ticket: string): Outcome | undefined {
    const outcome = this.underWay.get(ticket)?.outcome;
    this.underWay.delete(ticket);
    return outcome;
  }

  /** The renewal of a ticket; undefined where there is none. */
  renewal(ticket: string): Renewal | undefined {
    return this.underWay.get(ticket)?.renewal;
  }

  /** Notes what became of a renewal. Without a ticket there is nobody to tell. */
  finish(ticket: string, outcome: Outcome): void {
    const entry = this.underWay.get(ticket);
    if (entry !== undefined) entry.outcome = outcome;
  }
}

/** One for the process: the credential and the nodes are in it together. */
export const handover = new Handover();

/** The fields to hand to n8n for a renewal: without a token, so that n8n asks for the login step, which finds the ticket in the claim. */
export function renewalFields(stored: CredentialFields, ticket: string): CredentialFields {
  return { ...stored, sessionToken: '', loginClaim: ticket };
}

/** The ticket in fields that `renewalFields` made; '' in others. */
export function ticketIn({ loginClaim }: CredentialFields): string {
  return typeof loginClaim === 'string' ? loginClaim : '';
}

/** A request that carries a ticket to the signing step; without one, it says that its session has been looked after. */
export function withTicket(options: IHttpRequestOptions, ticket = KEPT): IHttpRequestOptions {
  return { ...options, headers: { ...options.headers, [HEADER]: ticket } };
}

/** Takes the ticket off a request. @returns it, and whether the request's session has been looked after. */
export function takeTicket(options: IHttpRequestOptions): { ticket: string; kept: boolean } {
  const { [HEADER]: found, ...headers } = options.headers ?? {};
  options.headers = headers;
  return { ticket: String(found ?? ''), kept: found === KEPT };
}
