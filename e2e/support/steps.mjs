/** Steps of a workflow as n8n's editor adds them now. */
import { brokerageNode } from './workflows.mjs';

const NEWEST = 1.2;
/** An instrument by its symbol. */
export const by = (name) => ({ __rl: true, mode: 'symbol', value: name });
/** A step of ours as n8n adds it now. */
export const step = (name, parameters, more) => ({ ...brokerageNode(name, parameters, more), typeVersion: NEWEST });
/** A step of n8n's own. */
export const other = (type, typeVersion, name, parameters) => ({
  ...{ id: name, name, type: `n8n-nodes-base.${type}`, typeVersion },
  ...{ position: [0, 0], parameters },
});
export const trigger = (name, parameters) => ({
  ...{ id: name, name, type: 'n8n-nodes-brokerage.brokerageTrigger', typeVersion: NEWEST },
  ...{ position: [0, 0], parameters },
});
export const order = (name, parameters, more) =>
  step(name, { resource: 'order', operation: 'place', orderType: 'REGULAR', priceType: 'MARKET', ...parameters }, more);
/** Connects each step with those behind its first output, and those behind its second. */
export const linked = (map) =>
  Object.fromEntries(
    Object.entries(map).map(([from, outputs]) => [
      from,
      { main: outputs.map((names) => names.map((node) => ({ node, type: 'main', index: 0 }))) },
    ]),
  );
