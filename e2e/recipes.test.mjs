/** The steps of docs/recipes.md in a real n8n that has its own clock, against a sandbox whose clock is elsewhere and is moved. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { outputOf } from '../scripts/n8n.mjs';
import { freePort } from '../scripts/support.mjs';
import { openExamples } from './support/examples.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { by, linked, order, other, step, trigger } from './support/steps.mjs';
import { byHand, chain, webhookNode } from './support/workflows.mjs';

describe('The recipes', { timeout: TIMEOUT_MS }, () => {
  let world;
  let mailPort;

  before(
    async () => {
      mailPort = await freePort();
      const time = ['--hours', 'exchange', '--start', '2026-12-01T09:16:00+05:30'];
      const accounts = ['--accounts', '3', '--order-interface', 'both', '--mail-port', String(mailPort)];
      world = await openExamples({ sandboxOptions: [...time, ...accounts] });
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => await world?.close());

  /** Returns the orders of the account, the oldest first. */
  async function orders() {
    const list = step('Orders', { resource: 'order', operation: 'getMany', returnAll: true });
    const workflow = await world.n8n.createWorkflow(chain('Orders', [byHand(), list], world.credential));
    return outputOf(await world.run(workflow, 'Run by Hand'), 'Orders').reverse();
  }
  const goTo = async (time) => {
    await world.sandbox.control('POST', 'clock', { set: `2026-12-01T${time}+05:30` });
  };
  const build = async (name, nodes, connections) => {
    const workflow = chain(name, nodes, world.credential);
    return await world.n8n.createWorkflow(connections === undefined ? workflow : { ...workflow, connections });
  };

  it('places the rows of a table once, whatever words the table uses, and writes what became of each', async () => {
    const rows = [
      { no: 'A1', symbol: 'INFY', side: 'Buy', quantity: 10, type: 'Market', product: 'Delivery' },
      { no: 'A2', symbol: 'reliance', side: 'b', quantity: '5', type: 'limit', price: 1050, product: 'CNC' },
      { no: 'A3', symbol: 'TCS', side: 'SELL', quantity: 2, type: 'MKT', price: '', product: 'MIS' },
      { no: 'A4', symbol: 'NOSUCH', side: 'S', quantity: 2, type: 'Market', product: 'Intraday' },
    ];
    const table = other('code', 2, 'Table', { jsCode: `return ${JSON.stringify(rows)}.map((json) => ({ json }));` });
    const field = (name) => `={{ $json.${name} }}`;
    const place = order(
      'Place',
      {
        ...{ instrument: by(field('symbol')), side: field('side'), quantity: field('quantity') },
        ...{ product: field('product'), priceType: field('type'), price: field('price') },
        options: { idempotencyKey: field('no') },
      },
      { onError: 'continueErrorOutput' },
    );
    const workflow = await build('Orders of a table', [byHand(), table, place]);
    const first = await world.run(workflow, 'Run by Hand');
    const refused = first.data.resultData.runData.Place[0].data.main[1].map(({ json }) => [json.no, json.error]);
    assert.deepEqual(refused, [['A4', 'There is no instrument "NOSUCH" on NSE, BSE, MCX today.']]);
    const summaries = outputOf(first, 'Place').map(({ summary }) => summary);
    assert.deepEqual(
      summaries.map((text) => text.replace(/₹[\d,]+\.\d\d/, '₹')),
      [
        'Filled: bought 10 INFY (Delivery) at ₹.',
        'Open: buy 5 RELIANCE (Delivery) at ₹.',
        'Filled: sold 2 TCS (Intraday) at ₹.',
      ],
    );
    const again = await world.run(workflow, 'Run by Hand');
    assert.deepEqual(
      outputOf(again, 'Place').map(({ already_placed: known }) => known),
      [true, true, true],
    );
    assert.equal((await orders()).length, 3);
  });

  it('copies half of each order to another account, in whole lots', async () => {
    const [, , third] = await world.sandbox.control('GET', 'page/accounts');
    const copied = await world.n8n.saveCredential('Third Account', 'brokerageApi', {
      ...world.credentialData(),
      ...{ phone: third.phone, mpin: third.mpin, totpSecret: third.totp_secret },
    });
    const fills = trigger('On Order', { watch: 'orders', events: ['executed'], filters: { tags: 'lead' } });
    const copy = {
      ...order('Copy', {
        ...{ instrument: by('={{ $json.symbol }}'), side: '={{ $json.order_side }}' },
        ...{ quantity: '={{ $json.order_qty / 2 }}', product: '={{ $json.order_delivery_type }}' },
        options: { roundQuantityDown: true, idempotencyKey: '={{ $json.order_id }}' },
      }),
    };
    const workflow = await build('Copy', [fills, copy]);
    workflow.nodes.find(({ name }) => name === 'Copy').credentials = {
      brokerageApi: { id: copied.id, name: copied.name },
    };
    const saved = await world.n8n.request('PATCH', `/workflows/${workflow.id}`, workflow);
    await world.n8n.activate(saved);
    const lead = order('Lead', {
      ...{ instrument: by('NIFTY DEC FUT'), side: 'BUY', quantity: 3, quantityUnit: 'lots', product: 'IDAY' },
      options: { tag: 'lead' },
    });
    const leading = await world.run(await build('Lead', [byHand(), lead]), 'Run by Hand');
    assert.equal(outputOf(leading, 'Lead')[0].filled_qty, 195);
    const [made] = outputOf(await world.next(saved), 'Copy');
    assert.deepEqual([made.filled_qty, made.symbol], [65, 'NIFTY26DECFUT']);
    await world.n8n.deactivate(saved);
  });

  it('sells a straddle with a stop on each leg, and the items tell the exits while the clock waits', async () => {
    const built = step('Built', {
      ...{
        resource: 'quote',
        operation: 'buildOptionStrategy',
        strategy: 'straddle',
        side: 'SELL',
        underlying: 'NIFTY',
      },
      ...{ exchange: 'NSE', expiry: 'next', quantity: 1, quantityUnit: 'lots', options: { picture: false } },
    });
    const legs = other('splitOut', 1, 'Legs', { fieldToSplitOut: 'legs', options: {} });
    const sell = order('Sell', {
      ...{ instrument: by('={{ $json.instrument }}'), side: '={{ $json.side }}', quantity: '={{ $json.quantity }}' },
      ...{ product: 'IDAY', exits: { stopLoss: 30, exitTime: '15:15' } },
    });
    const workflow = await build('Straddle', [
      trigger('At 09:20', { watch: 'marketTime', marketTimes: '09:20' }),
      ...[built, legs, sell],
    ]);
    await world.n8n.activate(workflow);
    await goTo('09:20:00');
    const sold = outputOf(await world.next(workflow), 'Sell');
    assert.equal(sold.length, 2);
    assert.equal(sold[0].symbol.slice(0, -2), sold[1].symbol.slice(0, -2));
    for (const leg of sold) {
      assert.equal(leg.order_status, 'FILLED');
      assert.ok(leg.stop_price > leg.avg_filled_price, JSON.stringify(leg));
      assert.match(leg.summary, /stop loss at ₹/);
      assert.ok(leg.exits.some(({ exit_time_ist: time }) => time === '2026-12-01T15:15:00.000+05:30'));
    }
    await world.n8n.deactivate(workflow);
  });

  it('places one order on each side of the opening range, and cancels the other when one fills', async () => {
    const entry = (name, side, edge, limit) =>
      order(name, {
        ...{ instrument: by('={{ $json.symbol }}'), side, quantity: 10, product: 'IDAY', orderType: 'STOPLOSS' },
        ...{ priceType: 'LIMIT', pricesAs: 'percent', measuredFrom: 'given', referencePrice: `={{ $json.${edge} }}` },
        ...{ triggerPrice: 0, price: limit, options: { tag: 'orb' } },
      });
    const nodes = [
      trigger('At 09:30', { watch: 'marketTime', marketTimes: '09:30' }),
      step('Range', { resource: 'candle', operation: 'get', instrument: by('ITC'), interval: '15m', range: 'today' }),
      entry('Buy Above', 'BUY', 'high', 0.2),
      entry('Sell Below', 'SELL', 'low', -0.2),
      trigger('On Fill', { watch: 'orders', events: ['fill'], filters: { tags: 'orb' } }),
      step('Cancel the Other', { resource: 'order', operation: 'cancelAll', filters: { tag: 'orb' } }),
    ];
    const workflow = await build(
      'Opening range',
      nodes,
      linked({
        'At 09:30': [['Range']],
        Range: [['Buy Above', 'Sell Below']],
        'On Fill': [['Cancel the Other']],
      }),
    );
    await world.n8n.activate(workflow);
    await goTo('09:30:00');
    const ran = await world.next(workflow);
    const [range, ...more] = outputOf(ran, 'Range');
    assert.deepEqual([range.time, range.closed, more], ['2026-12-01T09:15:00.000+05:30', true, []]);
    const [up, down] = [outputOf(ran, 'Buy Above')[0], outputOf(ran, 'Sell Below')[0]];
    assert.deepEqual([up.trigger_price, down.trigger_price], [range.high, range.low]);
    await world.sandbox.control('POST', 'market', { ref_id: up.ref_id, price: Math.round(range.high * 100.1) });
    await world.next(workflow, 1);
    const placed = (await orders()).filter(({ tag }) => tag.startsWith('orb'));
    assert.deepEqual(
      placed.map(({ order_side: side, order_status: status }) => [side, status]),
      [
        ['BUY', 'FILLED'],
        ['SELL', 'CANCELLED'],
      ],
    );
    await world.n8n.deactivate(workflow);
  });

  it('turns a position around by an alert that comes as text, also where nothing is open', async () => {
    const given = (name) => `={{ $('Alert').first().json.${name} }}`;
    const word = (name, type, at) => ({ id: name, name, type, value: `={{ $json.body.split(' ')[${at}] }}` });
    const fields = [word('side', 'string', 0), word('symbol', 'string', 1), word('qty', 'number', 2)];
    const nodes = [
      webhookNode('turn-around'),
      other('set', 3.4, 'Alert', { assignments: { assignments: fields }, options: {} }),
      step(
        'Close',
        {
          ...{ resource: 'portfolio', operation: 'exitPosition', instrument: by('={{ $json.symbol }}') },
          filters: { products: ['IDAY'] },
        },
        { alwaysOutputData: true },
      ),
      order('Open', {
        ...{ instrument: by(given('symbol')), side: given('side'), quantity: given('qty'), product: 'IDAY' },
        exits: { stopLoss: 1, target: 2 },
      }),
    ];
    const workflow = await build('Turned around', nodes);
    await world.n8n.activate(workflow);
    const alert = async (body) => {
      const reply = await fetch(`${world.n8n.url}/webhook/turn-around`, {
        ...{ method: 'POST', headers: { 'content-type': 'text/plain' }, body },
      });
      const { order_side: side, filled_qty: filled, exits } = await reply.json();
      return [side, filled, exits.map(({ status }) => status)];
    };
    assert.deepEqual(await alert('BUY HDFCBANK 5'), ['BUY', 5, ['OPEN', 'OPEN']]);
    assert.deepEqual(await alert('sell HDFCBANK 5'), ['SELL', 5, ['OPEN', 'OPEN']]);
    const positions = step('Positions', { resource: 'portfolio', operation: 'getPositions', returnAll: true });
    const ran = await world.run(await build('Positions', [byHand(), positions]), 'Run by Hand');
    const held = outputOf(ran, 'Positions').filter(({ symbol, qty }) => symbol === 'HDFCBANK' && qty !== 0);
    assert.deepEqual(
      held.map(({ side_label: side, qty }) => [side, Math.abs(qty)]),
      [['Sold', 5]],
    );
    await world.n8n.deactivate(workflow);
  });

  it('rebalances the holdings to their weights, and a second run on the day trades nothing', async () => {
    const rows = [
      { symbol: 'INFY', weight: 45 },
      { symbol: 'ITC', weight: 30 },
      { symbol: 'HCLTECH', weight: 5 },
    ];
    const number = (name, value) => ({
      ...{ assignments: { assignments: [{ id: name, name, type: 'number', value }] }, includeOtherFields: true },
      options: {},
    });
    const total = "$('Summary').first().json.holdings.current_value";
    const difference = `={{ Math.floor(${total} * $json.weight / 100 / $json.price) - ($json.qty ?? 0) - ($json.t1_qty ?? 0) }}`;
    const nodes = [
      byHand(),
      step('Summary', { resource: 'portfolio', operation: 'getSummary' }),
      other('code', 2, 'Weights', { jsCode: `return ${JSON.stringify(rows)}.map((json) => ({ json }));` }),
      step('Price', { resource: 'quote', operation: 'getCurrentPrice', instrument: by('={{ $json.symbol }}') }),
      other('set', 3.4, 'Weighted', number('weight', "={{ $('Weights').item.json.weight }}")),
      step(
        'Holdings',
        { resource: 'portfolio', operation: 'getHoldings', returnAll: true },
        { executeOnce: true, alwaysOutputData: true },
      ),
      other('merge', 3.2, 'Join', {
        ...{ mode: 'combine', fieldsToMatchString: 'symbol', joinMode: 'enrichInput1', options: {} },
      }),
      other('set', 3.4, 'Difference', number('difference', difference)),
      order(
        'Trade',
        {
          ...{ instrument: by('={{ $json.symbol }}'), side: "={{ $json.difference > 0 ? 'BUY' : 'SELL' }}" },
          ...{ quantity: '={{ Math.abs($json.difference) }}', product: 'CNC' },
          options: { tag: 'rebalance', idempotencyKey: '=rebalance-{{ $json.symbol }}' },
        },
        { onError: 'continueErrorOutput' },
      ),
    ];
    const to = (node, index = 0) => ({ node, type: 'main', index });
    const workflow = await build('Rebalanced', nodes, {
      ...linked({
        'Run by Hand': [['Summary']],
        Summary: [['Weights']],
        Weights: [['Price']],
        Price: [['Weighted']],
        Join: [['Difference']],
        Difference: [['Trade']],
      }),
      Weighted: { main: [[to('Join'), to('Holdings')]] },
      Holdings: { main: [[to('Join', 1)]] },
    });
    const first = await world.run(workflow, 'Run by Hand');
    const differences = outputOf(first, 'Difference');
    assert.deepEqual(
      differences.map(({ symbol }) => symbol),
      ['INFY', 'ITC', 'HCLTECH'],
    );
    const traded = outputOf(first, 'Trade').map(({ order_side: side, filled_qty: qty }) =>
      side === 'BUY' ? qty : -qty,
    );
    assert.deepEqual(
      traded,
      differences.map((row) => row.difference),
    );
    await world.run(workflow, 'Run by Hand');
    assert.equal((await orders()).filter(({ tag }) => tag.startsWith('rebalance')).length, 3);
  });

  /** Returns the e-mails of the account with a subject, the newest first. */
  const mailed = async (subject) =>
    (await world.sandbox.control('GET', 'inbox?phone=9000000001')).filter((mail) => mail.subject === subject);
  /** Returns a step that sends an e-mail to the account. */
  const send = async (name, subject, fields) => {
    const smtp = await world.n8n.saveCredential('Mailbox', 'smtp', {
      ...{ host: '127.0.0.1', port: mailPort, secure: false, disableStartTls: true },
    });
    const parameters = { fromEmail: 'n8n@sandbox.invalid', toEmail: 'asha@sandbox.invalid', subject, ...fields };
    return {
      ...other('emailSend', 2.1, name, parameters),
      credentials: { smtp: { id: smtp.id, name: smtp.name } },
    };
  };

  it('attaches the files of two steps one after another to one e-mail', async () => {
    const download = (name, report, binaryProperty) =>
      step(name, {
        resource: 'report',
        operation: 'download',
        report,
        dates: 'lastMonth',
        options: { binaryProperty },
      });
    const both = await send('Send', 'Both', {
      ...{ emailFormat: 'text', text: 'Attached.', options: { fileAttachments: 'note,book' } },
    });
    const steps = [download('Note', 'contractNote', 'note'), download('Book', 'tradebook', 'book'), both];
    await world.run(await build('Both files', [byHand(), ...steps]), 'Run by Hand');
    const [mail] = await mailed('Both');
    assert.deepEqual(
      mail.attachments.filter(({ related }) => !related).map(({ filename }) => filename.split('.').at(-1)),
      ['pdf', 'xlsx'],
    );
  });

  it('buys shares by weight, mails their sentences, moves what is open, and closes what has the tag alone', async () => {
    const rows = [
      { symbol: 'WIPRO', weight: 60 },
      { symbol: 'TCS', weight: 40 },
    ];
    const sentences = {
      fieldsToSummarize: { values: [{ aggregation: 'concatenate', field: 'summary', separateBy: '\n' }] },
      options: {},
    };
    const placed = {
      ...{ resource: 'order', operation: 'placeMany', instrument: by('={{ $json.symbol }}'), side: 'BUY' },
      ...{ sizeBy: 'amount', sizeAmount: '={{ 200000 * $json.weight / 100 }}', product: 'CNC', priceType: 'LIMIT' },
      ...{ pricesAs: 'percent', price: -1, options: { tag: 'five' } },
    };
    const buy = await build('Basket of shares', [
      byHand(),
      other('code', 2, 'Rows', { jsCode: `return ${JSON.stringify(rows)}.map((json) => ({ json }));` }),
      step('Place', placed),
      other('summarize', 1.1, 'Together', sentences),
      await send('Send', 'Basket', { emailFormat: 'text', text: '={{ $json.concatenated_summary }}' }),
    ]);
    await world.run(buy, 'Run by Hand');
    const [mail] = await mailed('Basket');
    assert.match(mail.text, /^Open: buy \d+ WIPRO \(Delivery\) at ₹[\d.,]+\.\s+Open: buy \d+ TCS /);
    const list = {
      resource: 'order',
      operation: 'getMany',
      returnAll: true,
      filters: { tag: 'five', statuses: ['OPEN'] },
    };
    const change = { orderId: '={{ $json.order_id }}', updateFields: { pricesAs: 'percent', price: 0.3 } };
    const move = await build('Moved basket', [
      byHand(),
      step('Orders', list),
      step('Modify', { resource: 'order', operation: 'modify', ...change }),
    ]);
    assert.equal(outputOf(await world.run(move, 'Run by Hand'), 'Modify').length, rows.length);
    const exit = { resource: 'portfolio', operation: 'exitAll', filters: { tag: 'five' } };
    const close = await build('Closed basket', [byHand(), step('Exit', exit)]);
    const closed = outputOf(await world.run(close, 'Run by Hand'), 'Exit');
    assert.deepEqual(closed.map(({ symbol, result }) => [symbol, result]).sort(), [
      ['TCS', 'closed'],
      ['WIPRO', 'closed'],
    ]);
    assert.deepEqual(outputOf(await world.run(close, 'Run by Hand'), 'Exit'), []);
  });

  it('closes what is intraday before the broker does, and mails what it earned', async () => {
    const instrument = by('SBIN');
    const bought = order('Buy', { instrument, side: 'BUY', quantity: 4, product: 'IDAY' });
    await world.run(await build('Intraday purchase', [byHand(), bought]), 'Run by Hand');
    const exit = { resource: 'portfolio', operation: 'exitAll', filters: { products: ['IDAY'] } };
    const report = { resource: 'portfolio', operation: 'getReport', parts: ['positions'] };
    const close = await build('Intraday closing', [
      byHand(),
      step('Exit', exit, { alwaysOutputData: true }),
      step('Report', report, { executeOnce: true }),
      await send('Send', 'Closed', { emailFormat: 'html', html: '={{ $json.html }}' }),
    ]);
    const run = await world.run(close, 'Run by Hand');
    assert.ok(outputOf(run, 'Exit').some(({ summary }) => summary.startsWith('Closed: SBIN (Intraday), sold 4')));
    const [mail] = await mailed('Closed');
    assert.match(mail.html, /SBIN.*Intraday.*Closed/);
  });
});
