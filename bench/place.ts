/** A thousand orders placed in the sandbox: our node in n8n's engine, the HTTP Request node there, and bare requests. */
import { Engine } from '../test/support/engine';
import { orderForm } from '../test/support/parameters';
import { clock } from '../nodes/shared/clock';
import type { MakeRow } from './row';
import { builtInNodes } from './support/n8n';
import { ACCOUNT, agent, ask, orderBody, refIdOf, requests, startSandbox, stop } from './support/sandbox';

const BARE = 'bare POSTs over 16 kept connections';
const HTTP = 'HTTP Request node, all at once';
const DEVICE = 'bench';
/** The sandbox takes so many orders in one request. */
const MOST_IN_ONE = 100;

/** Buys and sells in turns, so that the account stays as it was. */
const sideOf = (number: number): 'BUY' | 'SELL' => (number % 2 === 0 ? 'BUY' : 'SELL');

const make: MakeRow = async ({ short }) => {
  const count = short ? 20 : 1_000;
  const running = await startSandbox();
  const engine = await Engine.start({ environment: 'sandbox', sandboxBaseUrl: running.url, loginMethod: 'totp', ...ACCOUNT, deviceId: DEVICE, sessionToken: '' }, builtInNodes());
  const items = Array.from({ length: count }, (_, number) => ({ json: { side: sideOf(number) } }));
  const form = orderForm({ side: '={{ $json.side }}', product: 'IDAY', priceType: 'MARKET' });

  const ours = (operation: 'place' | 'placeMany', each: number) => async () => {
    for (let from = 0; from < count; from += each) {
      const part = items.slice(from, from + each);
      const { items: placed, error } = await engine.run({ ...form, operation }, { items: part });
      if (error !== undefined || placed.length !== part.length) throw error ?? new Error(`${placed.length} orders`);
    }
  };
  // A new login ends the session of the one before: all sides use the one that the node has made.
  const login = await engine.run({ resource: 'session', operation: 'getUser', simplify: true });
  if (login.error !== undefined) throw login.error;
  // The limit of the sandbox is lifted, and so is ours: nobody waits for a turn.
  clock.sleep = () => Promise.resolve();
  const headers = { authorization: `Bearer ${String((await engine.storedCredential()).sessionToken)}`, 'x-device-id': DEVICE };
  const refId = await refIdOf({ url: running.url, headers }, 'STOCK_INFY.NSECM');
  const url = `${running.url}/orders/v2/single`;
  const bare = () => requests(count, (number) => ask(url, 'POST', headers, orderBody(refId, sideOf(number))));
  const body = orderBody(refId).replace('ORDER_SIDE_BUY', 'ORDER_SIDE_{{ $json.side }}');
  const parameters = {
    method: 'POST',
    url,
    sendHeaders: true,
    headerParameters: { parameters: Object.entries(headers).map(([name, value]) => ({ name, value })) },
    sendBody: true,
    specifyBody: 'json',
    jsonBody: `=${body}`,
    options: {},
  };
  const node = { id: 'http', name: 'HTTP', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, position: [0, 0] as [number, number], parameters };
  const theirs = async () => {
    const { data } = await engine.runWorkflow({ nodes: [node], connections: {} }, { HTTP: items });
    const placed = data.resultData.runData.HTTP?.[0]?.data?.main?.[0] ?? [];
    if (data.resultData.error !== undefined || placed.length !== count) throw data.resultData.error ?? new Error(`${placed.length} orders`);
  };
  return {
    title: 'Placing orders',
    work: `${count} orders with the rate limits lifted; the sandbox runs on the same processors`,
    sides: [
      { name: 'ours, Place Many', role: 'ours', run: ours('placeMany', MOST_IN_ONE), rounds: 5 },
      { name: 'ours, Place: one after another, each sure', role: 'alternative', run: ours('place', count), rounds: 2 },
      { name: BARE, role: 'limit', run: bare, rounds: 5 },
      { name: HTTP, role: 'alternative', run: theirs, rounds: 3 },
    ],
    goals: [
      { against: BARE, times: 1.3 },
      { against: HTTP, times: 1 },
    ],
    close: async () => {
      agent.destroy();
      await stop(running);
    },
  };
};
export default make;
