/** Many orders in little time, and what n8n keeps, answers and holds meanwhile. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const PLACED_AT_ONCE = 8;

/** Buys one share at the market, so many times, evenly over so many milliseconds: each is accepted, filled and executed. */
export async function buyMany(trade, refId, orders, overMs) {
  const start = Date.now();
  let next = 0;
  const buyer = async () => {
    for (let n = next++; n < orders; n = next++) {
      const due = start + (n / orders) * overMs;
      if (due > Date.now()) await sleep(due - Date.now());
      await trade('POST', '/orders/v2/single', {
        ref_id: refId,
        order_type: 'ORDER_TYPE_REGULAR',
        order_qty: 1,
        order_side: 'ORDER_SIDE_BUY',
        order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
        validity_type: 'DAY',
        price_type: 'MARKET',
        order_price: 0,
        tag: 'burst',
      });
    }
  };
  await Promise.all(Array.from({ length: PLACED_AT_ONCE }, buyer));
  return Date.now() - start;
}

/** The runs of a workflow as n8n's database has them, the oldest first: the event of each as `order:event`, and its status. */
export function runsOf(n8n, workflow) {
  const database = new DatabaseSync(path.join(n8n.userFolder, '.n8n', 'database.sqlite'), { readOnly: true });
  try {
    return database
      .prepare('select deduplicationKey as key, status from execution_entity where workflowId = ? order by id')
      .all(workflow.id)
      .map(({ key, status }) => ({ event: String(key).split(':').slice(2).join(':'), status }));
  } finally {
    database.close();
  }
}

/** Asks n8n every half second whether it is well, until it is stopped. */
export class Watch {
  /** Milliseconds that the slowest answer took. */
  slowestMs = 0;
  /** Megabytes of memory at the start, and at most. */
  startMb;
  mostMb = 0;
  failures = [];
  #running = true;
  #loop;

  constructor(n8n) {
    this.n8n = n8n;
    this.startMb = this.#memory();
    this.#loop = this.#watch();
  }

  async stop() {
    this.#running = false;
    await this.#loop;
  }

  async #watch() {
    while (this.#running) {
      const asked = Date.now();
      await fetch(`${this.n8n.url}/healthz`, { signal: AbortSignal.timeout(10_000) }).then(
        (response) => !response.ok && this.failures.push(response.status),
        (error) => this.failures.push(error.message),
      );
      this.slowestMs = Math.max(this.slowestMs, Date.now() - asked);
      this.mostMb = Math.max(this.mostMb, this.#memory());
      await sleep(500);
    }
  }

  #memory() {
    const status = readFileSync(`/proc/${this.n8n.child.process.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024;
  }
}
