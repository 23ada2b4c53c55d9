/** Lines on the chart: working orders, exits and positions. Those of orders can be dragged; each tells what placed it. */
import { LineStyle } from './vendor/lightweight-charts.mjs';
import { count, figure } from './format.js';
import { byId, show } from './dom.js';
import { modify, prices } from './modify.js';
import { placedBy } from './placed-by.js';

/** So near, in pixels, a line is meant. */
const NEAR_PX = 6;
/** Lines are brought into sight where they are at most so many times the height of the bars away. */
const REACH = 4;
const COLOURS = { price: 'ink', trigger: 'ink', stop: 'down', target: 'up' };
const WORDS = { price: '', trigger: ' SL', stop: 'Stop', target: 'Target' };
let candles;
let chart;
let host;
let colours = {};
let instrument;
let account;
let lines = [];
let drawnKey = '';
let dragged;

function titleOf(order, what) {
  const left = count(order.quantity - order.filled_quantity);
  if (what === 'stop' || what === 'target') return `${WORDS[what]} ${count(order.filled_quantity || order.quantity)}`;
  return `${order.side === 'BUY' ? 'Buy' : 'Sell'} ${left}${WORDS[what]}`;
}

function priceLevels() {
  const ofOrders = account.orders
    .filter((order) => order.ref_id === instrument.ref_id)
    .flatMap((order) => prices(order).map(({ what, price }) => ({ order, what, price, title: titleOf(order, what) })));
  const ofPositions = account.positions
    .filter((position) => position.ref_id === instrument.ref_id && position.open_quantity !== 0)
    .map(({ open_quantity: open, average_price: price }) => ({
      price,
      title: `${open > 0 ? 'Long' : 'Short'} ${count(Math.abs(open))}`,
    }));
  return [...ofPositions, ...ofOrders];
}

function draw() {
  if (account === undefined || instrument === undefined || dragged !== undefined) return;
  const levels = priceLevels();
  const key = JSON.stringify(levels.map(({ price, title, what, order }) => [price, title, what, order?.id]));
  if (key === drawnKey) return;
  drawnKey = key;
  for (const { line } of lines) candles.removePriceLine(line);
  lines = levels.map((level) => ({
    ...level,
    line: candles.createPriceLine({
      price: level.price / 100,
      title: level.title,
      color: colours[level.what === undefined ? 'quiet' : COLOURS[level.what]],
      lineStyle: level.what === undefined ? LineStyle.Dotted : LineStyle.Dashed,
      lineWidth: 1,
      axisLabelVisible: true,
    }),
  }));
}

/** Draws an account's orders and positions in the instrument that is shown. */
export function showOrders(next) {
  account = next;
  draw();
}

/** Shows the lines of another instrument. */
export function showLinesOf(next) {
  instrument = next;
  byId('chart-line').hidden = true;
  draw();
}

/** Draws all lines again in other colours. */
export function paintLines(next) {
  colours = next;
  drawnKey = '';
  draw();
}

/** The range of prices that a chart shows: that of its bars, and of lines that are near. */
export function withLines(info) {
  const range = info?.priceRange;
  if (!range) return info;
  const { minValue, maxValue } = range;
  const reach = REACH * (maxValue - minValue);
  const near = lines
    .map(({ price }) => price / 100)
    .filter((price) => price > minValue - reach && price < maxValue + reach);
  return {
    ...info,
    priceRange: { minValue: Math.min(minValue, ...near), maxValue: Math.max(maxValue, ...near) },
  };
}

const heightOf = (event) => event.clientY - byId('chart').getBoundingClientRect().top;

/** The line of an order at a height of the chart; undefined where there is none. */
function lineAt(height) {
  return lines
    .filter(({ order }) => order !== undefined)
    .map((line) => ({ ...line, away: Math.abs((candles.priceToCoordinate(line.price / 100) ?? Infinity) - height) }))
    .sort((one, other) => one.away - other.away)
    .find(({ away }) => away <= NEAR_PX);
}

/** Tells of a line what it is and what placed its order; it stays until another one is meant, so that a link can be reached. */
function showLine({ order, title, price }) {
  const shown = byId('chart-line');
  show(shown, [`${title} @ ${figure(price)} · `, ...placedBy(order)]);
  shown.hidden = false;
}

function priceAt(height) {
  const { tick_size: tick } = instrument;
  const paise = Math.round((candles.coordinateToPrice(height) ?? 0) * 100);
  return Math.max(tick, Math.round(paise / tick) * tick);
}

function setDragged(next) {
  dragged = next;
  chart.applyOptions({ handleScroll: next === undefined, handleScale: next === undefined });
}

function onMove(event) {
  const height = heightOf(event);
  if (dragged !== undefined) {
    dragged.newPrice = priceAt(height);
    dragged.line.applyOptions({ price: dragged.newPrice / 100 });
    return;
  }
  const line = lineAt(height);
  byId('chart').style.cursor = line === undefined ? '' : 'ns-resize';
  if (line !== undefined) showLine(line);
}

async function drop() {
  const { order, what, price, newPrice = price } = dragged;
  setDragged(undefined);
  drawnKey = '';
  if (newPrice !== price) await modify(host.phone(), order.id, what, newPrice);
  await host.refresh();
}

/** Makes lines on a chart work; `changed` tells whose account is shown and asks for everything again. */
export function startLines({ chart: shown, candles: series, changed }) {
  [chart, candles, host] = [shown, series, changed];
  const place = byId('chart');
  place.addEventListener(
    'pointerdown',
    (event) => {
      const line = event.pointerType === 'touch' || event.button !== 0 ? undefined : lineAt(heightOf(event));
      if (line !== undefined) setDragged(line);
    },
    { capture: true },
  );
  document.addEventListener('pointermove', (event) => {
    if (dragged !== undefined || place.contains(event.target)) onMove(event);
  });
  document.addEventListener('pointerup', () => dragged !== undefined && drop());
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || dragged === undefined) return;
    setDragged(undefined);
    drawnKey = '';
    draw();
  });
}
