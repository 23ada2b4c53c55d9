/** Prints the measured rows of the bench: on the console, and as the table in bench/README.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './support.mjs';

const MB = 1e6;
const BEGIN = '<!-- bench: written by `npm run bench -- --markdown` -->';
const END = '<!-- bench: end -->';

const time = (ms) =>
  ms >= 100 ? `${ms.toFixed(0)} ms` : ms >= 1 ? `${ms.toFixed(1)} ms` : `${(ms * 1000).toFixed(1)} µs`;
const size = (bytes) => (bytes === undefined ? '' : `${(bytes / MB).toFixed(0)} MB`);
const oursOf = (sides) => sides.find(({ role }) => role === 'ours');

/** Returns, for each goal, true if ours reached it, and its words; undefined without a goal. */
function verdicts({ goals, figures, sides }) {
  const first = oursOf(sides);
  const found = [];
  for (const { of, against, times, memory } of goals) {
    const ours = of === undefined ? first : sides.find(({ name }) => name === of);
    const whose = of === undefined ? '' : `${of}: `;
    const other = sides.find(({ name }) => name === against);
    if (times !== undefined) {
      const ratio = ours.ms / other.ms;
      const text =
        times < 1
          ? `${whose}${(1 / ratio).toFixed(1)} × faster than ${against} (asked: ≥ ${(1 / times).toFixed(1)} ×)`
          : `${whose}${ratio.toFixed(2)} × the time of ${against} (asked: ≤ ${times} ×)`;
      found.push([ratio <= times, text]);
    }
    if (memory !== undefined && ours.memory !== undefined && other.memory !== undefined) {
      const ratio = ours.memory / other.memory;
      found.push([
        ratio <= memory,
        `${(ratio * 100).toFixed(0)} % of the peak memory of ${against} (asked: ≤ ${memory * 100} %)`,
      ]);
    }
  }
  for (const { name, value, unit, atMost, atLeast } of figures) {
    const shown = `${name}: ${value.toLocaleString('en', { maximumSignificantDigits: 4 })} ${unit}`;
    if (atMost !== undefined) found.push([value <= atMost, `${shown} (asked: ≤ ${atMost} ${unit})`]);
    else if (atLeast !== undefined)
      found.push([value >= atLeast, `${shown} (asked: ≥ ${atLeast.toLocaleString('en')} ${unit})`]);
    else found.push([undefined, shown]);
  }
  return found;
}

/** The figures that are the same on every machine: numbers of requests. */
const countsOf = ({ figures }) => figures.filter(({ unit }) => unit === 'requests');

/** Returns true if a count of the row exceeds its maximum: unlike a time, it fails the run. */
export const hasGrown = (row) => countsOf(row).some(({ value, atMost = Infinity }) => value > atMost);

/** A row as the console shows it. */
export function consoleText(row, short) {
  const { name, title, work, sides } = row;
  const ours = oursOf(sides);
  const lines = [`\n${name}: ${title}`, `  ${work}`];
  for (const side of sides) {
    const ratio = side === ours ? '' : `${(side.ms / ours.ms).toFixed(2)} × ours`;
    lines.push(
      `  ${side.name.padEnd(44)} ${side.role.padEnd(11)} ${time(side.ms).padStart(10)} ${ratio.padStart(14)} ${size(side.memory).padStart(9)}`,
    );
  }
  const shownVerdicts = short ? verdicts({ ...row, goals: [], figures: countsOf(row) }) : verdicts(row);
  const word = (reached) => (reached === undefined ? '        ' : reached ? 'reached ' : 'MISSED  ');
  for (const [reached, text] of shownVerdicts) lines.push(`  ${word(reached)} ${text}`);
  return lines.join('\n');
}

/** A row as a line of the table. */
function lineOf(row) {
  const { name, title, work, sides } = row;
  const ours = oursOf(sides);
  const figure = (side) => [time(side.ms), size(side.memory)].filter(Boolean).join(', ');
  const others = sides
    .filter((side) => side !== ours)
    .map(
      (side) =>
        `${side.name}${side.role === 'limit' ? ' (limit)' : ''}: ${figure(side)}, ${(side.ms / ours.ms).toFixed(2)} × ours`,
    );
  const words = verdicts(row).map(([reached, text]) =>
    reached === undefined ? text : reached ? `✓ ${text}` : `**not reached:** ${text}`,
  );
  return `| \`${name}\` | ${title}: ${work} | ${ours === undefined ? '' : figure(ours)} | ${others.join('<br>')} | ${words.join('<br>')} |`;
}

const FILE = path.join('bench', 'README.md');
const HEAD = ['Row', 'Work', 'Ours', 'Against', 'Asked and seen'];

/** Writes the rows between the markers of bench/README.md; rows that were not measured now stay unchanged. */
export function writeTable(rows, machine) {
  const text = readFileSync(path.join(root, FILE), 'utf8');
  const [before, inside, after] = [text.split(BEGIN)[0], text.split(BEGIN)[1]?.split(END)[0], text.split(END)[1]];
  if (inside === undefined || after === undefined)
    throw new Error(`${FILE} has no place for the table: ${BEGIN} … ${END}`);
  const lines = new Map([...inside.matchAll(/^\| `([\w-]+)` \|.*$/gm)].map(([line, name]) => [name, line]));
  for (const row of rows) lines.set(row.name, lineOf(row));
  const table = [
    `| ${HEAD.join(' | ')} |`,
    `|${'---|'.repeat(HEAD.length)}`,
    ...[...lines].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line),
  ];
  const note = `Measured on ${machine}; medians of several rounds. Repeat it with \`npm run bench\`, one row with \`npm run bench ${rows[0]?.name ?? 'json'}\`.`;
  writeFileSync(path.join(root, FILE), `${before}${BEGIN}\n${note}\n\n${table.join('\n')}\n${END}${after}`);
}
