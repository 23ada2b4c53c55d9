import { Canvas, type Colour } from '../../../client/charts/canvas';
import { GAIN_AREA, LOSS_AREA } from '../../../client/charts/style';
import { interestChart, ivChart } from '../../../client/options/chain-charts';

const dots = ({ rgb }: Canvas, colour: Colour): number => {
  let count = 0;
  for (let at = 0; at < rgb.length; at += 3) if (colour.every((part, index) => rgb[at + index] === part)) count += 1;
  return count;
};
const row = (strike: number, calls: number | null, puts: number | null) => ({
  strike,
  ce: { now: calls, before: null },
  pe: { now: puts, before: 50 },
});
const words = { title: 'NIFTY: open interest', summary: 'Put-call ratio 2', spot: 24_520_00 };

it('bars are as high as their values', () => {
  const canvas = interestChart([row(24_500_00, 100, 200), row(24_550_00, null, 100)], words)!;
  const [calls, puts] = [dots(canvas, LOSS_AREA), dots(canvas, GAIN_AREA)];
  expect(puts / calls).toBeGreaterThan(2.6);
  expect(puts / calls).toBeLessThan(3.2);
});

it('nothing is drawn where there are no values', () => {
  expect(interestChart([], words)).toBeUndefined();
  expect(interestChart([{ ...row(1, 0, null), pe: { now: 0, before: 0 } }], words)).toBeUndefined();
  expect(ivChart([{ name: 'now', points: [{ strike: 1, iv: 15 }] }], words)).toBeUndefined();
});

it('draws a curve for each moment, and names it', () => {
  const texts: string[] = [];
  const write = jest.spyOn(Canvas.prototype, 'text').mockImplementation((x, _y, text) => {
    texts.push(text);
    return x;
  });
  try {
    const points = [24_400_00, 24_500_00, 24_600_00].map((strike, at) => ({ strike, iv: 15 + at }));
    ivChart(
      [
        { name: 'Now', points },
        { name: '30 min ago', points: points.map(({ strike }) => ({ strike, iv: 14 })) },
      ],
      words,
    );
  } finally {
    write.mockRestore();
  }
  expect(texts).toEqual(expect.arrayContaining(['Now', '30 min ago', 'Now ₹24,520', '15 %']));
});
