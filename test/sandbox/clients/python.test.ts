/** The Python client and start helper that come with the sandbox, run by the machine's Python. */
import { execFile, spawnSync } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describeWith } from '../../support/needs';
import { SANDBOX_PROGRAM } from '../../support/sandbox-program';

const root = path.resolve(__dirname, '../../..');
const clients = path.join(root, 'sandbox', 'clients');
const found = ['python3', 'python'].find(
  (name) => spawnSync(name, ['-c', 'import sys; assert sys.version_info >= (3, 9)']).status === 0,
);

const USER = `
import json, sys
from brokerage_sandbox import Client, Refused, Sandbox

with Sandbox("--seed", "7", "--clock", "manual", "--start", "2026-11-23T10:00:00+05:30", command=sys.argv[1:]) as sandbox:
    client = sandbox.log_in()
    master = client.get_refdata_refdata_by_date(date="2026-11-23", exchange="NSE")["refdata"]
    infy = next(row for row in master if row["stock_name"] == "INFY" and row["series"] == "EQ")
    order = {"ref_id": infy["ref_id"], "order_type": "ORDER_TYPE_REGULAR", "order_qty": 1, "validity_type": "DAY",
             "order_side": "ORDER_SIDE_BUY", "order_delivery_type": "ORDER_DELIVERY_TYPE_CNC", "price_type": "MARKET"}
    placed = client.post_orders_v2_single(body=order)
    client.post_sandbox_clock(body={"advance": "PT5S"})
    seen = client.get_orders_v2_by_order_id(order_id=placed["order_id"])
    refusals = []
    for body in [{**order, "order_qty": 0}]:
        try:
            client.post_orders_v2_single(body=body)
        except Refused as refused:
            refusals.append([refused.status, str(refused)])
    try:
        client.get_orders_v2_by_order_id(id=1)
    except TypeError as error:
        refusals.append(str(error))
    try:
        client.nowhere
    except AttributeError as error:
        refusals.append(str(error))
    url = sandbox.url
try:
    Client(url)
    ended = False
except OSError:
    ended = True
print(json.dumps({"id": str(placed["order_id"]), "seen": json.dumps(seen), "refusals": refusals, "ended": ended}))
`;

describeWith({ name: 'Python 3.9 or later', found }, 'brokerage_sandbox.py', (python) => {
  it('starts a sandbox, logs in, places an order, tells refusals apart, and ends it', async () => {
    const { stdout } = await promisify(execFile)(python, ['-c', USER, process.execPath, ...SANDBOX_PROGRAM], {
      env: { ...process.env, PYTHONPATH: clients, PYTHONDONTWRITEBYTECODE: '1' },
    });
    const reported = JSON.parse(stdout) as { id: string; seen: string; refusals: unknown[]; ended: boolean };
    expect(reported.id).toMatch(/^\d{19}$/);
    expect(reported.seen).toContain(reported.id);
    expect(reported.refusals).toEqual([
      [400, expect.stringMatching(/^400: /)],
      "get_orders_v2_by_order_id takes ['order_id'], not ['id']",
      "The sandbox's description has no operation nowhere",
    ]);
    expect(reported.ended).toBe(true);
  });
});
