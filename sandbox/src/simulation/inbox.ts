/** Text messages and e-mails that are kept, of each so many: e-mails push out no one-time password. */
const KEPT = 1_000;
/** Largest size of all e-mails together, characters; the oldest go first. */
const MAX_MAIL = 100_000_000;

export interface Attachment {
  filename: string;
  contentType: string;
  /** Base64. */
  content: string;
}

/** A text message or e-mail that was "sent"; `at` is milliseconds of virtual time. */
export interface MailMessage {
  id: number;
  kind: 'sms' | 'email';
  /** Phone of its owner; undefined is shown to everybody (an e-mail to an address that no account has). */
  phone: string | undefined;
  to: string;
  from?: string | undefined;
  subject?: string | undefined;
  text: string;
  /** The e-mail's HTML form, where its sender made one; pictures are in it. */
  html?: string | undefined;
  at: number;
  attachments?: Attachment[];
  /** Of a one-time password: the number of the temporary token it belongs to. */
  temp?: number;
}

/** The inbox as data: one-time passwords without their text, which can be made again; e-mails are not kept. */
export interface SentMessagesState {
  id: number;
  codes: { id: number; phone: string; at: number; temp: number }[];
}

/** Messages that users would find on their phones and in their mail. */
export class Inbox {
  private messages: MailMessage[] = [];
  private id = 0;

  add(message: Omit<MailMessage, 'id'>): MailMessage {
    const added = { id: ++this.id, ...message };
    this.messages.unshift(added);
    this.trim(message.kind);
    return added;
  }

  private trim(kind: MailMessage['kind']): void {
    let count = 0;
    let size = 0;
    this.messages = this.messages.filter((message) => {
      if (message.kind !== kind) return true;
      count += 1;
      size += sizeOf(message);
      return count === 1 || (count <= KEPT && size <= MAX_MAIL);
    });
  }

  /** Newest first; what one person finds, or all. */
  list(phone: string | undefined): MailMessage[] {
    return phone === undefined
      ? this.messages
      : this.messages.filter((message) => message.phone === phone || message.phone === undefined);
  }

  state(): SentMessagesState {
    const codes = this.messages.flatMap(({ id, phone, at, temp }) =>
      temp === undefined || phone === undefined ? [] : [{ id, phone, at, temp }],
    );
    return { id: this.id, codes };
  }

  /** @param text the text of a one-time password, from the phone, the number of its temporary token and its instant. */
  restore({ id, codes }: SentMessagesState, text: (phone: string, temp: number, at: number) => string): void {
    this.id = id;
    this.messages = codes.map((code) => ({
      ...code,
      kind: 'sms',
      to: code.phone,
      text: text(code.phone, code.temp, code.at),
    }));
  }

  clear(): void {
    this.messages = [];
    this.id = 0;
  }
}

function sizeOf({ text, html = '', attachments = [] }: MailMessage): number {
  return attachments.reduce((sum, { content }) => sum + content.length, text.length + html.length);
}
