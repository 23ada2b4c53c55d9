import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeApi } from '../http/openapi';
import { basketRoutes } from '../http/baskets';
import { bhavcopyRoutes } from '../http/bhavcopy';
import { candleRoutes } from '../http/candles';
import { companyRoutes } from '../http/company';
import { optionChainRoutes } from '../http/option-chains';
import { docsRoutes } from '../http/docs';
import { ApiError, errorBody } from '../web/errors';
import { loginRoutes } from '../http/login';
import { multistrikeRoutes } from '../http/multistrike';
import { instrumentRoutes } from '../http/instruments';
import { intentOrderRoutes } from '../http/intents/orders';
import { intentPortfolioRoutes } from '../http/intents/portfolio';
import { legacyRoutes } from '../http/legacy-endpoints';
import { orderRoutes } from '../http/orders';
import { portfolioRoutes } from '../http/portfolio';
import { quoteRoutes } from '../http/quotes';
import { reportRoutes } from '../http/reports';
import { totpRoutes } from '../http/totp';
import { userRoutes } from '../http/user';
import { performanceRoutes } from '../control/performance';
import { scenarioRoutes } from '../control/scenarios';
import { corporateActionRoutes } from '../control/corporate-actions';
import { clockRoutes } from '../control/clock-routes';
import { controlRoutes } from '../control/routes';
import { hostAllowed, originAllowed } from '../web/access';
import { requireShortTexts } from '../web/body-limits';
import { sessionUser } from '../web/authentication';
import { proxyToLive } from '../web/mirror-proxy';
import { placedBy } from '../web/request-origin';
import { SESSION_SECURITY } from '../web/schema';
import { withFaults } from '../control/fault-injection';
import { startMailIntake } from '../control/mail-intake';
import { parseLossless } from '../shared/json';
import { StoreError } from '../shared/store-error';
import { pageRoutes } from '../page/routes';
import { openMirror } from '../mirror/live-mirror';
import type { SandboxOptions } from '../simulation/options';
import { Sandbox } from '../simulation/sandbox';
import { istDate, parseInstant } from '../shared/time';
import { StreamServer } from '../stream/stream-server';
import { WakeTimer } from '../simulation/wake-timer';
import { validators } from './validators';

/** Every group of endpoints. */
const GROUPS = [
  loginRoutes,
  totpRoutes,
  userRoutes,
  instrumentRoutes,
  quoteRoutes,
  optionChainRoutes,
  candleRoutes,
  multistrikeRoutes,
  bhavcopyRoutes,
  companyRoutes,
  orderRoutes,
  basketRoutes,
  portfolioRoutes,
  legacyRoutes,
  intentOrderRoutes,
  intentPortfolioRoutes,
  reportRoutes,
  controlRoutes,
  clockRoutes,
  performanceRoutes,
  scenarioRoutes,
  corporateActionRoutes,
  docsRoutes,
  pageRoutes,
];
const MAX_BODY = 1024 * 1024;
/**
 * Time for which an idle connection is kept, as by load balancers. At Node's five seconds, pools of clients send on one that just closes.
 */
const KEEP_ALIVE_MS = 75_000;
/**
 * Time for a request to arrive. Node's minute also counts the time for which this process gets no turn on a busy machine, and a request
 * that had come at once was then refused with 408.
 */
const ARRIVAL_MS = 10 * 60_000;

/** A sandbox that listens. */
export interface RunningSandbox {
  /** Address such as http://host:port, without a slash at its end. */
  url: string;
  port: number;
  /** Port for e-mails; undefined where none are. */
  mailPort: number | undefined;
  sandbox: Sandbox;
  /** Ends all connections and timers, and writes what is left to write. */
  close(): Promise<void>;
}

/** Opens a sandbox: with its recordings, or connected to the live market that it mirrors. @throws OptionError */
export async function openSandbox(options: SandboxOptions, machineNow: () => number = Date.now): Promise<Sandbox> {
  const { mirror: file, hours } = options;
  if (file === undefined) return await Sandbox.open(options, undefined, machineNow);
  const start = options.start === undefined ? undefined : parseInstant(options.start);
  const mirror = await openMirror({ file, hours, now: () => start ?? Date.now() });
  try {
    return await Sandbox.open(options, mirror);
  } catch (error) {
    mirror.close();
    throw error;
  }
}

/**
 * Puts a sandbox on its port.
 * @param requested told of each request of a workflow: the id of its execution
 * @throws when the port is taken.
 */
export async function serve(
  sandbox: Sandbox,
  requested: (execution: string) => void = () => undefined,
): Promise<RunningSandbox> {
  const { options } = sandbox;
  const streams = new StreamServer(sandbox);
  let server: Server | undefined;
  const app = Fastify({
    bodyLimit: MAX_BODY,
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    schemaController: { compilersFactory: { buildValidator: validators } },
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: true,
        allErrors: false,
        allowUnionTypes: true,
      },
    },
    // Malformed and oversized addresses never reach the hooks, so their errors get the service's words here.
    frameworkErrors: (error, _request, reply: FastifyReply) => {
      void reply
        .code(error.statusCode ?? 400)
        .send(errorBody(options.serviceWord, { message: error.message, code: '', more: {} }));
    },
    serverFactory: (handler) =>
      (server = createServer(
        { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: ARRIVAL_MS, requestTimeout: ARRIVAL_MS },
        withFaults(
          sandbox.faults,
          () => sandbox.isDown(),
          options.serviceWord,
          handler,
          () => sandbox.clock.now(),
        ),
      )),
  });
  prepare(app, sandbox, requested);
  await describeApi(app);
  for (const routes of GROUPS) routes({ app, sandbox });
  await app.ready();
  server!.on('upgrade', (request, socket, head) => streams.upgrade(request, socket, head));
  await app.listen({ port: options.port, host: options.host });
  const { port } = server!.address() as AddressInfo;
  const host = options.host === '0.0.0.0' || options.host === '::' ? '127.0.0.1' : options.host;
  const mail = await mailIntake(sandbox).catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  const driver = new WakeTimer(sandbox);
  driver.start();
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    mailPort: mail?.port,
    sandbox,
    async close() {
      driver.stop();
      await mail?.close();
      streams.close();
      server!.closeAllConnections();
      await app.close();
      sandbox.close();
    },
  };
}

async function mailIntake(sandbox: Sandbox) {
  const { mailPort } = sandbox.options;
  return mailPort === undefined ? undefined : await startMailIntake(sandbox, mailPort);
}

function prepare(app: FastifyInstance, sandbox: Sandbox, requested: (execution: string) => void): void {
  const { serviceWord } = sandbox.options;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined);
    try {
      const value = parseLossless(String(body));
      requireShortTexts(value);
      done(null, value);
    } catch (error) {
      done(error instanceof ApiError ? error : new ApiError(400, 'The body is not valid JSON'));
    }
  });
  app.setSerializerCompiler(() => JSON.stringify);
  app.setReplySerializer((body) => JSON.stringify(body));
  app.addHook('onRequest', (request, reply, done) => {
    sandbox.stats.requests += 1;
    // The time of day is the sandbox's own: it is by this clock that a TOTP code is judged.
    reply.header('date', new Date(sandbox.clock.now()).toUTCString());
    const { host, origin } = request.headers;
    if (!hostAllowed(host, sandbox.options.host))
      done(new ApiError(403, 'The Host header names another machine than this sandbox'));
    else if (!originAllowed(origin, host)) done(new ApiError(403, 'The request comes from a page of another site'));
    else done();
  });
  // No page of another site may embed one of ours and take the user's clicks.
  app.addHook('onSend', (_request, reply, payload, done) => {
    // By these a client knows that this is a sandbox, what time it is there, and whether it is the day and the run of before.
    const now = Math.max(sandbox.instant, sandbox.clock.now());
    reply.header('x-sandbox-time', String(now));
    // A clock that goes on only where it is put tells no speed.
    if (sandbox.clock.speed > 0) reply.header('x-sandbox-speed', String(sandbox.clock.speed));
    reply.header('x-sandbox-run', `${sandbox.runId} ${istDate(now)}`);
    reply.header('x-frame-options', 'DENY');
    reply.header('x-content-type-options', 'nosniff');
    if (!reply.hasHeader('content-security-policy') && !reply.raw.hasHeader('content-security-policy'))
      reply.header('content-security-policy', "frame-ancestors 'none'");
    done(null, payload);
  });
  // Time advances once for each request, right before it is handled.
  app.addHook('preHandler', (request, reply, done) => {
    const by = placedBy(request).placedBy;
    if (!request.url.startsWith('/_sandbox')) {
      const { method, url } = request;
      sandbox.time.requested({ execution: by?.execution, method, url });
    }
    sandbox.now();
    if (by !== undefined && by.execution !== '') requested(by.execution);
    if (sandbox.mirror === undefined) return done();
    proxyToLive(sandbox, request, reply).then((isAnswered) => {
      sandbox.now();
      if (!isAnswered) done();
    }, done);
  });
  app.setErrorHandler((error: FastifyError | ApiError, request, reply) => {
    const known =
      error instanceof ApiError ? error : (notStored(error) ?? noSession(sandbox, request) ?? fromFastify(error));
    reply.code(known.status).send(errorBody(serviceWord, known));
  });
  app.setNotFoundHandler((request, reply) => {
    reply
      .code(404)
      .send(errorBody(serviceWord, new ApiError(404, `There is no ${request.method} ${request.url.split('?', 1)[0]}`)));
  });
}

/** The refusal of what could not be stored: nothing is acknowledged that is not. */
function notStored(error: Error): ApiError | undefined {
  return error instanceof StoreError ? new ApiError(507, error.message) : undefined;
}

/** Refusal of a request without a session. It comes before that of a bad body, which must not hide an expired token. */
function noSession(sandbox: Sandbox, request: FastifyRequest): ApiError | undefined {
  if (request.routeOptions.schema?.security !== SESSION_SECURITY) return undefined;
  try {
    sandbox.now();
    sessionUser(sandbox, request);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return undefined;
}

/** A refusal of the framework (schema, size, content) in the words of the service; anything else is a fault of ours. */
function fromFastify(error: FastifyError): ApiError {
  const first = error.validation?.[0];
  if (first !== undefined) {
    const field = [...first.instancePath.split('/'), String(first.params['missingProperty'] ?? '')]
      .filter((part) => part !== '')
      .join('.');
    const allowed = Array.isArray(first.params['allowedValues']) ? `: ${first.params['allowedValues'].join(', ')}` : '';
    const what = first.keyword === 'required' ? 'is required' : `${first.message ?? 'is not valid'}${allowed}`;
    return new ApiError(400, `${field === '' ? (error.validationContext ?? 'request') : field} ${what}`);
  }
  if (error.statusCode !== undefined && error.statusCode < 500) return new ApiError(error.statusCode, error.message);
  process.stderr.write(`${error.stack ?? error.message}\n`);
  return new ApiError(500, 'The sandbox has failed; its own output says where');
}
