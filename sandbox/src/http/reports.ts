import { Type, type TSchema } from '@sinclair/typebox';
import { createMailer, type SendMail } from '../reports/mailer';
import { REPORTS, type ReportEntry } from '../reports/catalog';
import {
  createReports,
  type ReportAnswer,
  type ReportMail,
  type ReportRequest,
  type Reports,
} from '../reports/reports';
import type { FastifyReply } from 'fastify';
import type { Sandbox } from '../simulation/sandbox';
import { ApiError } from '../web/errors';
import { sessionUser } from '../web/authentication';
import { streamReply } from '../web/chunked-reply';
import { replySchemas } from '../web/reply-schemas';
import { optionalText, SESSION_SECURITY } from '../web/schema';
import type { RouteContext } from '../web/route-context';

const TAGS = ['Reports'];

const date = (description: string) =>
  optionalText(`${description}: RFC 3339 with the offset of India, such as 2026-11-20T00:00:00+05:30`);

/** Fields of any report. The report itself checks them, and refuses in its words. */
const Body = Type.Object({
  action_type: optionalText('VIEW, DOWNLOAD or EMAIL, as far as the report has it'),
  export_format: optionalText('PDF, EXCEL, or JSON with VIEW: for back-office reports only'),
  from_date: date('First day of a range'),
  to_date: date('Last day of a range'),
  date: date('The day of a single-date report'),
});

/** Reports (docs/service/reports.md#report-requests). */
export function reportRoutes({ app, sandbox }: RouteContext): void {
  const schemas = replySchemas(sandbox.options);
  const send = sandbox.options.smtp === undefined ? undefined : createMailer(sandbox.options.smtp);

  let of: { world: Sandbox['world']; reports: Reports } | undefined;
  const reports = (): Reports => {
    if (of?.world !== sandbox.world) of = { world: sandbox.world, reports: reportsOf(sandbox) };
    return of.reports;
  };

  app.get(
    '/report',
    {
      schema: { tags: TAGS, summary: 'What reports there are', response: schemas.reports, security: SESSION_SECURITY },
    },
    async (request) => {
      const user = sessionUser(sandbox, request);
      return reports().options(user, sandbox.instant);
    },
  );

  for (const entry of REPORTS) {
    const { type, title, method } = entry;
    const schema = {
      tags: TAGS,
      summary: title,
      security: SESSION_SECURITY,
      response: { 200: { content: contentOf(entry, schemas.view) }, '4xx': schemas.error['4xx'] },
      ...(method === 'POST' ? { body: Body } : {}),
    };
    app.route({
      method,
      url: `/report/${type}`,
      schema,
      handler: async (request, reply) => {
        const user = sessionUser(sandbox, request);
        const answer = await reports().run(type, (request.body ?? {}) as ReportRequest, user, sandbox.instant);
        return answered(sandbox, answer, reply, send);
      },
    });
  }
}

const FILE = { schema: Type.String({ format: 'binary' }) };
const CONTENT_TYPES = {
  PDF: 'application/pdf',
  EXCEL: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Returns the types with which a report answers: its view or that an e-mail was sent, and its files. */
function contentOf({ actions, files }: ReportEntry, view: TSchema) {
  const asJson = actions.some((action) => action !== 'DOWNLOAD');
  return {
    ...(asJson ? { 'application/json': { schema: view } } : {}),
    ...Object.fromEntries(files.map((file) => [CONTENT_TYPES[file], FILE])),
  };
}

function reportsOf({ world, seed }: Sandbox): Reports {
  return createReports({
    accounts: world.accounts,
    lastPrice: (instrument) => world.lastPrice(instrument),
    previousClose: (instrument, at) => world.market.previousClose(instrument, at),
    seed,
  });
}

async function answered(
  sandbox: Sandbox,
  answer: ReportAnswer,
  reply: FastifyReply,
  send: SendMail | undefined,
): Promise<unknown> {
  switch (answer.kind) {
    case 'error':
      throw new ApiError(answer.status, answer.text);
    case 'json':
      return reply.type('application/json; charset=utf-8').send(streamReply(answer.texts));
    case 'file': {
      const { contentType, fileName, data } = answer.file;
      return reply
        .header('content-type', contentType)
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .send(data);
    }
    case 'mail':
      await deliver(sandbox, answer.mail, send);
      return answer.body;
  }
}

/** Puts the e-mail into the inbox, and sends it when there is a mail server. @throws ApiError when that does not take it */
async function deliver(sandbox: Sandbox, mail: ReportMail, send: SendMail | undefined): Promise<void> {
  const { to, phone, subject, text, attachment } = mail;
  sandbox.inbox.add({
    kind: 'email',
    phone,
    to,
    subject,
    text,
    at: sandbox.instant,
    attachments: [
      {
        filename: attachment.fileName,
        contentType: attachment.contentType,
        content: attachment.data.toString('base64'),
      },
    ],
  });
  if (send === undefined) return;
  try {
    await send(mail);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ApiError(
      500,
      `The e-mail is in the sandbox's inbox, but the mail server of --smtp did not take it: ${why}`,
    );
  }
}
