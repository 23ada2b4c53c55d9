/** Takes e-mails that workflows send (SMTP) into the mailboxes, so that the user can open them on the page. */
import type { ParsedMail } from 'mailparser';
import type { AddressInfo } from 'node:net';
import type { Sandbox } from '../simulation/sandbox';

/** This machine only, wherever the sandbox itself listens: nobody else may put mail in. */
const HOST = '127.0.0.1';
const MAX_BYTES = 25 * 1024 * 1024;
/** More recipients than any workflow writes to at once. */
const MAX_RECIPIENTS = 50;

class Refusal extends Error {
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message);
  }
}

export interface MailIntake {
  port: number;
  close(): Promise<void>;
}

/**
 * Listens for e-mails; any user name and password, or none, will do.
 * @param port 0 takes a free one
 * @throws when the port is taken
 */
export async function startMailIntake(sandbox: Sandbox, port: number): Promise<MailIntake> {
  const { simpleParser } = await import('mailparser');
  const { SMTPServer } = await import('smtp-server');
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 1_000,
    size: MAX_BYTES,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? '' }),
    onRcptTo: (_address, { envelope }, done) =>
      done(envelope.rcptTo.length < MAX_RECIPIENTS ? null : new Refusal(452, 'Too many recipients')),
    onData(stream, { envelope }, done) {
      const recipients = new Set(envelope.rcptTo.map(({ address }) => address));
      bytesOf(stream)
        .then(async (bytes) => keep(sandbox, await simpleParser(bytes), [...recipients]))
        .then(
          () => done(),
          (error: Error) => done(error),
        );
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // A connection that breaks off is no reason to end.
  server.on('error', (error) => process.stderr.write(`E-mail: ${error.message}\n`));
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/**
 * Returns the bytes that were sent, up to its largest size. What comes beyond it is let pass, so that the sender reads why. @throws Refusal
 */
async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  let chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > MAX_BYTES) chunks = [];
    else chunks.push(chunk);
  }
  if (length > MAX_BYTES) throw new Refusal(552, 'The e-mail is larger than 25 MB');
  return Buffer.concat(chunks);
}

/** The name by which an attachment is opened: its own, unless an address cannot hold it or another one has it already. */
function nameOf(filename: string | undefined, index: number, taken: Set<string>): string {
  const own = filename === undefined || /^\.{0,2}$/.test(filename) ? `attachment-${index + 1}` : filename;
  const name = taken.has(own) ? `${index + 1}-${own}` : own;
  taken.add(name);
  return name;
}

/** One message for each recipient: in the mailbox of the account that has the address, or else in everybody's. */
function keep(sandbox: Sandbox, mail: ParsedMail, recipients: string[]): void {
  const at = sandbox.now();
  const users = sandbox.users.all();
  const instrument = new Set<string>();
  const attachments = mail.attachments
    .filter(({ related }) => !related)
    .map(({ filename, contentType, content }, index) => ({
      filename: nameOf(filename, index, instrument),
      contentType,
      content: content.toString('base64'),
    }));
  for (const to of recipients) {
    const user = users.find(({ email }) => email.toLowerCase() === to.toLowerCase());
    sandbox.inbox.add({
      kind: 'email',
      phone: user?.phone,
      to,
      from: mail.from?.text,
      subject: mail.subject,
      text: mail.text?.trim() ?? '',
      html: mail.html === false ? undefined : mail.html,
      at,
      attachments,
    });
  }
}
