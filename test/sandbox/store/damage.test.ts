/** A folder of `--data` that was damaged: everything acknowledged is there, or the sandbox refuses to start and says the place. */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OptionError } from '../../../sandbox/src/shared/option-error';
import { booksAfter, drawing, open, place, type Acknowledged, type Draw } from './day-of-orders';
import { IS_WHOLE } from '../../support/sample';

/** Few in `npm test`; as many as wanted by command. */
const ROUNDS = Number(process.env['DAMAGE_ROUNDS'] ?? (IS_WHOLE ? 6 : 3));
const FIRST_SEED = Number(process.env['DAMAGE_SEED'] ?? 1);
jest.setTimeout(60_000 + ROUNDS * 15_000);

/** Folder that a sandbox has left behind, and the orders that it had acknowledged. */
interface Left {
  folder: string;
  snapshotEvery: number;
  acknowledged: Acknowledged;
  books: ReturnType<typeof booksAfter>;
  /** The same folder somewhat earlier. */
  earlierFolder: string;
}

let top: string;
const left: Left[] = [];
beforeAll(() => {
  top = mkdtempSync(path.join(os.tmpdir(), 'sandbox-damage-'));
  for (const how of ['stopped', 'killed'] as const)
    for (const snapshotEvery of [0, 7]) left.push(trade(how, snapshotEvery));
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

/** A day of orders. What a kill leaves behind is what the files hold while the process runs. */
function trade(how: 'stopped' | 'killed', snapshotEvery: number): Left {
  const name = path.join(top, `${how}-${snapshotEvery}`);
  const [running, earlierFolder, folder] = [`${name}-running`, `${name}-earlier`, name];
  const draw = drawing(snapshotEvery + 3);
  const acknowledged: Acknowledged = new Map();
  const sandbox = open(running, snapshotEvery);
  for (let n = 0; n < 40; n += 1) {
    place(sandbox, draw, `t${n}`, acknowledged);
    if (n === 20) cpSync(running, earlierFolder, { recursive: true });
  }
  const books = booksAfter(1, sandbox);
  if (how === 'killed') cpSync(running, folder, { recursive: true });
  sandbox.close();
  if (how === 'stopped') cpSync(running, folder, { recursive: true });
  return { folder, snapshotEvery, acknowledged, books, earlierFolder };
}

/** Does something to a file of a folder. @returns what it has done, in words */
type Damage = (file: string, draw: Draw, from: Left) => string;

const DAMAGES: Record<string, Damage> = {
  'flipped bits': (file, draw) => {
    const bytes = readFileSync(file);
    const count = 1 + draw(4);
    for (let n = 0; n < count; n += 1) bytes[draw(bytes.length)]! ^= 1 << draw(8);
    writeFileSync(file, bytes);
    return `${count} bits`;
  },
  'cut off': (file, draw) => {
    const length = draw(statSync(file).size);
    truncateSync(file, length);
    return `to ${length} bytes`;
  },
  zeroed: (file, draw) => {
    const bytes = readFileSync(file);
    const from = draw(bytes.length);
    bytes.fill(0, from, Math.min(bytes.length, from + 1 + draw(5_000)));
    writeFileSync(file, bytes);
    return `from byte ${from}`;
  },
  'something behind its end': (file, draw) => {
    const length = 1 + draw(5_000);
    appendFileSync(file, Buffer.alloc(length, draw(256)));
    return `${length} bytes`;
  },
  missing: (file) => {
    rmSync(file);
    return '';
  },
  'as it was earlier': (file, _draw, { earlierFolder }) => {
    const before = path.join(earlierFolder, path.basename(file));
    if (lstatSync(before, { throwIfNoEntry: false }) === undefined) rmSync(file);
    else cpSync(before, file);
    return '';
  },
  'a link': (file) => {
    const elsewhere = `${path.dirname(file)}-elsewhere`;
    renameSync(file, elsewhere);
    symlinkSync(elsewhere, file);
    return '';
  },
  'a hard link': (file) => {
    linkSync(file, `${path.dirname(file)}-elsewhere`);
    return '';
  },
};

const contents = (folder: string): string[] =>
  readdirSync(folder).map((name) => {
    const file = path.join(folder, name);
    return `${name} ${lstatSync(file).isSymbolicLink()} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`;
  });

/** Outcome of a round. */
type Outcome = 'goes on' | 'goes on without the snapshot' | 'refuses';
const outcomes = new Map<string, number>();

it.each(Array.from({ length: ROUNDS }, (_, n) => FIRST_SEED + n))(
  'the store loses nothing silently by damage (DAMAGE_SEED=%i)',
  (seed) => {
    const draw = drawing(seed);
    const from = left[seed % left.length]!;
    const kinds = Object.keys(DAMAGES);
    const kind = kinds[Math.floor(seed / left.length) % kinds.length]!;
    const data = path.join(top, `round-${seed}`);
    cpSync(from.folder, data, { recursive: true });
    const files = readdirSync(data).filter((name) => statSync(path.join(data, name)).size > 0);
    const name = files[draw(files.length)]!;
    const done = `${path.basename(from.folder)}: ${name}, ${kind} ${DAMAGES[kind]!(path.join(data, name), draw, from)}`;
    const before = contents(data);
    const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const outcome = ((): Outcome => {
      try {
        const sandbox = open(data, from.snapshotEvery);
        expect([done, booksAfter(1, sandbox)]).toEqual([done, from.books]);
        // It is whole enough to go on with, too.
        const acknowledged: Acknowledged = new Map(from.acknowledged);
        for (let n = 0; n < 5; n += 1) place(sandbox, draw, `again${n}`, acknowledged);
        const books = booksAfter(2, sandbox);
        sandbox.close();
        const again = open(data, from.snapshotEvery);
        expect([done, booksAfter(2, again)]).toEqual([done, books]);
        expect([...booksAfter(2, again).orders]).toEqual(expect.arrayContaining([...acknowledged]));
        again.close();
        const text = said.mock.calls.map(([line]) => String(line)).join('');
        if (text === '') return 'goes on';
        expect(text).toMatch(
          /snapshots\.sqlite is damaged \(.+\)\. It is set aside as snapshots\.sqlite\.damaged-1, and the log/,
        );
        expect(readdirSync(data)).toContain('snapshots.sqlite.damaged-1');
        return 'goes on without the snapshot';
      } catch (error) {
        if (!(error instanceof OptionError)) throw new Error(done, { cause: error });
        expect(error.message).toMatch(
          /^--data \S+ (is damaged\. sandbox\.(sqlite|head)\b.+\. Nothing in it has been changed: put a copy of the folder in its place, take another folder, or go on with what can be read of it by --accept-loss\.|cannot be used: \S+ in it is (a link, which is not followed|also a file elsewhere).+)$/s,
        );
        expect([done, contents(data)]).toEqual([done, before]);
        return 'refuses';
      } finally {
        said.mockRestore();
      }
    })();
    const key = `${kind}: ${outcome}`;
    outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
    if (kind.endsWith('link')) expect(outcome).toBe('refuses');
    if (name === 'sandbox.sqlite' && kind === 'missing') expect(outcome).toBe('refuses');
    rmSync(data, { recursive: true, force: true });
    rmSync(`${data}-elsewhere`, { force: true });
  },
);

it('the rounds have met both: folders with which the store goes on, and such that it refuses', () => {
  if (process.env['DAMAGE_ROUNDS'] !== undefined)
    process.stdout.write(
      `${[...outcomes]
        .sort()
        .map(([key, count]) => `${key}: ${count}`)
        .join('\n')}\n`,
    );
  expect([...outcomes.keys()].map((key) => key.split(': ')[1])).toEqual(expect.arrayContaining(['goes on', 'refuses']));
});

it.each(Array.from({ length: Math.ceil(ROUNDS / 6) }, (_, n) => FIRST_SEED + n))(
  'the store goes on with the beginning of a damaged log where the loss is accepted, and keeps the rest (DAMAGE_SEED=%i)',
  (seed) => {
    const draw = drawing(seed);
    const from = left[seed % left.length]!;
    const data = path.join(top, `accepted-${seed}`);
    cpSync(from.folder, data, { recursive: true });
    const database = new DatabaseSync(path.join(data, 'sandbox.sqlite'));
    const first = 2 + draw(30);
    database.prepare('UPDATE log SET args = ? WHERE seq = ?').run('[]', first);
    database.close();
    const before = contents(data);
    expect(() => open(data, from.snapshotEvery)).toThrow(`sandbox.sqlite: entry ${first} of the log is damaged`);
    const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const sandbox = open(data, from.snapshotEvery, { acceptLoss: true });
    expect(said.mock.calls.join('')).toContain(`: ${first - 1} entries of its damaged log could be read, and are kept`);
    said.mockRestore();
    const acknowledged: Acknowledged = new Map([...booksAfter(1, sandbox).orders]);
    expect([...from.acknowledged]).toEqual(expect.arrayContaining([...acknowledged]));
    expect(contents(`${data}.damaged-1`)).toEqual(before);
    place(sandbox, draw, 'then', acknowledged);
    const books = booksAfter(2, sandbox);
    sandbox.close();
    const again = open(data, from.snapshotEvery);
    expect(booksAfter(2, again)).toEqual(books);
    again.close();
  },
);

describe('The error of a missing part', () => {
  const copy = (): string => {
    const data = path.join(top, 'copy');
    rmSync(data, { recursive: true, force: true });
    cpSync(left[0]!.folder, data, { recursive: true });
    return data;
  };
  const why = (data: string): string => {
    try {
      open(data, 0).close();
    } catch (error) {
      return String(error);
    }
    return 'it started';
  };

  it.each(['key', 'startAt', 'seed', 'universe', 'hours', 'latency', 'accounts', 'rules', 'replay', 'facts'])(
    'names the fact %s',
    (name) => {
      const data = copy();
      const database = new DatabaseSync(path.join(data, 'sandbox.sqlite'));
      database.prepare('DELETE FROM meta WHERE name = ?').run(name);
      database.close();
      expect(why(data)).toContain(`is damaged. sandbox.sqlite lacks its ${name}. Nothing in it has been changed`);
    },
  );

  it('names an entry in the middle, one that was changed, and the last ones', () => {
    for (const [sql, words] of [
      ['DELETE FROM log WHERE seq = 7', 'sandbox.sqlite: entry 7 of the log is missing'],
      ["UPDATE log SET args = replace(args, '1', '2') WHERE seq = 9", 'sandbox.sqlite: entry 9 of the log is damaged'],
      ['UPDATE log SET at = at + 1 WHERE seq = 1', 'sandbox.sqlite: entry 1 of the log is damaged'],
      ['DELETE FROM log WHERE seq > 30', 'entries were written, and it ends after entry 30'],
      ['DELETE FROM log', 'entries were written, and it ends after entry 0'],
      ['DELETE FROM meta', 'sandbox.sqlite lacks its facts (key, startAt, seed, universe, hours), and has'],
    ] as const) {
      const data = copy();
      const database = new DatabaseSync(path.join(data, 'sandbox.sqlite'));
      database.exec(sql);
      database.close();
      expect(why(data)).toContain(words);
    }
  });

  it('names the folder itself, where it is a link, and files beside a log that is gone', () => {
    const data = copy();
    const link = `${data}-link`;
    rmSync(link, { force: true });
    symlinkSync(data, link);
    expect(why(link)).toContain(
      'cannot be used: it is a link, which is not followed; give the folder that it leads to.',
    );
    rmSync(path.join(data, 'sandbox.sqlite'));
    expect(why(data)).toContain('sandbox.sqlite is missing, and sandbox.head says that');
    rmSync(path.join(data, 'sandbox.head'));
    writeFileSync(path.join(data, 'snapshots.sqlite'), 'x');
    expect(why(data)).toContain('sandbox.sqlite is missing, and snapshots.sqlite is there');
  });
});
