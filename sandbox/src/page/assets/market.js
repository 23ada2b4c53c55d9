/** The chosen instrument: picker, chart, ladder, own trades. */
import { CandlestickSeries, createChart } from './vendor/lightweight-charts.mjs';
import { ask, byId, count, fill, make, money, points, shortTimeOf } from './api.js';

const IST_OFFSET_S = 19_800;
const search = byId('instrument-search');
const list = byId('instrument-list');
let chosen;
let chart;
let series;
let barsFor;
let lastBarsAt = 0;
let lastBar;

function colours() {
  const style = getComputedStyle(document.body);
  const probe = make('span');
  document.body.append(probe);
  const resolve = (name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const found = { ink: style.color, line: resolve('--line'), up: resolve('--buy'), down: resolve('--sell') };
  probe.remove();
  return found;
}

function paint() {
  const { ink, line, up, down } = colours();
  chart.applyOptions({
    layout: { background: { color: 'transparent' }, textColor: ink },
    grid: { vertLines: { color: line }, horzLines: { color: line } },
  });
  series.applyOptions({
    upColor: up,
    borderUpColor: up,
    wickUpColor: up,
    downColor: down,
    borderDownColor: down,
    wickDownColor: down,
  });
}

function startChart() {
  chart = createChart(byId('chart'), { autoSize: true, timeScale: { timeVisible: true, secondsVisible: false } });
  series = chart.addSeries(CandlestickSeries, { priceFormat: { type: 'price', precision: 2, minMove: 0.01 } });
  paint();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint);
}

/** Chooses the instrument whose market is shown. */
export function choose(instrument) {
  chosen = instrument;
  search.value = instrument.symbol;
  close();
  byId('instrument-name').textContent = instrument.label;
}

function close() {
  list.hidden = true;
  search.setAttribute('aria-expanded', 'false');
  search.removeAttribute('aria-activedescendant');
}

function mark(index) {
  const options = [...list.querySelectorAll('[role=option]')];
  options.forEach((option, at) => option.setAttribute('aria-selected', String(at === index)));
  const option = options[index];
  if (!option) return;
  search.setAttribute('aria-activedescendant', option.id);
  option.scrollIntoView({ block: 'nearest' });
}

function startPicker(changed) {
  let found = [];
  let at = 0;
  let asked = 0;
  const pick = (instrument) => {
    choose(instrument);
    changed();
  };
  search.addEventListener('input', async () => {
    const number = ++asked;
    const results = await ask(`page/instruments?q=${encodeURIComponent(search.value)}`);
    if (number !== asked) return;
    found = results;
    at = 0;
    list.replaceChildren(
      ...found.map((instrument, index) =>
        make(
          'li',
          { role: 'option', id: `instrument-${index}`, onclick: () => pick(instrument) },
          make('span', { text: `${instrument.symbol} ` }),
          make('span', { text: instrument.label, className: 'quiet' }),
        ),
      ),
    );
    if (found.length === 0)
      list.append(make('li', { text: `No instrument matches "${search.value}".`, className: 'empty' }));
    list.hidden = false;
    search.setAttribute('aria-expanded', 'true');
    mark(0);
  });
  search.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      at = Math.max(0, Math.min(found.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1)));
      mark(at);
    } else if (event.key === 'Enter' && !list.hidden && found[at]) {
      event.preventDefault();
      pick(found[at]);
    } else if (event.key === 'Escape') close();
  });
  search.addEventListener('focus', () => search.select());
  document.addEventListener('click', (event) => {
    if (!event.target.closest('.picker')) close();
  });
}

function ladderRow(bid, ask, largest) {
  const side = (level, kind) => {
    const share = level ? Math.round((100 * level.quantity) / largest) : 0;
    const direction = kind === 'buy' ? 'to left' : 'to right';
    const bar = `linear-gradient(${direction}, var(--${kind}-bar) ${share}%, transparent ${share}%)`;
    return [
      make('td', { text: level ? count(level.orders) : '' }),
      make('td', { text: level ? count(level.quantity) : '', style: `background:${bar}` }),
      make('td', { text: level ? money(level.price) : '', className: kind }),
    ];
  };
  return make('tr', {}, ...side(bid, 'buy'), ...side(ask, 'sell').reverse());
}

async function showBars(now) {
  if (barsFor === chosen.ref_id && Math.abs(now - lastBarsAt) < 5_000) return;
  const fresh = barsFor !== chosen.ref_id;
  const wanted = chosen.ref_id;
  const bars = await ask(`page/bars?ref_id=${wanted}`);
  if (chosen.ref_id !== wanted) return;
  barsFor = wanted;
  lastBarsAt = now;
  const shown = bars.map((bar) => ({
    time: bar.at / 1000 + IST_OFFSET_S,
    open: bar.open / 100,
    high: bar.high / 100,
    low: bar.low / 100,
    close: bar.close / 100,
  }));
  series.setData(shown);
  lastBar = shown.at(-1);
  if (fresh) chart.timeScale().fitContent();
}

/** Asks for the market of the chosen instrument and shows it. */
export async function showMarket(phone, now) {
  if (!chosen) return;
  const wanted = chosen.ref_id;
  const market = await ask(`page/market?ref_id=${wanted}&phone=${encodeURIComponent(phone)}`);
  if (chosen.ref_id !== wanted) return;
  const change =
    market.previous_close > 0 ? (100 * (market.last_price - market.previous_close)) / market.previous_close : 0;
  byId('last-price').textContent = market.index ? `${points(market.last_price)} points` : money(market.last_price);
  const shown = byId('price-change');
  shown.textContent = `${change >= 0 ? '▲ +' : '▼ '}${change.toFixed(2)} % today`;
  shown.className = change >= 0 ? 'up' : 'down';
  const levels = Math.max(market.bids.length, market.asks.length);
  const largest = Math.max(
    1,
    ...market.bids.map((level) => level.quantity),
    ...market.asks.map((level) => level.quantity),
  );
  fill(
    byId('ladder'),
    Array.from({ length: levels }, (_, index) => ladderRow(market.bids[index], market.asks[index], largest)),
    market.index ? 'An index has no order book.' : 'No bids or offers right now.',
  );
  fill(
    byId('trades'),
    market.trades.map((trade) =>
      make(
        'tr',
        {},
        make('td', { text: shortTimeOf(trade.at) }),
        make('td', { text: trade.side === 'BUY' ? 'Bought' : 'Sold', className: trade.side.toLowerCase() }),
        make('td', { text: `${count(trade.quantity)} at ${money(trade.price)}` }),
      ),
    ),
    'No trades in this instrument yet.',
  );
  await showBars(now);
  if (lastBar && market.last_price > 0) {
    const price = market.last_price / 100;
    lastBar = { ...lastBar, close: price, high: Math.max(lastBar.high, price), low: Math.min(lastBar.low, price) };
    series.update(lastBar);
  }
}

/** Prepares chart, picker and the form that moves the price; `changed` is called when what is shown should be asked anew. */
export function startMarket(changed, report) {
  startChart();
  startPicker(changed);
  byId('move').addEventListener('submit', async (event) => {
    event.preventDefault();
    const text = new FormData(event.target).get('price').trim();
    if (!/^\d+(\.\d{1,2})?$/.test(text)) return report('Enter the price in rupees, with at most two decimals: 1500.05');
    const [whole, part = ''] = text.split('.');
    try {
      await ask('market', {
        method: 'POST',
        body: { ref_id: chosen.ref_id, price: Number(whole) * 100 + Number(part.padEnd(2, '0')) },
      });
      event.target.reset();
      changed();
    } catch (error) {
      report(error.message);
    }
  });
}
