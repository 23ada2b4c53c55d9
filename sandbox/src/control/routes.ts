import { Type, type Static } from '@sinclair/typebox';
import { ApiError } from '../web/errors';
import { parameters } from '../web/schema';
import type { RouteContext } from '../web/route-context';
import { MAX_TIMEOUT_MS } from '../simulation/wake-timer';
import { istText } from '../shared/time';
import { VERSION } from '../shared/version';
import { controlAllowed, controlTokenIn } from '../web/access';
import { AccountChange, changeAccount, type AccountChangeBody } from './accounts';
import { clockView } from './clock-routes';
import { CONTROL_TAGS, controlSchemas } from './reply-schemas';
import { withVariant } from '../simulation/dialect';
import { REQUEST_ACTIONS, STREAM_ACTIONS, type FaultRule } from '../simulation/faults';

const JOURNAL_LIMIT = 10_000;

const JOURNAL = parameters({
  after: 'Entries after this number',
  kind: 'Entries of this kind only: login, order, trade, basket, frame …',
  limit: `At most so many; ${JOURNAL_LIMIT} when left out`,
});

const Rule = Type.Object(
  {
    match: Type.Object(
      {
        method: Type.Optional(Type.String()),
        path: Type.Optional(Type.String()),
        stream: Type.Optional(Type.Boolean()),
      },
      { additionalProperties: false },
    ),
    action: Type.Union([...REQUEST_ACTIONS, ...STREAM_ACTIONS].map((action) => Type.Literal(action))),
    args: Type.Optional(
      Type.Object({
        ms: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_TIMEOUT_MS })),
        status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
        body: Type.Optional(Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())])),
        code: Type.Optional(
          Type.Union(
            [
              Type.Integer({ minimum: 1000, maximum: 1003 }),
              Type.Integer({ minimum: 1007, maximum: 1014 }),
              Type.Integer({ minimum: 3000, maximum: 4999 }),
            ],
            { description: 'A close code that may be sent: 1000 to 1003, 1007 to 1014, 3000 to 4999' },
          ),
        ),
      }),
    ),
    probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    times: Type.Optional(Type.Integer({ minimum: 1 })),
    seed: Type.Optional(Type.Integer()),
    after: Type.Optional(
      Type.Integer({
        description: 'Id of another fault: this one begins once that one has been applied, and goes when that one goes',
      }),
    ),
  },
  { additionalProperties: false },
);

const MarketChange = Type.Object({
  ref_id: Type.Optional(Type.Integer()),
  price: Type.Optional(Type.Integer({ minimum: 1, description: 'Paise' })),
  halt: Type.Optional(Type.Boolean()),
});

const Reset = Type.Union([
  Type.Object({ seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 0xffff_ffff })) }),
  Type.Null(),
]);

/** Our own paths, below /_sandbox (docs/sandbox.md#control-plane). */
export function controlRoutes({ app, sandbox }: RouteContext): void {
  const schemas = controlSchemas(sandbox.options);

  app.addHook('onRequest', (request, reply, done) => {
    // The route, not the address: the address may spell it another way (/%5fsandbox).
    const ours = request.routeOptions.url?.startsWith('/_sandbox') ?? false;
    const requested = {
      remoteAddress: request.socket.remoteAddress,
      host: request.headers.host,
      token: controlTokenIn(request.headers),
    };
    const { host: listensOn, controlToken: expected } = sandbox.options;
    if (!ours || controlAllowed(requested, { listensOn, expected })) return done();
    // A browser then asks for the token, as a password.
    if (expected !== undefined) reply.header('www-authenticate', 'Basic realm="brokerage-sandbox control token"');
    done(
      new ApiError(
        expected === undefined ? 403 : 401,
        expected === undefined
          ? 'The control plane is for the machine it runs on: start the sandbox with --control-token to open it to others'
          : 'The control plane is for those who send its token: as x-control-token, or as the password of a browser, with any user name',
      ),
    );
  });

  app.get(
    '/_sandbox/health',
    { schema: { tags: CONTROL_TAGS, summary: 'Is it up, and what time is it there', response: schemas.health } },
    async () => ({
      status: 'ok',
      version: VERSION,
      as: sandbox.options.as,
      seed: sandbox.seed,
      clock: clockView(sandbox),
      phase: sandbox.world.phase(),
      models: sandbox.modelWords,
    }),
  );

  app.get(
    '/_sandbox/mirror',
    {
      schema: {
        tags: CONTROL_TAGS,
        summary: 'Whether the live market that is mirrored is heard',
        response: schemas.mirror,
      },
    },
    async () => {
      if (sandbox.mirror === undefined) throw new ApiError(404, 'No live market is mirrored: see --mirror');
      const { since, ...status } = sandbox.mirror.status();
      return { ...status, since: istText(since) };
    },
  );

  app.get(
    '/_sandbox/inbox',
    {
      schema: {
        tags: CONTROL_TAGS,
        summary: 'Text messages and e-mails that were sent, newest first',
        response: schemas.inbox,
        querystring: parameters({ phone: 'Of this account only' }),
      },
    },
    async (request) => {
      const { phone } = request.query as { phone?: string };
      return sandbox.inbox.list(phone).map(({ attachments, phone: _phone, temp: _temp, at, ...message }) => ({
        ...message,
        at: istText(at),
        ...(attachments === undefined
          ? {}
          : { attachments: attachments.map(({ filename, contentType }) => ({ filename, contentType })) }),
      }));
    },
  );

  app.get(
    '/_sandbox/inbox/:id/attachments/:name',
    { schema: { tags: CONTROL_TAGS, summary: 'An attachment of an e-mail', response: schemas.attachment } },
    async (request, reply) => {
      const { id, name } = request.params as { id: string; name: string };
      const message = sandbox.inbox.list(undefined).find((candidate) => String(candidate.id) === id);
      const attachment = message?.attachments?.find(({ filename }) => filename === name);
      if (attachment === undefined) throw new ApiError(404, 'There is no such attachment');
      return reply
        .header('content-type', attachment.contentType)
        .header('content-disposition', 'attachment')
        .send(Buffer.from(attachment.content, 'base64'));
    },
  );

  app.get(
    '/_sandbox/faults',
    { schema: { tags: CONTROL_TAGS, summary: 'What goes wrong on purpose', response: schemas.faults } },
    async () => sandbox.faults.list(),
  );
  app.post(
    '/_sandbox/faults',
    {
      schema: {
        tags: CONTROL_TAGS,
        summary: 'Let something go wrong',
        response: schemas.faults,
        body: Type.Union([Rule, Type.Array(Rule)]),
      },
    },
    async (request) => {
      const rules = [request.body as FaultRule | FaultRule[]].flat();
      return rules.map((rule) => {
        const onStream = STREAM_ACTIONS.some((action) => action === rule.action);
        if (onStream !== (rule.match.stream === true)) {
          throw new ApiError(
            400,
            onStream
              ? `${rule.action} is of the stream: match {"stream": true}`
              : `${rule.action} is of requests: match method and path`,
          );
        }
        if (rule.after !== undefined && !sandbox.faults.has(rule.after))
          throw new ApiError(400, `after: no fault has the id ${rule.after}`);
        return sandbox.faults.add(rule);
      });
    },
  );
  app.delete(
    '/_sandbox/faults',
    { schema: { tags: CONTROL_TAGS, summary: 'Let everything work again', response: schemas.faults } },
    async () => {
      sandbox.faults.clear();
      return [];
    },
  );
  app.delete(
    '/_sandbox/faults/:id',
    { schema: { tags: CONTROL_TAGS, summary: 'Let one thing work again', response: schemas.faults } },
    async (request) => {
      const { id } = request.params as { id: string };
      if (!sandbox.faults.remove(Number(id))) throw new ApiError(404, `No fault has the id ${id}`);
      return sandbox.faults.list();
    },
  );

  app.get(
    '/_sandbox/journal',
    {
      schema: {
        tags: CONTROL_TAGS,
        summary: 'Everything that really happened',
        response: schemas.journal,
        querystring: JOURNAL,
      },
    },
    async (request) => {
      const { after, kind, limit } = request.query as { after?: string; kind?: string; limit?: string };
      const entries = sandbox.journal.after(whole('after', after, 0), kind, whole('limit', limit, JOURNAL_LIMIT));
      return entries.map(({ seq, at, kind: of, data }) => ({ seq, at: istText(at), kind: of, ...data }));
    },
  );

  app.get(
    '/_sandbox/stats',
    { schema: { tags: CONTROL_TAGS, summary: 'Counters', response: schemas.stats } },
    async () => sandbox.stats.shown(),
  );

  app.get(
    '/_sandbox/dialect',
    { schema: { tags: CONTROL_TAGS, summary: 'Variants of the live service', response: schemas.dialect } },
    async () => sandbox.dialect,
  );
  app.put(
    '/_sandbox/dialect',
    {
      schema: {
        tags: CONTROL_TAGS,
        summary: 'Choose variants',
        response: schemas.dialect,
        body: Type.Record(Type.String(), Type.Unknown()),
      },
    },
    async (request) => {
      let dialect = sandbox.dialect;
      for (const [name, value] of Object.entries(request.body as Record<string, unknown>)) {
        const result = withVariant(dialect, name, value);
        if (typeof result === 'string') throw new ApiError(400, result);
        dialect = result;
      }
      sandbox.dialect = dialect;
      return dialect;
    },
  );

  app.post(
    '/_sandbox/market',
    {
      schema: {
        tags: CONTROL_TAGS,
        summary: 'Move a price, halt or resume trading',
        response: schemas.done,
        body: MarketChange,
      },
    },
    async (request) => {
      const { ref_id, price, halt } = request.body as Static<typeof MarketChange>;
      if (halt !== undefined) sandbox.world.trade.halt(halt);
      if (ref_id !== undefined && price !== undefined) {
        if (sandbox.world.universe().byRefId(ref_id) === undefined)
          throw new ApiError(404, `There is no instrument with ref_id ${ref_id}`);
        sandbox.world.trade.movePrice(ref_id, price);
      } else if (halt === undefined) {
        throw new ApiError(400, 'Give ref_id and price, or halt');
      }
      return { message: 'done' };
    },
  );

  app.post(
    '/_sandbox/accounts/:phone',
    { schema: { tags: CONTROL_TAGS, summary: 'Change an account', response: schemas.account, body: AccountChange } },
    async (request) => {
      const { phone } = request.params as { phone: string };
      const user = sandbox.users.phone(phone);
      if (user === undefined) throw new ApiError(404, `No account has the phone number ${phone}`);
      return changeAccount(sandbox, user, request.body as AccountChangeBody);
    },
  );

  app.post(
    '/_sandbox/reset',
    {
      schema: {
        tags: CONTROL_TAGS,
        summary: 'Back to the opening state',
        response: schemas.reset,
        body: Type.Optional(Reset),
      },
    },
    async (request) => {
      const body = request.body as { seed?: number } | null | undefined;
      sandbox.reset(body?.seed);
      return { seed: sandbox.seed, clock: clockView(sandbox) };
    },
  );
}

function whole(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined || text === '') return otherwise;
  if (!/^\d{1,15}$/.test(text)) throw new ApiError(400, `${name} must be a whole number`);
  return Number(text);
}
