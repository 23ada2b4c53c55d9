/** The report of the portfolio in n8n's engine against the sandbox: tables, text and pictures, on both interfaces. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { allTextOf, Engine } from '../support/engine';
import { orderForm } from '../support/parameters';
import { testSandbox } from '../support/sandbox';
import { share } from '../support/sample';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

/** A folder for what people see, to be looked at. */
const LOOK = process.env.REPORT_FOLDER;

it.each(share(['v2', 'intent'] as const, 2, 0))('tells all of it, with the interface %s', async (orderInterface) => {
  const sandbox = await testSandbox({ orderInterface, hours: 'always' });
  const engine = await Engine.start(sandbox.credential);
  try {
    const trade = async (side: string, symbol: string, quantity: number): Promise<void> => {
      const { error } = await engine.run(
        {
          ...orderForm({ side, priceType: 'MARKET', product: 'IDAY', quantity, options: { waitFor: 'filled' } }),
          instrument: { __rl: true, mode: 'symbol', value: symbol },
        },
        { typeVersion: 1.1 },
      );
      if (error !== undefined) throw new Error(allTextOf(error));
    };
    await trade('BUY', 'NSE:INFY', 10);
    await trade('SELL', 'NSE:SBIN', 20);
    await trade('BUY', 'NSE:TCS', 3);
    await trade('SELL', 'NSE:TCS', 3);
    await sandbox.control('POST', 'clock', { advance: 'PT5M' });
    const { items, error } = await engine.run(
      {
        resource: 'portfolio',
        operation: 'getReport',
        parts: [],
        options: { pictures: ['dayResult', 'holdings', 'positions'] },
      },
      { typeVersion: 1.2 },
    );
    expect(error).toBeUndefined();
    const { json, binary } = items[0]!;
    expect(json).toMatchObject({
      is_empty: false,
      open_positions: 2,
      environment: 'sandbox',
      subject: expect.stringMatching(/^Your portfolio on /),
      summary: expect.stringMatching(
        orderInterface === 'v2'
          ? /^Result on \d{1,2} \w{3} \d{4}: [+−]?₹[\d,.]+ after all charges; 2 positions are open\.$/
          : /^Result on \d{1,2} \w{3} \d{4}: [+−]?₹[\d,.]+ after brokerage, before taxes and fees; 2 positions are open\.$/,
      ),
    });
    for (const word of ['Intraday', 'Sold', 'Bought', 'Closed', 'Filled', 'Holdings', 'Charges', '₹'])
      expect(json.html).toContain(word);
    expect(json.html).not.toMatch(/ORDER_|DELIVERY_TYPE/);
    expect(json.text).toMatch(/Bought/);
    expect(Object.keys(binary!).sort()).toEqual(['day_result', 'holdings', 'positions']);
    for (const [name, { data, fileName }] of Object.entries(binary!)) {
      const picture = Buffer.from(data, 'base64');
      expect([picture.readUInt32BE(16), fileName!.endsWith('.png')]).toEqual([1440, true]);
      if (LOOK !== undefined)
        writeFileSync(path.join(LOOK, `${orderInterface}-${name}.png`), Buffer.from(data, 'base64'));
    }
    if (LOOK !== undefined) {
      writeFileSync(
        path.join(LOOK, `${orderInterface}.html`),
        `<!doctype html><meta charset="utf-8">${String(json.html)}`,
      );
      writeFileSync(path.join(LOOK, `${orderInterface}.txt`), String(json.text));
    }
    const positions = await engine.run(
      {
        resource: 'portfolio',
        operation: 'getPositions',
        returnAll: true,
        simplify: true,
      },
      { typeVersion: 1.2 },
    );
    expect(
      positions.items.map((item) => [item.json.symbol, item.json.product_label, item.json.side_label]).sort(),
    ).toEqual([
      ['INFY', 'Intraday', 'Bought'],
      ['SBIN', 'Intraday', 'Sold'],
      ['TCS', 'Intraday', 'Closed'],
    ]);
  } finally {
    await sandbox.close();
  }
});
