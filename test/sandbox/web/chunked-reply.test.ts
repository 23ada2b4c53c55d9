import { inSlices, jsonList, streamReply } from '../../../sandbox/src/web/chunked-reply';

describe('Long replies in slices', () => {
  it('gives everything else its turn while it makes a long reply', async () => {
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    let turns = 0;
    let over = false;
    const count = (): void => {
      turns += 1;
      if (!over) setImmediate(count);
    };
    setImmediate(count);
    function* items(): Generator<number> {
      for (let n = 0; n < 10; n += 1) {
        now += 15;
        yield n;
      }
    }
    const seen: number[] = [];
    for await (const item of inSlices(items())) seen.push(item);
    over = true;
    clock.mockRestore();
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(turns).toBeGreaterThanOrEqual(9);
  });

  it('sends every text once and in order, whatever their length', async () => {
    const texts = Array.from({ length: 5_000 }, (_, n) => `${n} ${'x'.repeat(n % 50)}\n`);
    let sent = '';
    for await (const piece of streamReply(['', ...texts, ''])) sent += String(piece);
    expect(sent).toBe(texts.join(''));
  });

  it('writes a list as JSON, also an empty one', () => {
    expect([...jsonList('{"all":[', ['1', '2'], ']}')].join('')).toBe('{"all":[1,2]}');
    expect([...jsonList('[', [], ']')].join('')).toBe('[]');
  });
});
