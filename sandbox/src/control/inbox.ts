const KEPT = 1_000;

export interface Attachment {
  filename: string;
  contentType: string;
  /** Base64. */
  content: string;
}

/** A text message or e-mail that was "sent"; `at` is milliseconds of virtual time. */
export interface Message {
  id: number;
  kind: 'sms' | 'email';
  phone: string;
  to: string;
  subject?: string;
  text: string;
  at: number;
  attachments?: Attachment[];
}

/** What people would find on their phones and in their mail. */
export class Inbox {
  private messages: Message[] = [];
  private id = 0;

  add(message: Omit<Message, 'id'>): Message {
    const added = { id: ++this.id, ...message };
    this.messages.unshift(added);
    if (this.messages.length > KEPT) this.messages.length = KEPT;
    return added;
  }

  /** Newest first; of one person or of all. */
  list(phone: string | undefined): Message[] {
    return phone === undefined ? this.messages : this.messages.filter((message) => message.phone === phone);
  }

  clear(): void {
    this.messages = [];
    this.id = 0;
  }
}
