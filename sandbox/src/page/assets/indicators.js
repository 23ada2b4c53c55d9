/** Indicators over the candles: an exponential average, Bollinger bands, or the day's volume-weighted average price. */
import { LineSeries, LineStyle } from './vendor/lightweight-charts.mjs';
import { byId } from './dom.js';

const DAY_S = 86_400;
const BANDS = { period: 20, deviations: 2 };
/** The values of each line, one for each bar; undefined where there are too few bars. */
export const INDICATORS = {
  none: () => [],
  ema20: (bars) => [ema(bars, 20)],
  ema50: (bars) => [ema(bars, 50)],
  bollinger: (bars) => bollinger(bars, BANDS),
  vwap: (bars) => [vwap(bars)],
};
let chart;
let drawn = [];
let changed;

/** Shows the choice above the chart. `again` draws what was chosen. */
export function startIndicators(ofChart, again) {
  chart = ofChart;
  changed = again;
  byId('indicator').addEventListener('change', () => changed());
}

/** Draws the chosen indicator over bars, whose `time` is in seconds of IST. */
export function drawIndicator(bars, colours) {
  const lines = INDICATORS[byId('indicator').value](bars);
  while (drawn.length > lines.length) chart.removeSeries(drawn.pop());
  while (drawn.length < lines.length)
    drawn.push(chart.addSeries(LineSeries, { lineWidth: 1, lastValueVisible: false, priceLineVisible: false }));
  for (const [at, values] of lines.entries()) {
    const isMiddle = lines.length === 1 || at === 1;
    drawn[at].applyOptions({ color: colours.ink, lineStyle: isMiddle ? LineStyle.Solid : LineStyle.Dashed });
    drawn[at].setData(
      bars.map(({ time }, index) => (values[index] === undefined ? { time } : { time, value: values[index] })),
    );
  }
}

/** Begins with the average of the first bars. */
function ema(bars, period) {
  const weight = 2 / (period + 1);
  let value;
  return bars.map(({ close }, at) => {
    if (at === period - 1) value = mean(bars.slice(0, period).map((bar) => bar.close));
    else if (value !== undefined) value += weight * (close - value);
    return value;
  });
}

function bollinger(bars, { period, deviations }) {
  const bands = [[], [], []];
  for (let at = period - 1; at < bars.length; at += 1) {
    const closes = bars.slice(at + 1 - period, at + 1).map((bar) => bar.close);
    const middle = mean(closes);
    const width = deviations * Math.sqrt(mean(closes.map((close) => (close - middle) ** 2)));
    for (const [line, value] of [middle + width, middle, middle - width].entries()) bands[line][at] = value;
  }
  return bands;
}

/** From the start of each day; none of bars that last a day, or that nobody traded in. */
function vwap(bars) {
  if (bars.length > 1 && bars[1].time - bars[0].time >= DAY_S) return [];
  let [day, value, volume] = [0, 0, 0];
  return bars.map((bar) => {
    const itsDay = Math.floor(bar.time / DAY_S);
    if (itsDay !== day) [day, value, volume] = [itsDay, 0, 0];
    value += ((bar.high + bar.low + bar.close) / 3) * bar.volume;
    volume += bar.volume;
    return volume > 0 ? value / volume : undefined;
  });
}

const mean = (values) => values.reduce((sum, one) => sum + one, 0) / values.length;
