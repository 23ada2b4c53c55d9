import { Canvas, fitText, widthOf } from '../../../client/charts/canvas';
import { positionBars, profitChart, type ProfitBar } from '../../../client/portfolio/profit-bars';

/** The texts that a chart is written with. */
function textsOf(bars: readonly ProfitBar[]): string[] {
  const texts: string[] = [];
  const write = jest.spyOn(Canvas.prototype, 'text').mockImplementation((x, _y, text) => {
    texts.push(text);
    return x;
  });
  try {
    profitChart({ title: 'Positions', total: null, empty: 'None' }, bars);
    return texts.slice(1);
  } finally {
    write.mockRestore();
  }
}
const bars = (amounts: readonly (number | null)[]): ProfitBar[] =>
  amounts.map((amount, index) => ({ label: `S${index}`, amount }));

it('keeps the order of up to twenty, and writes of one without a price that it is not known', () => {
  expect(textsOf(bars([100_00, null, -3_00_00]))).toEqual(['S0', '+₹100', 'S1', 'Not known', 'S2', '−₹300']);
});

it('shows the largest of more, gains and losses alike, and leaves out none: the rest is one bar', () => {
  const texts = textsOf(
    bars(Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? -1 : 1) * (index + 1) * 100_00)),
  );
  expect(texts.slice(0, 4)).toEqual(['S39', '+₹4,000', 'S38', '−₹3,900']);
  expect(texts.slice(-2)).toEqual(['21 others', '−₹1,100']);
  expect(texts).toHaveLength(40);
});

it('says that the rest is not known where one of it is', () => {
  expect(textsOf(bars([...Array.from({ length: 25 }, () => 100_00), null])).slice(-2)).toEqual([
    '7 others',
    'Not known',
  ]);
});

it('leaves out the middle of a long name: its end tells a call from a put', () => {
  const text = fitText('BANKNIFTY 1 Dec 2026 50000 CE', 20, 390);
  expect(text).toMatch(/^BANKNIFTY.*\.\..*50000 CE$/);
  expect(widthOf(text, 20)).toBeLessThanOrEqual(390);
  expect(fitText('INFY', 20, 390)).toBe('INFY');
  expect(fitText('INFY', 20, 1)).toBe('..');
});

it('an open position without a last price has an unknown profit; a closed one needs none', () => {
  const position = { symbol: 'INFY', ltp: 0, pnl: 500 };
  expect(
    positionBars(
      [
        { ...position, segment: 'stock' },
        { ...position, segment: 'closed', display_name: 'Infosys' },
        { ...position, segment: 'stock', ltp: 100 },
        { ...position, segment: 'option', symbol: 'NIFTY26D0121950CE', asset: 'NIFTY', ltp: 100 },
      ],
      '2026-12-01',
    ),
  ).toEqual([
    { label: 'INFY', amount: null },
    { label: 'INFY', amount: 500 },
    { label: 'INFY', amount: 500 },
    { label: 'NIFTY 1 Dec 21,950 CE', amount: 500 },
  ]);
});
