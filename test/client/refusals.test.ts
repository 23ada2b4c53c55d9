/** Every refusal that the sandbox and the facts know is translated: rupees, the label of the field, what is allowed, the next step. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REFUSALS } from '../../client/refusal-rules';
import { translateRefusal } from '../../client/refusals';

const SANDBOX = path.join(__dirname, '../../sandbox/src');
/** By code and source text. */
const texts = new Map<string, string>();
for (const room of ['exchange', 'accounts', 'simulation', 'web']) {
  for (const entry of readdirSync(path.join(SANDBOX, room), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
    const source = readFileSync(path.join(entry.parentPath, entry.name), 'utf8');
    const found = source.matchAll(/(?:refuse\(\s*|code: )'([A-Z_]+)',\s*(?:text: )?(`[^`]*`|'[^'\n]*'|"[^"\n]*")/g);
    for (const [, code, text] of found) texts.set(`${code} ${text}`, filled(text!.slice(1, -1)));
  }
}

/** A text of the source with figures and words where it has places for them. */
function filled(text: string): string {
  const words: Record<string, string> = {
    'REFUSAL_TEXT.freeze': 'ORDER QTY IS GREATER THAN FREEZE QTY',
    'REFUSAL_TEXT.lot': 'quantity entered is not a multiple of current lots size',
    'REFUSAL_TEXT.largest': 'exceeds the maximum order quantity limit',
    'REFUSAL_TEXT.band': 'PRICE_BAND_HIT',
    'REFUSAL_TEXT.protection': 'LIMIT_PRICE_PROTECTION',
    'REFUSAL_TEXT.cancelBusy': "Can't cancel this order right now",
    'REFUSAL_TEXT.modifyBusy': "Can't modify this order right now",
    'INTENT_TEXT.modifyBusy': "Can't modify this order right now",
    busyText: "Can't cancel this order right now",
    where: 'orders[0]',
    under: 'below',
    over: 'above',
    name: 'order_price',
  };
  return text.replace(/\$\{([^}]*)\}/g, (_, name: string) => words[name] ?? '150000');
}

it('finds the refusals of the sandbox', () => {
  expect(texts.size).toBeGreaterThan(80);
});

it.each([...texts])('%s', (_, text) => {
  const translated = translateRefusal(text);
  expect([text, translated]).not.toEqual([text, undefined]);
  const { message, hint } = translated!;
  expect(hint).not.toBe('');
  // No field or amount of the wire is left.
  expect(message.replaceAll('ref_id', '')).not.toMatch(/_|\bpaise\b|[a-z][A-Z]\w*(Price|Time|Leg)\b/);
});

it('advises on an Exit Time in words that fit Delivery, too', () => {
  const { message, hint } = translateRefusal('exitConfig.exitTime must be inside the session')!;
  expect(message).not.toMatch(/intraday/i);
  expect(hint).toContain('Intraday is squared off before the close');
  expect(hint).toContain('With Delivery, a share whose close is found by an auction trades until 15:15');
});

it.each([
  [
    'exitConfig.exitTime must be inside the session',
    'Exit Time is at a time at which the order does not trade with this product',
  ],
  [
    'entryConfig.entryTime must be before the close of the session',
    'Entry Time is after the end of its session: no intraday position is opened once the broker squares off',
  ],
  [
    'PRICE_BAND_HIT: order_price 150000 is outside the price band of 106550 to 130210',
    'The price must be between ₹1,065.50 and ₹1,302.10 today',
  ],
  [
    'order_price 106551 is not a multiple of the tick size 5: nearest are 106550 and 106555',
    'Price must be a multiple of the tick, which is ₹0.05: the nearest are ₹1,065.50 and ₹1,065.55',
  ],
  [
    'algo_params.trigger_price 106551 is not a multiple of the tick size 10: nearest are 106550 and 106560',
    'Trigger Price must be a multiple of the tick, which is ₹0.10: the nearest are ₹1,065.50 and ₹1,065.60',
  ],
  [
    'INSUFFICIENT_MARGIN: the order needs Rs 1,06,550.00, available are Rs 5000.50',
    'There is not enough margin for this order: it needs ₹1,06,550.00, and ₹5,000.50 is available',
  ],
  [
    'quantity entered is not a multiple of current lots size: 80 is not a multiple of 75 on NSE',
    'The quantity must be a multiple of the lot, which is 75; it is 80',
  ],
  [
    'for a buy, trigger_price 106550 must not be above order_price 106000',
    'For a buy, Trigger Price ₹1,065.50 must not be above Price ₹1,060.00',
  ],
  ['stop loss 90000 must be below target 80000', 'Stop Loss ₹900.00 must be below Target ₹800.00'],
  [
    'LIMIT_PRICE_PROTECTION: order_price 5000 is above 4200, too far from the price of the option',
    'The price must be at most ₹42.00 now: beyond that it is too far from the price of the option',
  ],
  [
    'ERR011 You cannot place an order beyond the asset expiry',
    'The order would last beyond the day on which its contract expires',
  ],
  ['Use a Limit Order for Day validity.', 'A market order cannot have the validity Day'],
  [
    'INSUFFICIENT_HOLDINGS: 100 of INFY to sell, 40 free (held, not pledged, not in other sell orders)',
    '100 INFY are to be sold, and 40 are held and free',
  ],
  [
    'order_qty 5 must be above the 12000 that are already filled',
    'The quantity must be above 12,000, which are already filled',
  ],
  [
    'SESSION_NOT_ALLOWED: after the close trading is at the closing price of 150025 only',
    'After the close, trading is at the closing price only, which is ₹1,500.25',
  ],
  [
    'stoplossTriggerPrice 150000 must be below the entry (149000)',
    'Stop Loss ₹1,500.00 must be below the entry (₹1,490.00)',
  ],
  [
    'stoplossTriggerPrice 200000 must be below the entry (-8825)',
    'Stop Loss ₹2,000.00 must be below the entry (-₹88.25)',
  ],
  [
    'targetProfitLimitPrice -9000 must be above the entry (-8825)',
    'Limit of the Target -₹90.00 must be above the entry (-₹88.25)',
  ],
  ['stop loss -9000 must be below target -12000', 'Stop Loss -₹90.00 must be below Target -₹120.00'],
  ['entryPrice -8825 is not a multiple of the tick', 'Price -₹88.25 is not a multiple of the tick'],
  [
    'icebergInfo.maxQtyPerLeg must be above 0 and below qty, not 9',
    'Leg Size must be above 0 and below Quantity, not 9',
  ],
  [
    'order 7 is a leg of basket 8, which is cancelled or exited as a whole',
    'The order is a leg of a basket, which is changed as a whole',
  ],
  ['INTENT: a request for order 7 is on its way', 'Another change of it is in progress'],
])('says %s in the words of the panel', (text, message) => {
  expect(translateRefusal(text)?.message).toBe(message);
});

it.each([
  ['INSUFFICIENT_MARGIN', 'There is not enough margin for this order'],
  ['PRICE_BAND_HIT', 'The price is outside the price band of the day'],
  [
    'ABOVE_AGGRESSOR_LIMIT',
    'The price is so far beyond the market that the broker does not let the order trade at once',
  ],
  ['SHORT_OPTION_RESTRICTED', 'This account may not sell this option now'],
  [
    'ORDER QTY IS GREATER THAN FREEZE QTY',
    'The quantity is above the largest that the exchange takes in one order (its freeze quantity)',
  ],
])('says %s, where no figures are given', (text, message) => {
  expect(translateRefusal(text)?.message).toBe(message);
});

it('says nothing of words that it does not know', () => {
  for (const text of ['', 'Something went wrong', 'Too many orders: at most 10 a second on NSE'])
    expect(translateRefusal(text)).toBeUndefined();
  expect(translateRefusal('order_qty is bad', 500)).toBeUndefined();
});

describe('the table of the docs', () => {
  const docs = readFileSync(path.join(__dirname, '../../docs/refusals.md'), 'utf8');

  it('has each row of the translator, and no other', () => {
    const rows = docs.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Words'));
    expect(rows).toHaveLength(REFUSALS.length);
    for (const [at, { said, message, hint }] of REFUSALS.entries()) {
      expect(rows[at]).toContain(said);
      expect(rows[at]).toContain(`| ${message}. | ${hint} |`);
    }
  });

  it.each(REFUSALS.map((rule) => [rule.said, rule] as const))('%s is told by its own row', (said, rule) => {
    const known = REFUSALS.find(
      ({ status, text }) => (status === undefined || status === rule.status) && text.test(said),
    );
    expect(known?.said).toBe(said);
  });
});
