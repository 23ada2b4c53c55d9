/** Really sends report e-mails when the sandbox was given an SMTP server. */
import { createTransport } from 'nodemailer';
import type { ReportMail } from './reports';

export type SendMail = (mail: ReportMail) => Promise<void>;

const FROM = '"Brokerage Sandbox" <reports@brokerage-sandbox.example>';
const PATIENCE_MS = 10_000;

/** @param url smtp://user:password@host:port */
export function createMailer(url: string): SendMail {
  const transport = createTransport({
    url,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
  });
  return async ({ to, subject, text, attachment }) => {
    await transport.sendMail({
      from: FROM,
      to,
      subject,
      text,
      attachments: [{ filename: attachment.fileName, contentType: attachment.contentType, content: attachment.data }],
    });
  };
}
