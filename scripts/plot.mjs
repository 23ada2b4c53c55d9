/** Lines over the same x as an SVG, with axes that can be read. */

const [WIDE, HIGH] = [900, 380];
/** Room for the title and the names of the lines above, for the labels of both axes below and on the left. */
const EDGE = { left: 70, right: 20, top: 56, bottom: 52 };
const COLOURS = ['#1f5fbf', '#b3541e'];

/**
 * @param title what is shown. @param across,up what the axes count, with units
 * @param x the place of each point. @param lines [{ label, y }], as long as x; points that are not above 0 are left out if `log`
 * @param marks [[place, text]] along x. @param log whether y is logarithmic
 */
export function plot({ title, across, up, x, lines, marks, log = false }) {
  const shown = (value) => (log ? Math.log10(value) : value);
  const all = lines.flatMap(({ y }) => y.filter((value) => !log || value > 0).map(shown));
  const [low, top] = [log ? Math.min(...all) : Math.min(0, ...all), Math.max(...all)];
  const [first, last] = [x[0], x.at(-1)];
  const at = (place) => EDGE.left + ((place - first) / (last - first)) * (WIDE - EDGE.left - EDGE.right);
  const on = (value) => HIGH - EDGE.bottom - ((value - low) / (top - low)) * (HIGH - EDGE.top - EDGE.bottom);
  const text = (left, down, words, more = '') =>
    `<text x="${left.toFixed(1)}" y="${down.toFixed(1)}" font-size="12" fill="#333" ${more}>${words}</text>`;
  const rule = (x1, y1, x2, y2) =>
    `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}" stroke="#ddd"/>`;
  const steps = Array.from({ length: 6 }, (_, i) => low + (i / 5) * (top - low));
  const parts = [
    ...steps.flatMap((step) => [
      rule(EDGE.left, on(step), WIDE - EDGE.right, on(step)),
      text(EDGE.left - 6, on(step) + 4, number(log ? 10 ** step : step), 'text-anchor="end"'),
    ]),
    ...marks.flatMap(([place, words]) => [
      rule(at(place), EDGE.top, at(place), HIGH - EDGE.bottom),
      text(at(place), HIGH - EDGE.bottom + 16, words, 'text-anchor="middle"'),
    ]),
    ...lines.map(({ y }, n) => {
      const points = y.flatMap((value, i) =>
        log && !(value > 0) ? [] : [`${at(x[i]).toFixed(1)},${on(shown(value)).toFixed(1)}`],
      );
      return `<polyline fill="none" stroke="${COLOURS[n]}" stroke-width="1.4" points="${points.join(' ')}"/>`;
    }),
    `<text x="${EDGE.left}" y="20" font-size="15" fill="#111">${title}</text>`,
    ...lines.map(
      ({ label }, n) => `<text x="${EDGE.left + n * 260}" y="42" font-size="12" fill="${COLOURS[n]}">— ${label}</text>`,
    ),
    text((WIDE + EDGE.left) / 2, HIGH - 12, across, 'text-anchor="middle"'),
    `<text transform="translate(14 ${HIGH / 2}) rotate(-90)" text-anchor="middle" font-size="12" fill="#333">${up}</text>`,
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDE} ${HIGH}" font-family="sans-serif"><rect width="${WIDE}" height="${HIGH}" fill="#fff"/>${parts.join('')}</svg>\n`;
}

/** Returns a value in the form of an axis label. */
function number(value) {
  if (value >= 1000) return Math.round(value).toLocaleString('en-IN');
  return value === 0 ? '0' : String(Number(value.toPrecision(2)));
}
