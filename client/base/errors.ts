/**
 * The error tree of the client. `message` says what happened, `hint` what to do about it; neither ever holds a
 * token, OTP, MPIN, TOTP secret or PAN. The nodes turn each into n8n's own error with the item and the parameter.
 */
export abstract class BrokerageError extends Error {
  /** The remedy: one sentence that tells the user what to do. */
  readonly hint: string;
  /** The node parameter that is at fault, by its internal name. */
  readonly parameter?: string;

  constructor(message: string, options: BrokerageErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.hint = options.hint ?? '';
    this.parameter = options.parameter;
  }
}

interface BrokerageErrorOptions {
  hint?: string;
  parameter?: string;
  cause?: unknown;
}

/** One of the things that a text may mean, under the names that outputs have; money in rupees. */
export type InstrumentChoice = Readonly<Record<string, string | number>>;

/** Refused here, before anything was sent. */
export class InputError extends BrokerageError {
  /** The likely alternatives as data, for a program or an agent that retries. */
  readonly choices: readonly InstrumentChoice[];

  constructor(message: string, options: BrokerageErrorOptions & { choices?: readonly InstrumentChoice[] } = {}) {
    super(message, options);
    this.choices = options.choices ?? [];
  }
}

/** The named instrument is not in the list that was searched; a newer list may have it. */
export class NotListedError extends InputError {}

/** The service answered, and its answer is a refusal. */
export class ServiceError extends BrokerageError {
  /** The HTTP status of the answer. */
  readonly status: number;
  /** The service's own text, unchanged. */
  readonly serviceText: string;
  /** True if it came as `error`, the form in which the service explains a fault of an order (docs/service/errors.md#error-body). */
  readonly isOwnForm: boolean;

  constructor(
    message: string,
    options: {
      status: number;
      serviceText: string;
      isOwnForm?: boolean;
      hint?: string;
      parameter?: string;
      cause?: unknown;
    },
  ) {
    super(message, options);
    this.status = options.status;
    this.serviceText = options.serviceText;
    this.isOwnForm = options.isOwnForm === true;
  }
}

/** The service has the order or the basket, and the risk check or the exchange said no to it. */
export class RejectedError extends ServiceError {
  /** The tag under which it is found. */
  readonly tag: string;
  /** The id as decimal text, under the service's own name for it. */
  readonly id: { order_id: string } | { basket_id: string };

  constructor(
    message: string,
    options: ConstructorParameters<typeof ServiceError>[1] & Pick<RejectedError, 'tag' | 'id'>,
  ) {
    super(message, options);
    this.tag = options.tag;
    this.id = options.id;
  }
}

/** The session is dead and could not be renewed, or a login step was refused. */
export class SessionError extends BrokerageError {
  /** The HTTP status of the service's answer; undefined if nothing was asked. */
  readonly status?: number;
  /** The service's own text without secrets; '' if there was none. */
  readonly serviceText: string;

  constructor(
    message: string,
    options: { status?: number; serviceText?: string; hint?: string; parameter?: string; cause?: unknown } = {},
  ) {
    super(message, options);
    this.status = options.status;
    this.serviceText = options.serviceText ?? '';
  }
}

/** No complete reply came. */
export class NetworkError extends BrokerageError {
  /** False only when it is certain that not one byte of the request left (a refused connection, a name not found). */
  readonly maySent: boolean;

  constructor(message: string, options: { maySent: boolean; hint?: string; cause?: unknown }) {
    super(message, options);
    this.maySent = options.maySent;
  }
}

/** The bytes of a reply could not be read as the requested type. */
export class UnreadableReplyError extends BrokerageError {}

/** The service's answer does not match the request. */
export class MismatchedReplyError extends UnreadableReplyError {}

/** Somebody between n8n and the service answered: a proxy, a firewall, a gateway. It says nothing about what the service did. */
export class ForeignReplyError extends UnreadableReplyError {
  /** The HTTP status of the answer. */
  readonly status: number;

  constructor(message: string, options: { status: number; hint?: string; cause?: unknown }) {
    super(message, options);
    this.status = options.status;
  }
}

/** The service may or may not have accepted an order, or a change to one: never call it a failure, and never send it again unchecked. */
export class UnknownOutcomeError extends BrokerageError {
  /** The tag under which the order would be found; '' for a change to one whose tag is not known. */
  readonly tag: string;

  constructor(message: string, options: { tag: string; hint?: string; cause?: unknown }) {
    super(message, options);
    this.tag = options.tag;
  }
}
