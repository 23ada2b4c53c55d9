/** The page's colours as charts need them: they cannot read custom properties. */
import { make } from './dom.js';

/** The colours of now, by name. */
export function readColours() {
  const probe = make('span');
  document.body.append(probe);
  const resolve = (name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const names = ['ink', 'quiet', 'line', 'up', 'down', 'volume', 'link'];
  const colours = Object.fromEntries(names.map((name) => [name, resolve(name)]));
  probe.remove();
  return colours;
}

/** Returns the options that all charts share. */
export function chartLook({ ink, line }) {
  return {
    layout: { background: { color: 'transparent' }, textColor: ink, fontSize: 11, panes: { separatorColor: line } },
    grid: { vertLines: { color: line }, horzLines: { color: line } },
    rightPriceScale: { borderColor: line },
    timeScale: { borderColor: line },
  };
}

/** Calls when the colours have changed. */
export function onColours(changed) {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
}

const IST_OFFSET_S = 19_800;
/** An instant (milliseconds) as a chart's time: charts know no time zone, so it is moved to IST. */
export const chartTime = (at) => Math.floor(at / 1_000) + IST_OFFSET_S;
