import { Canvas } from '../../../client/charts/canvas';
import { holdingsChart } from '../../../client/portfolio/chart';

const holding = (symbol: string, invested: number, value: number) => ({
  symbol,
  invested_value: invested,
  current_value: value,
  net_pnl: value - invested,
});

/** The texts that a chart is written with. */
function textsOf(holdings: Parameters<typeof holdingsChart>[0]): { texts: string[]; canvas: Canvas } {
  const texts: string[] = [];
  const write = jest.spyOn(Canvas.prototype, 'text').mockImplementation((x, _y, text) => {
    texts.push(text);
    return x;
  });
  try {
    return { canvas: holdingsChart(holdings), texts };
  } finally {
    write.mockRestore();
  }
}

/** Number of dots of a row in the colour at the beginning of its bar. */
const barLength = (canvas: Canvas, row: number): number => {
  const top = 100 + row * 60 + 1;
  const red = (x: number): number | undefined => canvas.rgb[(top * canvas.width + x) * 3];
  let length = 0;
  for (let x = 320; x < canvas.width; x++) if (red(x) === red(320)) length++;
  return length;
};

it('has a bar for each holding, the largest first, with value and profit in rupees', () => {
  const { canvas, texts } = textsOf([
    holding('TCS', 200_000_00, 150_000_00),
    holding('INFY', 10_00_000_00, 12_34_567_89),
  ]);
  expect(texts).toEqual([
    'Holdings ₹13,84,568',
    'Profit ₹1,84,568 +15.38%',
    'INFY',
    '₹12,34,568',
    '+23.46%',
    'TCS',
    '₹1,50,000',
    '−25.00%',
  ]);
  expect(barLength(canvas, 0)).toBe(660);
  expect(barLength(canvas, 1)).toBe(Math.round((660 * 150_000_00) / 12_34_567_89));
});

it('says so when there are none, or no price for one', () => {
  expect(textsOf([]).texts).toEqual(['No holdings']);
  expect(textsOf([{ symbol: 'OLD', current_value: null, net_pnl: null }]).texts).toEqual([
    'Holdings ₹0 (1 without a price)',
    'Profit ₹0 ',
    'OLD',
    'No price',
  ]);
});

it('puts those that do not fit into one bar', () => {
  const { texts, canvas } = textsOf(
    Array.from({ length: 20 }, (_, index) => holding(`S${index}`, 100_00, (index + 1) * 100_00)),
  );
  expect(texts.slice(-3)).toEqual(['6 others', '₹2,100', '+250.00%']);
  expect(canvas.height).toBe(40 * 2 + 26 + 34 + 15 * 60);
});

it('gives a share that rounds to nothing no sign', () => {
  const { texts } = textsOf([holding('INFY', 1_00_000_00, 1_00_000_00 - 5)]);
  expect(texts.at(-1)).toBe('0.00%');
});

it('counts nothing of a share whose last price is 0: what the service works out from it means nothing', () => {
  const unpriced = { ...holding('OLD', 100_00, 0), ltp: 0 };
  expect(textsOf([{ ...holding('INFY', 100_00, 110_00), ltp: 110_00 }, unpriced]).texts).toEqual([
    'Holdings ₹110 (1 without a price)',
    'Profit ₹10 +10.00%',
    'INFY',
    '₹110',
    '+10.00%',
    'OLD',
    'No price',
  ]);
});
