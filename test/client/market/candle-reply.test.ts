import fc from 'fast-check';
import { UnreadableReplyError } from '../../../client/base/errors';
import { readCandles } from '../../../client/market/candle-reply';
import { ns, points, reply } from './candle-service';

describe('a reply with candles', () => {
  const read = (text: string) => readCandles(Buffer.from(text));

  it('is read as JSON.parse reads it, whatever its spelling', () => {
    const series = fc.array(
      fc.tuple(
        fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
        fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true })),
      ),
      { maxLength: 6 },
    );
    const data = fc.dictionary(
      fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
      fc.dictionary(fc.constantFrom('open', 'close', 'x"y'), series),
      { maxKeys: 3 },
    );
    fc.assert(
      fc.property(data, fc.boolean(), fc.boolean(), (values, pretty, reversed) => {
        const text = Object.entries(values).map(
          ([symbol, fields]) =>
            `{${JSON.stringify(symbol)}${pretty ? ' : ' : ':'}{${Object.entries(fields)
              .map(
                ([field, list]) =>
                  `${JSON.stringify(field)}:[${list.map(([ts, v]) => (reversed ? `{"v":${v},"o":[1,{}],"ts":"${ts}"}` : `{"ts":${ts},"v":${v}}`)).join(pretty ? ' ,\n' : ',')}]`,
              )
              .join(',')}}}`,
        );
        const ours = read(reply(text.join(',')));
        for (const [symbol, fields] of Object.entries(values)) {
          for (const [field, list] of Object.entries(fields)) {
            const growingSeries = ours.get(symbol)!.get(field)!;
            expect(
              growingSeries.ms.map((ms, index) => BigInt(ms) * 1_000_000n + BigInt(growingSeries.nanos[index]!)),
            ).toEqual(list.map(([ts]) => ts));
            expect(growingSeries.values).toEqual(list.map(([, v]) => v));
          }
        }
      }),
    );
  });

  it('may be null where it is empty', () => {
    for (const text of [
      '{"result":null}',
      '{"result":[]}',
      '{"result":[{"values":null}]}',
      '{"result":[{"values":[]}]}',
    ])
      expect(read(text).size).toBe(0);
    expect(read('{"result":[{"values":[{"A":null},{"B":{"open":null}}]}]}').get('B')!.get('open')!.ms).toEqual([]);
  });

  it.each([
    '',
    '[]',
    '{"message":"charts"}',
    '{"result":{}}',
    '{"result":[{"values":[{"A":{"open":[{"v":1}]}}]}]}',
    '{"result":[{"values":[{"A":{"open":[{"ts":"x","v":1}]}}]}]}',
    '<html>',
  ])('is refused: %s', (text) => {
    expect(() => read(text)).toThrow(UnreadableReplyError);
  });

  it('has numbers as text too, and refuses other texts and rounded times in words', () => {
    const point = (ts: string, v: string): string => `{"result":[{"values":[{"A":{"open":[{"ts":${ts},"v":${v}}]}}]}]}`;
    const valueOf = (v: string): number | undefined => read(point('1', v)).get('A')?.get('open')?.values[0];
    expect(['"117320"', '"1.5"', '"1,17,320"', '"-3"'].map(valueOf)).toEqual([117_320, 1.5, 117_320, -3]);
    for (const text of ['1,173.20', '1.5e3', '₹1500', 'NaN', '', 'true'])
      expect(() => valueOf(JSON.stringify(text))).toThrow(/a value in them is no number, but "/);
    for (const time of ['1795059900000000000.0', '1.7950599e18', '1795059900e9', '"2026-11-20T09:15:00Z"'])
      expect(() => read(point(time, '1'))).toThrow('a time in them cannot be read');
  });

  it('is refused where it was cut off', () => {
    const whole = reply(
      `{"INFY":{"open":${points([
        [ns('2026-11-20T09:15:00'), 1.5],
        [ns('2026-11-20T09:16:00'), 2],
      ])}}}`,
    );
    for (let length = 0; length < whole.length; length++)
      expect(() => read(whole.slice(0, length))).toThrow(UnreadableReplyError);
  });
});
