/** The examples that belong to an hour of a trading day, run by hand at that hour in a real n8n with a PostgreSQL. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { errorOf, outputOf } from '../scripts/n8n.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { startPostgres } from './support/services.mjs';
import { ACCOUNT, example, openWorld } from './support/world.mjs';

describe('The examples of a trading day', { timeout: TIMEOUT_MS }, () => {
  let world;
  let credential;

  before(
    async () => {
      world = await openWorld({ start: '2026-11-23T08:45:00+05:30', sandboxOptions: ['--hours', 'exchange'] });
      credential = await world.n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await world?.close();
  });

  /** Runs a workflow by hand and returns the execution. */
  async function run(workflow, trigger) {
    const ran = await world.n8n.finished(await world.n8n.run(workflow, trigger));
    assert.equal(ran.status, 'success', errorOf(ran));
    return ran;
  }

  describe('08:45, Morning check', () => {
    let workflow;
    const check = async () => await run(workflow, 'Trading Days at 08:45');
    const change = async (what) => await world.sandbox.control('POST', `accounts/${ACCOUNT.phone}`, what);

    before(async () => {
      workflow = await world.n8n.createWorkflow(example('morning-check.json', credential));
    });

    it('says nothing when all is well', async () => {
      await change({ static_ip: '127.0.0.1' });
      const ran = await check();
      for (const check of ['Too Old?', 'Not Registered?', 'Closed Today?', 'Too Little?', 'No Contract?'])
        assert.ok(check in ran.data.resultData.runData, check);
      assert.deepEqual(outputOf(ran, 'Message'), []);
    });

    it('one message for all that is off', async () => {
      await change({ static_ip: '203.0.113.7', funds: 500_00 });
      try {
        const messages = outputOf(await check(), 'Message');
        assert.equal(messages.length, 1);
        assert.equal(
          messages[0].message,
          'Before the market opens, look at this:\n' +
            '- Static IP: this machine is not registered with the broker. This machine: 127.0.0.1. Registered: 203.0.113.7.\n' +
            '- Funds: there is too little. Free: ₹500.00. Wanted: ₹10,000.00.',
        );
      } finally {
        await change({ static_ip: '127.0.0.1', funds: 1_00_00_000_00 });
      }
    });

    it('a check that cannot be made is told, and the others are made', async () => {
      await world.sandbox.control('POST', 'faults', {
        match: { path: '/portfolio/user_funds_and_margin' },
        action: 'status',
        args: { status: 400, body: { error: 'OMS v2 is not enabled' } },
      });
      await change({ static_ip: '203.0.113.7' });
      try {
        const [{ message }] = outputOf(await check(), 'Message');
        assert.match(message, /^Before .*\n- Static IP: [^\n]*\n- Funds: [^\n]*OMS v2 is not enabled[^\n]*$/);
      } finally {
        await world.sandbox.control('DELETE', 'faults');
        await change({ static_ip: '127.0.0.1' });
      }
    });

    it('tells why the login failed', async () => {
      // Later, since a code is good for one login only, and later than a slow machine takes until here.
      await world.setTime('2026-11-23T09:00:00+05:30');
      await change({ expire_sessions: true });
      await world.sandbox.control('POST', 'faults', {
        match: { path: '/totp/login' },
        action: 'status',
        args: { status: 401, body: { error: 'TOTP is wrong' } },
      });
      try {
        const [{ message }] = outputOf(await check(), 'Message');
        assert.match(message, /^Before the market opens, look at this:\n- Login: [^\n]*TOTP is wrong[^\n]*$/);
      } finally {
        await world.sandbox.control('DELETE', 'faults');
      }
    });
  });

  describe('09:20, Straddle', () => {
    let workflow;
    /** Returns the trades of the legs so far; an order that is only partly filled is followed by another for the rest. */
    const traded = async () => {
      const last = new Map((await world.sandbox.journal('order')).map((entry) => [entry.order_id, entry]));
      const sums = {};
      for (const { side, ref_id: id, filled_quantity: filled } of last.values())
        sums[`${side} ${id}`] = (sums[`${side} ${id}`] ?? 0) + filled;
      return sums;
    };
    const baskets = async (event) => (await world.sandbox.journal('basket')).filter((entry) => entry.event === event);

    before(async () => {
      await world.setTime('2026-11-23T09:20:00+05:30');
      workflow = await world.n8n.createWorkflow(example('straddle.json', credential));
    });

    it('sells the call and the put of one strike as one basket, with stop loss, target and exit', async () => {
      const ran = await run(workflow, 'Trading Days at 09:20');
      const [placed] = outputOf(ran, 'Straddle Placed');
      assert.ok(placed, JSON.stringify(outputOf(ran, 'Needs a Person')));
      const [{ basket_params: terms, legs }] = outputOf(ran, 'Sell the Straddle');
      const [call, put] = legs;
      const [, strike] = /^NIFTY26NOV(\d+)CE$/.exec(call.symbol);
      assert.equal(put.symbol, `NIFTY26NOV${strike}PE`);
      const premium = -terms.stoploss_price / 1.3;
      assert.ok(premium > 1 && Math.abs(terms.exit_price + premium * 0.5) < 0.06, JSON.stringify(terms));
      assert.equal(Date.parse(terms.exit_time), Date.parse('2026-11-23T15:05:00+05:30'));
      for (const { order_side: side, order_qty: quantity } of legs) assert.deepEqual([side, quantity], ['SELL', 65]);

      await world.n8n.child.until(async () => (await baskets('entered')).length === 1, 20_000);
      assert.deepEqual(await traded(), {
        [`SELL ${call.ref_id}`]: 65,
        [`SELL ${put.ref_id}`]: 65,
      });
    });

    it('a second run of the day places nothing', async () => {
      const before = (await baskets('received')).length;
      const ran = await run(workflow, 'Trading Days at 09:20');
      const [{ message }] = ['Straddle Placed', 'Needs a Person'].flatMap((node) => outputOf(ran, node));
      // Though the premium has moved: what was asked for is the same.
      assert.match(message, /It was placed before: nothing was sent again\./);
      assert.equal((await baskets('received')).length, before);
    });

    it('is out at 15:05 at the latest, with both legs bought back', async () => {
      await world.setTime('2026-11-23T15:06:00+05:30');
      await world.n8n.child.until(async () => (await baskets('closed')).length === 1, 20_000);
      const quantities = Object.entries(await traded());
      const of = (side) =>
        quantities
          .filter(([leg]) => leg.startsWith(side))
          .map(([leg, quantity]) => [leg.split(' ')[1], quantity])
          .sort();
      assert.equal(of('SELL').length, 2);
      assert.deepEqual(of('BUY'), of('SELL'));
    });
  });

  describe('19:30, Bhavcopy to a database', () => {
    let folder;
    let postgres;
    let workflow;
    const table = (sql) =>
      execFileSync('psql', ['-h', '127.0.0.1', '-p', String(postgres.port), '-U', 'n8n', '-d', 'n8n', '-At', '-c', sql])
        .toString()
        .trim();
    const load = async () => await run(workflow, 'Trading Days at 19:30 and 21:30');
    const saved = async () => outputOf(await load(), 'Saved')[0];

    before(async () => {
      folder = mkdtempSync(path.join(tmpdir(), 'brokerage-e2e-database-'));
      // PostgreSQL runs as a separate user there.
      chmodSync(folder, 0o755);
      postgres = await startPostgres(path.join(folder, 'postgres'));
      const database = await world.n8n.saveCredential('Database', 'postgres', {
        host: '127.0.0.1',
        port: postgres.port,
        user: 'n8n',
        password: '',
        database: 'n8n',
        ssl: 'disable',
      });
      workflow = await world.n8n.createWorkflow(
        example('bhavcopy-to-database.json', credential, { 'n8n-nodes-base.postgres': database }),
      );
    });

    after(async () => {
      await postgres?.stop();
      if (folder) rmSync(folder, { recursive: true, force: true });
    });

    it('tells a person when there is no file yet', async () => {
      await world.setTime('2026-11-23T15:20:00+05:30');
      const ran = await load();
      assert.match(
        outputOf(ran, 'Needs a Person')[0].message,
        /^The end-of-day file of today is not in the database: There is no .* file for .*2026-11-23/,
      );
      assert.equal(table('select count(*) from bhavcopy'), '0');
    });

    it('saves every row once, however often it is run', async () => {
      await world.setTime('2026-11-23T19:30:00+05:30');
      const first = await saved();
      assert.ok(first.rows > 100, first.message);
      assert.equal(first.new_rows, first.rows);
      assert.equal(table('select count(*) from bhavcopy'), String(first.rows));
      assert.match(
        table("select trade_date, series, close > 0, volume >= 0 from bhavcopy where symbol = 'INFY'"),
        /^2026-11-23\|EQ\|t\|t$/,
      );
      const again = await saved();
      assert.deepEqual([again.rows, again.new_rows], [first.rows, 0]);
      assert.equal(table('select count(*) from bhavcopy'), String(first.rows));
    });

    it('is complete after the database was killed in the middle of a run', async () => {
      const rows = table('select count(*) from bhavcopy');
      table(
        'delete from bhavcopy; create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(30); return new; end $$; create trigger slow before insert on bhavcopy for each row execute function slow()',
      );
      const running = await world.n8n.run(workflow, 'Trading Days at 19:30 and 21:30');
      const waiting = "from pg_stat_activity where query like 'WITH saved%' and state = 'active'";
      await world.n8n.child.until(async () => table(`select count(*) ${waiting}`) === '1', 20_000);
      table(`select pg_terminate_backend(pid) ${waiting}`);
      const ran = await world.n8n.finished(running);
      assert.match(outputOf(ran, 'Needs a Person')[0].message, /terminat|connection/i);
      assert.equal(table('select count(*) from bhavcopy'), '0');
      table('drop trigger slow on bhavcopy');
      assert.equal(String((await saved()).new_rows), rows);
    });

    it('says so when the database takes no row, and when it has no credential', async () => {
      table(
        'create function no_row() returns trigger language plpgsql as $$ begin return null; end $$; create trigger no_row before insert on bhavcopy for each row execute function no_row()',
      );
      const ran = await load();
      assert.deepEqual(outputOf(ran, 'Saved'), []);
      assert.match(outputOf(ran, 'Nothing Saved')[0].message, /^Nothing was saved: .*Postgres credential/);
      table('drop trigger no_row on bhavcopy');

      const without = await world.n8n.createWorkflow(example('bhavcopy-to-database.json', credential));
      const failed = await run(without, 'Trading Days at 19:30 and 21:30');
      assert.deepEqual(outputOf(failed, 'Saved'), []);
      const errorItems = ['Needs a Person', 'Nothing Saved'].flatMap((node) => outputOf(failed, node));
      assert.match(errorItems[0]?.message, /credential/i);
    });

    it('on a holiday does nothing by itself, and takes the day before when it is tried', async () => {
      await world.setTime('2026-11-24T19:30:00+05:30');
      assert.deepEqual(Object.keys((await load()).data.resultData.runData), [
        'Trading Days at 19:30 and 21:30',
        'Get Trading Day',
        'Trading Today?',
        'Holiday, Nothing Done',
      ]);
      assert.match(
        outputOf(await run(workflow, 'Try It'), 'Saved')[0].message,
        /^2026-11-23: \d+ rows are saved, 0 of them new\.$/,
      );
    });
  });
});
