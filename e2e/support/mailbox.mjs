/** A real SMTP server that keeps what it is sent. */
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** @returns {Promise<{port: number, mails: import('mailparser').ParsedMail[], stop(): Promise<void>}>} */
export async function startMailbox() {
  const mails = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    authOptional: true,
    onAuth: ({ username }, _session, done) => done(null, { user: username }),
    onData: (stream, _session, done) => {
      simpleParser(stream).then((mail) => {
        mails.push(mail);
        done();
      }, done);
    },
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return { port: server.server.address().port, mails, stop: () => new Promise((resolve) => server.close(resolve)) };
}
