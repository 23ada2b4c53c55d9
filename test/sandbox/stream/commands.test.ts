/** Texts that a client sends to a stream, before and after its login. */
import fc from 'fast-check';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { parseCommand, splitJson, wordsOf } from '../../../sandbox/src/stream/command-parser';
import { logIn, start, type Bench } from '../support';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 2_000);

/** Commands by a grammar: it is written apart from the reader. */
const COMMAND = /^(batch_)?(subscribe|unsubscribe) +([^ ]+) +([^ ](?:.*[^ ])?) *$/;
const JSON_AND_WORDS = /^((?:"(?:[^"\\]|\\.)*"|[^ "])+)((?: +[^ ]+)*)$/;
const piece = fc.constantFrom(
  'batch_',
  'subscribe',
  'unsubscribe',
  'acknowledge',
  ' ',
  '  ',
  't',
  '{"a":1}',
  '"',
  '\\',
  'index',
  'é',
);

describe('The reader of commands', () => {
  it('takes all that the grammar takes, and nothing else', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
        (text) => {
          const found = COMMAND.exec(text);
          expect(parseCommand(text)).toEqual(
            found === null
              ? undefined
              : { isBatch: found[1] !== undefined, verb: found[2], token: found[3], rest: found[4] },
          );
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('splits the list of a command from its words where the grammar does', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join('').trim()),
        (text) => {
          const found = JSON_AND_WORDS.exec(text);
          fc.pre(found !== null);
          const [json, rest] = splitJson(text);
          expect([json, wordsOf(rest)]).toEqual([found![1], wordsOf(found![2]!)]);
        },
      ),
      { numRuns: RUNS },
    );
  });
});

describe('A client of the stream', () => {
  let bench: Bench;
  let token: string;
  const sockets: WebSocket[] = [];
  beforeAll(async () => {
    bench = await start();
    token = (await logIn(bench))['authorization']!.slice(7);
  });
  afterAll(async () => {
    for (const socket of sockets) socket.terminate();
    await bench.close();
  });

  const open = async (query = ''): Promise<WebSocket> => {
    const socket = new WebSocket(`${bench.running.url.replace('http', 'ws')}/stream${query}`);
    sockets.push(socket);
    await once(socket, 'open');
    return socket;
  };
  const closed = async (socket: WebSocket): Promise<[code: number, reason: string]> => {
    const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
    return [code, reason.toString()];
  };
  /** Has the server answered all that this client sent? It answers a ping after it. */
  const isHeard = async (socket: WebSocket): Promise<void> => {
    socket.ping();
    await once(socket, 'pong');
  };
  const padded = (start: string, length: number): string => start + 'x'.repeat(length - start.length);

  it.each([8_193, 20_000, 65_536])(
    'is cut off in words by %i bytes before a login, whatever they hold',
    async (length) => {
      for (const text of [
        padded(`batch_subscribe ${token} index {"indexes":["`, length),
        padded('batch_subscribe t index ""', length),
        ' '.repeat(length),
        'é'.repeat(Math.ceil(length / 2)).slice(0, 32_768),
      ]) {
        const socket = await open();
        socket.send(text);
        expect(await closed(socket)).toEqual([1009, 'A command before a login has at most 8192 bytes']);
      }
    },
  );

  it('is read up to 8,192 bytes before a login, and logs in by it', async () => {
    const socket = await open();
    const before = bench.running.sandbox.journal.last;
    const [verb, topic] = [`subscribe ${token} `, 'direct_intent notification'];
    socket.send(verb + ' '.repeat(8_192 - verb.length - topic.length) + topic);
    await isHeard(socket);
    const kinds = bench.running.sandbox.journal.after(before, undefined, 10).map(({ kind }) => kind);
    expect(kinds).toEqual(['stream_open', 'subscribe']);
  });

  it('is read up to the size of a frame after its login', async () => {
    const socket = await open(`?token=${token}`);
    const names = Array.from({ length: 2_000 }, (_, n) => `NO SUCH SHARE ${n}`);
    const text = `batch_subscribe ${token} index ${JSON.stringify({ indexes: names })} NSE`;
    expect(text.length).toBeGreaterThan(40_000);
    socket.send(text);
    await isHeard(socket);
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });

  it('acknowledges nothing before its login: a stranger must not stop a clock that runs until an alert', async () => {
    const reached = jest.spyOn(bench.running.sandbox.time, 'reached');
    const stranger = await open();
    stranger.send('acknowledge 1');
    await isHeard(stranger);
    expect(reached).not.toHaveBeenCalled();
    const known = await open(`?token=${token}`);
    known.send('acknowledge 1');
    await isHeard(known);
    expect(reached).toHaveBeenCalledWith('alert');
    reached.mockRestore();
  });
});

/** Texts that are costly for an expression that goes back: it would try each of their parts with each other. */
const COSTLY: [string, (length: number) => string][] = [
  ['texts without an end', (length) => `batch_subscribe t index ${'"a'.repeat(length / 2)}`],
  ['escapes', (length) => `batch_subscribe t index "${'\\'.repeat(length)}`],
  ['quotes', (length) => `batch_subscribe t index ${'""'.repeat(length / 2)} "`],
  ['blanks', (length) => `batch_subscribe t index ${' a'.repeat(length / 2)}\n`],
  ['blanks alone', (length) => `subscribe${' '.repeat(length)}`],
  ['blanks at the end', (length) => `subscribe t a${' '.repeat(length)}\n`],
];

it.each(COSTLY)(
  '%s cost no more than their length: eight times as many, less than 24 times the processor',
  (_name, text) => {
    const cost = (length: number): number => {
      const sample = text(length);
      const spent: number[] = [];
      for (let round = 0; round < 7; round += 1) {
        const before = process.cpuUsage();
        for (let again = 0; again < 40; again += 1) splitJson(parseCommand(sample)?.rest ?? sample);
        const { user, system } = process.cpuUsage(before);
        spent.push(user + system);
      }
      return Math.max(Math.min(...spent), 200);
    };
    cost(8_000);
    expect(cost(64_000) / cost(8_000)).toBeLessThan(24);
  },
);
