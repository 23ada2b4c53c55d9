/**
 * Measures one row and prints it as JSON: `run.ts <row> [--short]` for the times of all sides, `run.ts <row> --memory <side>`
 * for the memory of one, alone in its process. Started by scripts/bench.mjs.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { median, type MakeRow, type Row } from './row';

const ROUNDS = 7;
const WARM_UP = 2;
/**
 * A turn repeats its work for at least so many milliseconds: the collection before it throws compiled code away too,
 * and what a run leaves behind is collected in the runs that follow it.
 */
const TURN_MS = 200;

/** The most memory that the process has had since `forgetPeak`, bytes; since its start where the system has no such counter. */
function peak(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const kilobytes = /VmHWM:\s*(\d+) kB/.exec(status)?.[1];
  return kilobytes === undefined ? process.resourceUsage().maxRSS * 1024 : Number(kilobytes) * 1024;
}

/** Linux: the highest resident size is counted from now on, so that making the data does not count. */
function forgetPeak(): void {
  if (existsSync('/proc/self/clear_refs')) writeFileSync('/proc/self/clear_refs', '5');
}

/** Returns the maximum growth of the process while a side does its work for the first time. */
async function memoryOf(row: Row, name: string): Promise<{ peak: number }> {
  const side = row.sides.find((side) => side.name === name);
  if (side === undefined) throw new Error(`${name} is no side of the row`);
  await settle();
  forgetPeak();
  const before = process.memoryUsage.rss();
  await side.run();
  return { peak: Math.max(peak() - before, 0) };
}

async function settle(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await pause(20);
  }
}

/** Medians of several rounds, the sides taking turns so that what disturbs one disturbs all. */
async function timesOf(row: Row, short: boolean): Promise<{ name: string; role: string; ms: number }[]> {
  const times = row.sides.map((): number[] => []);
  const [warmUp, rounds] = short ? [0, 1] : [WARM_UP, ROUNDS];
  for (let round = -warmUp; round < rounds; round++) {
    for (const [at, side] of row.sides.entries()) {
      if (side.rounds !== undefined && (round < 0 || times[at]!.length >= side.rounds)) continue;
      await row.before?.();
      globalThis.gc?.();
      const from = performance.now();
      let runs = 0;
      do {
        await side.run();
        runs++;
      } while (!short && performance.now() - from < TURN_MS);
      if (round >= 0) times[at]!.push((performance.now() - from) / runs);
    }
  }
  return row.sides.map(({ name, role }, at) => ({ name, role, ms: median(times[at]!) }));
}

async function main(): Promise<void> {
  const [name = '', ...flags] = process.argv.slice(2);
  const short = flags.includes('--short');
  const file = path.resolve(__dirname, name);
  const module = (await import(existsSync(`${file}.ts`) ? `${file}.ts` : `${file}.mjs`)) as { default: MakeRow };
  const row = await module.default({ short });
  const memory = flags.indexOf('--memory');
  const result =
    memory >= 0
      ? await memoryOf(row, flags[memory + 1] ?? '')
      : {
          title: row.title,
          work: row.work,
          memory: row.memory ?? false,
          goals: row.goals,
          sides: await timesOf(row, short),
          figures: (await row.figures?.()) ?? [],
        };
  await row.close?.();
  process.stdout.write(`\n${JSON.stringify(result)}\n`);
}

main().catch((error: unknown) => {
  console.error(error);
  // What the row has opened would keep the process alive.
  process.exit(1);
});
