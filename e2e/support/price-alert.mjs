/** A workflow that a price starts, and a price that crosses its level. */
import { withCredential } from '../../scripts/n8n.mjs';
import { priceOf, SYMBOL } from './resting-limit-orders.mjs';

const PAISE = 100;

/** Workflow that starts each time that the price rises to the level. @param level paise */
export function alertWorkflow(credential, level) {
  return withCredential(
    {
      name: 'Price alert',
      nodes: [
        {
          id: '1',
          name: 'Price Alert',
          type: 'n8n-nodes-brokerage.brokerageTrigger',
          typeVersion: 1.1,
          position: [0, 0],
          parameters: {
            watch: 'price',
            instrument: { __rl: true, mode: 'symbol', value: `NSE:${SYMBOL}` },
            condition: 'crossesAbove',
            level: level / PAISE,
          },
        },
        { id: '2', name: 'Done', type: 'n8n-nodes-base.noOp', typeVersion: 1, position: [220, 0], parameters: {} },
      ],
      connections: { 'Price Alert': { main: [[{ node: 'Done', type: 'main', index: 0 }]] } },
    },
    credential,
  );
}

/** A level above the price, and how to move the price to either side of it. */
export async function levelAbove(sandbox) {
  const { refId, last } = await priceOf(sandbox);
  const level = Math.floor((last * 1.02) / PAISE) * PAISE;
  const to = async (price) => await sandbox.control('POST', 'market', { ref_id: refId, price });
  const [above, below] = [1.01, 0.98].map((share) => Math.round((level * share) / 10) * 10);
  return { level, rise: async () => await to(above), fall: async () => await to(below) };
}
