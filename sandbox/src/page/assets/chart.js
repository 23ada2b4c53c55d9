/** The chart: candles and volume, with the account's orders as lines and its fills as arrows. */
import { CandlestickSeries, createChart, createSeriesMarkers, HistogramSeries } from './vendor/lightweight-charts.mjs';
import { ask } from './api.js';
import { axisPrice, count, dateTimeOf, figure } from './format.js';
import { chartLook, chartTime, onColours, readColours } from './colours.js';
import { byId, setText } from './dom.js';
import { drawIndicator, startIndicators } from './indicators.js';
import { paintLines, startLines, withLines } from './order-lines.js';

const INTERVAL_MS = { '1m': 60_000, '5m': 300_000, '15m': 900_000, '1d': 86_400_000 };
/** Bars are asked for again after so long at most, for the volume of the running one. */
const ASK_EVERY_MS = 10_000;
/** Bars at the start: so many pixels each, the room on the right for the text of a fill beside the name of a line included. */
const BAR_PX = 6;
const ROOM_BARS = 22;
/** The text of a fill is about as wide. */
const TEXT_PX = 125;
let chart;
let candles;
let volumes;
let markers;
let interval = '1m';
let shownFor = '';
let requestedAt = 0;
let askedBar = 0;
let bars = [];
let fillsKey = '';
let pointed;
let colours;

function paint() {
  colours = readColours();
  const { up, down } = colours;
  chart.applyOptions(chartLook(colours));
  candles.applyOptions({
    upColor: up,
    borderUpColor: up,
    wickUpColor: up,
    downColor: down,
    borderDownColor: down,
    wickDownColor: down,
  });
  volumes.applyOptions({ color: colours.volume });
  paintLines(colours);
  drawIndicator(bars, colours);
  fillsKey = '';
}

/** Draws an empty chart; colours follow those of the page. `changed` tells where the account and how to ask for everything again. */
export function startChart(changed) {
  chart = createChart(byId('chart'), {
    autoSize: true,
    rightPriceScale: { scaleMargins: { top: 0.08, bottom: 0.22 } },
    timeScale: { timeVisible: true, secondsVisible: false, rightOffset: ROOM_BARS, minBarSpacing: 1 },
    localization: { locale: 'en-IN', priceFormatter: axisPrice },
  });
  candles = chart.addSeries(CandlestickSeries, {
    priceFormat: { type: 'price', precision: 2, minMove: 0.01 },
    autoscaleInfoProvider: (original) => withLines(original()),
  });
  volumes = chart.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    priceFormat: { type: 'volume' },
    priceLineVisible: false,
    lastValueVisible: false,
  });
  chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } });
  markers = createSeriesMarkers(candles, []);
  startLines({ chart, candles, changed });
  chart.subscribeCrosshairMove(({ time }) => {
    pointed = time;
    drawLegend();
  });
  startIndicators(chart, () => drawIndicator(bars, colours));
  paint();
  onColours(paint);
  for (const button of document.querySelectorAll('[data-interval]')) {
    button.setAttribute('aria-pressed', String(button.dataset.interval === interval));
    button.addEventListener('click', () => {
      interval = button.dataset.interval;
      for (const other of document.querySelectorAll('[data-interval]'))
        other.setAttribute('aria-pressed', String(other === button));
    });
  }
}

/** Open, high, low, close and volume of the bar under the pointer, else of the last one. */
function drawLegend() {
  const bar = bars.find(({ time }) => time === pointed) ?? bars.at(-1);
  const price = (rupees) => figure(Math.round(rupees * 100));
  setText(
    byId('chart-legend'),
    bar === undefined
      ? ''
      : `${bar.time === pointed ? `${dateTimeOf(bar.at)}  ` : ''}O ${price(bar.open)}  H ${price(bar.high)}  L ${price(bar.low)}  C ${price(bar.close)}  Vol ${count(bar.volume)}`,
  );
}

/** Asks for the bars of an instrument where what is shown is not of it, or a bar has begun since. @param now milliseconds */
async function loadBars(refId, now) {
  const requestedChart = `${refId} ${interval}`;
  const bar = Math.floor(now / INTERVAL_MS[interval]);
  if (shownFor === requestedChart && askedBar === bar && Math.abs(Date.now() - requestedAt) < ASK_EVERY_MS) return;
  const found = await ask(`page/bars?ref_id=${refId}&interval=${interval}`);
  if (requestedChart !== `${refId} ${interval}`) return;
  const isOther = shownFor !== requestedChart;
  [shownFor, askedBar, requestedAt] = [requestedChart, bar, Date.now()];
  bars = found.map((bar) => ({
    at: bar.at,
    time: chartTime(bar.at),
    open: bar.open / 100,
    high: bar.high / 100,
    low: bar.low / 100,
    close: bar.close / 100,
    volume: bar.volume,
  }));
  candles.setData(bars.map(({ time, open, high, low, close }) => ({ time, open, high, low, close })));
  volumes.setData(bars.map(({ time, volume }) => ({ time, value: volume })));
  drawIndicator(bars, colours);
  chart.applyOptions({ timeScale: { timeVisible: interval !== '1d' } });
  fillsKey = '';
  if (!isOther) return;
  chart.priceScale('right').applyOptions({ autoScale: true });
  const shownBars = Math.max(40, Math.round(byId('chart').clientWidth / BAR_PX) - ROOM_BARS);
  chart.timeScale().setVisibleLogicalRange({ from: bars.length - shownBars, to: bars.length + ROOM_BARS });
}

/** The running bar goes with the last price. */
function follow(lastPrice) {
  const bar = bars.at(-1);
  if (bar === undefined || lastPrice <= 0) return;
  const price = lastPrice / 100;
  bar.close = price;
  bar.high = Math.max(bar.high, price);
  bar.low = Math.min(bar.low, price);
  const { time, open, high, low, close } = bar;
  candles.update({ time, open, high, low, close });
}

/** Fills as arrows: those of one side in one bar are one, at their average price. Text where the next one leaves room for it. */
function drawFills(trades) {
  const apart = TEXT_PX / chart.timeScale().options().barSpacing;
  const key = JSON.stringify([trades, Math.round(apart)]);
  if (key === fillsKey) return;
  fillsKey = key;
  const sums = new Map();
  for (const { at, side, price, quantity } of trades) {
    const index = bars.findLastIndex((bar) => bar.at <= at);
    if (index < 0) continue;
    const bar = bars[index];
    const sum = sums.get(`${side} ${bar.time}`) ?? { index, time: bar.time, side, quantity: 0, value: 0 };
    sum.quantity += quantity;
    sum.value += quantity * price;
    sums.set(`${side} ${bar.time}`, sum);
  }
  const marked = { BUY: Infinity, SELL: Infinity };
  const fills = [...sums.values()].sort((one, other) => other.time - one.time);
  for (const fill of fills) {
    fill.hasLabel = marked[fill.side] - fill.index >= apart;
    if (fill.hasLabel) marked[fill.side] = fill.index;
  }
  markers.setMarkers(
    fills.reverse().map(({ time, side, quantity, value, hasLabel }) => ({
      time,
      position: side === 'BUY' ? 'belowBar' : 'aboveBar',
      shape: side === 'BUY' ? 'arrowUp' : 'arrowDown',
      color: colours.ink,
      text: hasLabel ? `${side === 'BUY' ? 'Buy' : 'Sell'} ${count(quantity)} @ ${figure(value / quantity)}` : '',
    })),
  );
}

/** Shows the market of an instrument. @param now the sandbox's time, milliseconds */
export async function showChart(market, now) {
  await loadBars(market.ref_id, now);
  if (!shownFor.startsWith(`${market.ref_id} `)) return;
  if (market.trading || market.index) follow(market.last_price);
  drawLegend();
  drawFills(market.trades);
}
