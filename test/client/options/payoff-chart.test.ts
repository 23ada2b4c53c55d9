import { ONE_SHARE } from '../../../client/values/contract-value';
import { payoffOf } from '../../../client/options/payoff';
import { payoffChart } from '../../../client/options/payoff-chart';
import { Canvas, type Colour } from '../../../client/charts/canvas';
import { GAIN_AREA, LOSS_AREA } from '../../../client/charts/style';
import { knownPrice } from '../../support/price';

const straddle = (units: number) =>
  payoffOf(
    [
      { optionType: 'CE', strike: 24_500_00, units, premium: knownPrice(140_00), contract: ONE_SHARE },
      { optionType: 'PE', strike: 24_500_00, units, premium: knownPrice(110_00), contract: ONE_SHARE },
    ],
    knownPrice(24_520_00),
  );

function drawn(units: number): { canvas: Canvas; texts: string[] } {
  const texts: string[] = [];
  const write = jest.spyOn(Canvas.prototype, 'text').mockImplementation((x, _y, text) => {
    texts.push(text);
    return x;
  });
  try {
    return { canvas: payoffChart(straddle(units), { title: 'NIFTY STRADDLE', spot: knownPrice(24_520_00) }), texts };
  } finally {
    write.mockRestore();
  }
}

/** Columns of the first and of the last dot of a colour. */
function columnsOf({ rgb, width }: Canvas, colour: Colour): [number, number] {
  const columns: number[] = [];
  for (let at = 0; at < rgb.length; at += 3)
    if (colour.every((part, index) => rgb[at + index] === part)) columns.push((at / 3) % width);
  return [columns.reduce((a, b) => Math.min(a, b), width), columns.reduce((a, b) => Math.max(a, b), -1)];
}

it('says in words what the line shows', () => {
  expect(drawn(-65).texts).toEqual(
    expect.arrayContaining([
      'NIFTY STRADDLE',
      'Premium received ₹16,250   Max profit ₹16,250   Max loss no limit',
      'Breakeven ₹24,250 and ₹24,750',
      'Now ₹24,520',
    ]),
  );
  expect(drawn(65).texts).toEqual(
    expect.arrayContaining(['Premium paid ₹16,250   Max profit no limit   Max loss ₹16,250']),
  );
});

it('labels both axes with round values', () => {
  const { texts } = drawn(-65);
  expect(texts).toEqual(expect.arrayContaining(['₹24,200', '₹25,200', '₹0', '₹20,000', '−₹30,000']));
});

it('fills profit green and loss red: a sold straddle profits in the middle', () => {
  const sold = drawn(-65).canvas;
  const [gain, loss] = [columnsOf(sold, GAIN_AREA), columnsOf(sold, LOSS_AREA)];
  expect(gain[0]).toBeGreaterThan(loss[0] + 100);
  expect(gain[1]).toBeLessThan(loss[1] - 100);
  const bought = drawn(65).canvas;
  expect(columnsOf(bought, LOSS_AREA)).toEqual(gain);
});
