import fastifyStatic from '@fastify/static';
import type { Static } from '@sinclair/typebox';
import path from 'node:path';
import type { Sandbox } from '../simulation/sandbox';
import { istText } from '../shared/time';
import type { RouteContext } from '../web/route-context';
import { accountView } from './account-view';
import { chainView } from './chain-view';
import { exitFromPage, PageExit } from './close-position';
import { nameShown, pageQuotes, searchInstruments } from './instruments';
import { barsView, marketView } from './market-view';
import { modifyFromPage, PageModify } from './modify';
import { OrderHistory } from './order-history';
import { instrumentOf, userOf, queryText } from './requests';
import { statusView } from './status';
import { cancelFromPage, PageCancel, PageOrder, placeFromPage, previewFromPage } from './trading';

/** Nothing from elsewhere runs on the page, or is shown in it. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'self'; form-action 'none'; frame-ancestors 'none'";
const JOURNAL = 300;
const HIDDEN = { schema: { hide: true } };

/** The page that shows the exchange at work at /_sandbox/, and what it asks for; part of the control plane. */
export function pageRoutes(service: RouteContext): void {
  assetRoutes(service);
  viewRoutes(service);
  tradeRoutes(service);
}

function assetRoutes({ app }: RouteContext): void {
  app.register(fastifyStatic, {
    root: path.join(__dirname, 'assets'),
    prefix: '/_sandbox/',
    index: false,
    cacheControl: false,
    setHeaders: (response) => {
      response.setHeader('content-security-policy', POLICY);
    },
  });
  app.get('/_sandbox/', HIDDEN, async (request, reply) => {
    const [requested] = request.url.split('?', 1);
    return requested === '/_sandbox/' ? reply.sendFile('index.html') : reply.redirect('/_sandbox/');
  });
  const chartLibrary = path.dirname(require.resolve('lightweight-charts/package.json'));
  app.get('/_sandbox/vendor/lightweight-charts.mjs', HIDDEN, async (_request, reply) =>
    reply.sendFile('lightweight-charts.standalone.production.mjs', path.join(chartLibrary, 'dist')),
  );
}

function viewRoutes({ app, sandbox }: RouteContext): void {
  const history = new OrderHistory();
  sandbox.onOrderEvent((event) => history.note(event));
  app.get('/_sandbox/page/status', HIDDEN, async () => statusView(sandbox));
  app.get('/_sandbox/page/accounts', HIDDEN, async () => accounts(sandbox));
  app.get('/_sandbox/page/instruments', HIDDEN, async ({ query }) => searchInstruments(sandbox, queryText(query, 'q')));
  app.get('/_sandbox/page/quotes', HIDDEN, async ({ query }) => pageQuotes(sandbox, queryText(query, 'names')));
  app.get('/_sandbox/page/market', HIDDEN, async ({ query }) =>
    marketView(sandbox, instrumentOf(sandbox, queryText(query, 'ref_id')), userOf(sandbox, queryText(query, 'phone'))),
  );
  app.get('/_sandbox/page/bars', HIDDEN, async ({ query }) =>
    barsView(sandbox, instrumentOf(sandbox, queryText(query, 'ref_id')), queryText(query, 'interval') || '1m'),
  );
  app.get('/_sandbox/page/chain', HIDDEN, async ({ query }) =>
    chainView(sandbox, instrumentOf(sandbox, queryText(query, 'ref_id')), Number(queryText(query, 'expiry')) || 0),
  );
  app.get('/_sandbox/page/account', HIDDEN, async ({ query }) =>
    accountView(sandbox, userOf(sandbox, queryText(query, 'phone')), history),
  );
  app.get('/_sandbox/page/journal', HIDDEN, async ({ query }) =>
    latest(sandbox, Number(queryText(query, 'after')) || 0),
  );
}

function tradeRoutes({ app, sandbox }: RouteContext): void {
  app.post('/_sandbox/page/orders', { schema: { hide: true, body: PageOrder } }, async ({ body }) =>
    placeFromPage(sandbox, body as Static<typeof PageOrder>),
  );
  app.post('/_sandbox/page/preview', { schema: { hide: true, body: PageOrder } }, async ({ body }) =>
    previewFromPage(sandbox, body as Static<typeof PageOrder>),
  );
  app.post('/_sandbox/page/cancel', { schema: { hide: true, body: PageCancel } }, async ({ body }) =>
    cancelFromPage(sandbox, body as Static<typeof PageCancel>),
  );
  app.post('/_sandbox/page/modify', { schema: { hide: true, body: PageModify } }, async ({ body }) =>
    modifyFromPage(sandbox, body as Static<typeof PageModify>),
  );
  app.post('/_sandbox/page/exit', { schema: { hide: true, body: PageExit } }, async ({ body }) =>
    exitFromPage(sandbox, body as Static<typeof PageExit>),
  );
}

/** The test accounts, with what it takes to log in: they are invented, and the control plane is for this machine only. */
function accounts(sandbox: Sandbox) {
  return [...sandbox.users.all()].map(({ phone, name, pan, mpin, email, clientCode, login }) => ({
    phone,
    name,
    pan,
    mpin,
    email,
    client_code: clientCode,
    totp_secret: login.totp.enabled ? login.totp.secret : null,
  }));
}

/** Returns the entries of the journal after a number; of much, only the latest. */
function latest(sandbox: Sandbox, after: number) {
  const { journal } = sandbox;
  const entries = journal.after(Math.max(after, journal.last - JOURNAL), undefined, JOURNAL);
  return entries.map(({ seq, at, kind, data }) => ({
    seq,
    at: istText(at),
    kind,
    ...instrumentOfEntry(sandbox, data['ref_id']),
    ...data,
  }));
}

/** Returns symbol and name of the instrument of an entry; nothing where it is about none. */
function instrumentOfEntry(sandbox: Sandbox, refId: unknown): { symbol?: string; instrument_name?: string } {
  const instrument = typeof refId === 'number' ? sandbox.world.instrument(refId) : undefined;
  return instrument === undefined
    ? {}
    : { symbol: instrument.symbol, instrument_name: nameShown(instrument, sandbox.instant) };
}
