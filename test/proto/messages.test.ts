import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as generated from '../../proto/generated/messages';
import { DecodeError } from '../../proto/reader';
import { messageNames, messages, plain, secondOpinion, typeOf } from './support';
import { share } from '../support/sample';

const { decodeIntentOrderResponse, decodeSvcToClientIntentUpdate, decodeTradeFill, decodeIntentLeg } = generated;
const runs = Number(process.env['PROTO_RUNS'] ?? 40);

const decoders = generated as unknown as Record<string, (bytes: Uint8Array) => unknown>;
const decoderOf = (name: string): ((bytes: Uint8Array) => unknown) => decoders[`decode${name}`]!;
const bytes = (...numbers: number[]): Uint8Array => Uint8Array.from(numbers);

function fault(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(DecodeError);
    return (error as DecodeError).fault;
  }
  return 'none';
}

describe('against protobufjs', () => {
  test.each(messageNames)('%s: every generated message reads the same', (name) => {
    const type = typeOf(name);
    fc.assert(
      fc.property(messages(type), (message) => {
        const encoded = type.encode(type.fromObject(message)).finish();
        expect(plain(decoderOf(name)(encoded))).toEqual(secondOpinion(type, encoded));
      }),
      { numRuns: runs },
    );
  });

  const MUTATED = [
    'SvcToClientIntentUpdate',
    'PortfolioResponse',
    'BatchWebSocketOrderbookMessage',
    'BatchWebSocketIndexMessage',
  ];
  test.each(share(MUTATED, 2, 0))(
    '%s: mutated bytes are read as protobufjs reads them, and the rest is a DecodeError',
    (name) => {
      const type = typeOf(name);
      const seen = { read: 0, refused: 0 };
      const mutation = fc.record({
        at: fc.nat(),
        byte: fc.integer({ min: 0, max: 255 }),
        kind: fc.constantFrom('set', 'insert', 'delete', 'cut'),
      });
      fc.assert(
        fc.property(messages(type), fc.array(mutation, { minLength: 1, maxLength: 4 }), (message, mutations) => {
          const list = [...type.encode(type.fromObject(message)).finish()];
          for (const { at, byte, kind } of mutations) {
            const place = list.length === 0 ? 0 : at % list.length;
            if (kind === 'set') list[place] = byte;
            else if (kind === 'insert') list.splice(place, 0, byte);
            else if (kind === 'delete') list.splice(place, 1);
            else list.length = place;
          }
          const mutated = Uint8Array.from(list);
          let ours: unknown;
          try {
            ours = plain(decoderOf(name)(mutated));
          } catch (error) {
            expect(error).toBeInstanceOf(DecodeError);
            seen.refused += 1;
            return;
          }
          seen.read += 1;
          let theirs: unknown;
          try {
            theirs = secondOpinion(type, mutated);
          } catch (error) {
            expect(String(error)).toMatch(/utf-?8/i);
            return;
          }
          expect(ours).toEqual(theirs);
        }),
        { numRuns: runs * 4 },
      );
      expect(seen.read).toBeGreaterThan(0);
      expect(seen.refused).toBeGreaterThan(0);
    },
  );

  test('a message that is filled again equals a new one, whatever it held before, also after bytes that were no message', () => {
    const type = typeOf('BatchWebSocketIndexMessage');
    const { decodeBatchWebSocketIndexMessage: decode, refillBatchWebSocketIndexMessage: refill } = generated;
    const encoded = messages(type).map((message) => type.encode(type.fromObject(message)).finish());
    const used = decode(bytes());
    fc.assert(
      fc.property(encoded, fc.nat(), (whole, cut) => {
        const part = whole.subarray(0, cut % (whole.length + 1));
        expect(fault(() => refill(part, used))).toBe(fault(() => decode(part)));
        refill(whole, used);
        expect(used).toEqual(decode(whole));
      }),
      { numRuns: runs * 4 },
    );
  });

  test('random bytes never end in anything but a message or a DecodeError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...messageNames), (random, name) => {
        expect([
          'none',
          'truncated',
          'varint too long',
          'bad field number',
          'wrong wire type',
          'nested too deep',
          'number not exact',
          'too many parts',
          'text too long',
        ]).toContain(fault(() => decoderOf(name)(random)));
      }),
      { numRuns: runs * 10 },
    );
  });
});

describe('the JSON of a message', () => {
  const type = typeOf('SvcToClientIntentUpdate');
  const update = decodeSvcToClientIntentUpdate(
    type
      .encode(
        type.fromObject({
          intentOrderResponse: {
            intentOrderId: '1758012345678901234',
            orderStatus: 2,
            orderQty: 65,
            orderPrice: 150005,
            tradeFill: { tradeQty: 65, tradePrice: 150000, refId: 70115 },
            svcTimestamps: { intentCreatedAt: '1758012345678901235', cancelledAt: '7' },
            refdata: { platName: 'STOCK_INFY.NSECM', platId: 12 },
            legs: [{ refId: 1, unitQty: -2 }],
          },
          intentOrderResponseType: 3,
          intentOrderRequstType: 1,
        }),
      )
      .finish(),
  );

  test('has the names of the specification, the typo included', () => {
    expect(update.intentOrderResponseType).toBe('INTENT_ORDER_RESPONSE_TYPE_FILLED');
    expect(update.intentOrderRequstType).toBe('INTENT_ORDER_REQUEST_TYPE_NEW');
    expect(update.intentOrderResponse?.tradeFill?.tradeQty).toBe(65);
    expect(update.intentOrderResponse?.refdata?.platName).toBe('STOCK_INFY.NSECM');
  });

  test('keeps every digit of identifiers and times, as text whatever their size', () => {
    expect(update.intentOrderResponse?.intentOrderId).toBe('1758012345678901234');
    expect(update.intentOrderResponse?.svcTimestamps?.intentCreatedAt).toBe('1758012345678901235');
    expect(update.intentOrderResponse?.svcTimestamps?.cancelledAt).toBe('7');
    expect(update.intentOrderResponse?.refdata?.platId).toBe('12');
  });

  test('holds every scalar field, and null for a message that was not sent', () => {
    expect(update.intentOrderResponse?.filledQty).toBe(0);
    expect(update.intentOrderResponse?.rejectionMsg).toBe('');
    expect(update.intentOrderResponse?.orderSide).toBe('ORDER_SIDE_INVALID');
    expect(update.intentOrderResponse?.svcTimestamps?.filledAt).toBe('0');
    expect(update.intentOrderResponse?.icebergInfo).toBeNull();
    expect(update.intentOrderResponse?.exitTriggers).toEqual([]);
    expect(update.intentOrderResponse?.legs[0]?.unitQty).toBe(-2);
  });

  test('keeps an enum number that the specification does not name', () => {
    expect(decodeIntentOrderResponse(bytes(0x10, 99)).orderStatus).toBe(99);
  });
});

describe('the reader', () => {
  const varint = (value: bigint): number[] => {
    const out: number[] = [];
    let rest = BigInt.asUintN(64, value);
    for (; rest > 127n; rest >>= 7n) out.push(Number(rest & 127n) | 128);
    return [...out, Number(rest)];
  };

  /** A field so many times, empty each time: two or three bytes of each. */
  const repeated = (id: number, count: number): Uint8Array => {
    const item = [...varint(BigInt(id * 8 + 2)), 0];
    return Uint8Array.from({ length: item.length * count }, (_, at) => item[at % item.length]!);
  };

  test('refuses a number that a double cannot hold, on either side, and not one less', () => {
    const edge = 2n ** 53n;
    expect(decodeTradeFill(bytes(0x10, ...varint(edge - 1n))).tradePrice).toBe(Number.MAX_SAFE_INTEGER);
    expect(decodeTradeFill(bytes(0x10, ...varint(1n - edge))).tradePrice).toBe(Number.MIN_SAFE_INTEGER);
    for (const value of [edge, edge + 1n, -edge, 2n ** 63n - 1n]) {
      expect(fault(() => decodeTradeFill(bytes(0x10, ...varint(value))))).toBe('number not exact');
    }
    expect(fault(() => decodeIntentLeg(bytes(0x10, ...varint(2n ** 40n))))).toBe('number not exact');
  });

  test('refuses every prefix of a message that ends inside of a field', () => {
    const whole = bytes(0x0a, 4, 0x08, 0x96, 0x01, 0x10);
    expect(fault(() => decodeSvcToClientIntentUpdate(whole))).toBe('truncated');
    for (let length = 1; length < whole.length; length++) {
      expect(fault(() => decodeSvcToClientIntentUpdate(whole.subarray(0, length)))).toBe('truncated');
    }
    expect(fault(() => decodeIntentOrderResponse(bytes(0x62, 5, 65)))).toBe('truncated');
    expect(fault(() => decodeIntentOrderResponse(bytes(0x08, 0x80)))).toBe('truncated');
  });

  test('refuses a field that reaches over the end of the message around it', () => {
    expect(fault(() => decodeSvcToClientIntentUpdate(bytes(0x0a, 2, 0x08, 0x96, 0x01)))).toBe('truncated');
  });

  test('refuses a varint of more than ten bytes, or of more than 64 bits', () => {
    expect(fault(() => decodeTradeFill(bytes(0x08, ...Array<number>(10).fill(0xff), 1)))).toBe('varint too long');
    expect(fault(() => decodeTradeFill(bytes(0x08, ...Array<number>(9).fill(0xff), 2)))).toBe('varint too long');
    expect(decodeTradeFill(bytes(0x08, ...Array<number>(9).fill(0xff), 1)).tradeQty).toBe(-1);
  });

  test('refuses a known field with the wrong wire type, and field number 0', () => {
    expect(fault(() => decodeTradeFill(bytes(0x0a, 0)))).toBe('wrong wire type');
    expect(fault(() => decodeTradeFill(bytes(0x02, 0)))).toBe('bad field number');
  });

  const lists = messageNames.flatMap((name) =>
    typeOf(name)
      .fieldsArray.filter((field) => field.repeated || field.map)
      .map((field) => [`${name}.${field.name}`, name, field.id] as const),
  );

  test.each(lists)('refuses %s: more entries than a frame ever has', (_, name, id) => {
    expect(fault(() => decoderOf(name)(repeated(id, 20_000)))).toBe('none');
    expect(fault(() => decoderOf(name)(repeated(id, 100_001)))).toBe('too many parts');
  });

  test('refuses a text that is longer than any', () => {
    const message = (length: number) =>
      Buffer.concat([Buffer.from([0x0a, ...varint(BigInt(length))]), Buffer.alloc(length, 49)]);
    expect(fault(() => generated.decodeAny(message(10_000)))).toBe('none');
    expect(fault(() => generated.decodeAny(message(10_001)))).toBe('text too long');
  });

  test('refuses more entries over all lists and depths of a frame', () => {
    const legs = repeated(5, 1_000);
    const message = (count: number): Uint8Array => {
      const item = [...varint(BigInt(legs.length)), ...legs];
      return Buffer.concat(Array.from({ length: count }, () => Buffer.from([0x0a, ...item])));
    };
    expect(fault(() => decodeSvcToClientIntentUpdate(message(99)))).toBe('none');
    expect(fault(() => decodeSvcToClientIntentUpdate(message(100)))).toBe('too many parts');
  });

  test('refuses groups nested too deep, and steps over shallow ones in unknown fields', () => {
    const nest = (depth: number): Uint8Array =>
      bytes(...Array<number>(depth).fill(0x7b), ...Array<number>(depth).fill(0x7c), 0x08, 5);
    expect(decodeTradeFill(nest(3)).tradeQty).toBe(5);
    expect(fault(() => decodeTradeFill(nest(10_000)))).toBe('nested too deep');
  });

  test('passes a group sixteen deep by, and refuses one of seventeen', () => {
    const nest = (depth: number): Uint8Array =>
      bytes(...Array<number>(depth).fill(0x7b), ...Array<number>(depth).fill(0x7c), 0x08, 5);
    expect(decodeTradeFill(nest(16)).tradeQty).toBe(5);
    expect(fault(() => decodeTradeFill(nest(17)))).toBe('nested too deep');
  });

  test('refuses a group that ends with the number of another, an end without a group, and an unknown wire type', () => {
    expect(fault(() => decodeTradeFill(bytes(0x7b, 0x74, 0x08, 5)))).toBe('wrong wire type');
    expect(fault(() => decodeTradeFill(bytes(0x7c, 0x08, 5)))).toBe('wrong wire type');
    expect(fault(() => decodeTradeFill(bytes(0x7e, 0x08, 5)))).toBe('wrong wire type');
    expect(fault(() => decodeTradeFill(bytes(0x7b, 0x08, 5)))).toBe('truncated');
    expect(fault(() => decodeTradeFill(bytes(0x7b, 0x02, 0x7c)))).toBe('bad field number');
  });

  test('steps over the fields of a group whole, whatever they hold', () => {
    const inside = [0x08, 0xff, 1, 0x11, 1, 2, 3, 4, 5, 6, 7, 8, 0x1a, 1, 0x7c, 0x25, 1, 2, 3, 4];
    expect(decodeTradeFill(bytes(0x7b, ...inside, 0x7c, 0x08, 5)).tradeQty).toBe(5);
  });

  test('refuses a field number beyond 2^29, a length beyond 2^32, and a wrong number of 32 bits', () => {
    expect(fault(() => decodeTradeFill(bytes(...varint(2n ** 32n + 8n), 5)))).toBe('bad field number');
    expect(fault(() => decodeTradeFill(bytes(0x80, 0)))).toBe('bad field number');
    expect(fault(() => decodeTradeFill(bytes(0x7a, ...varint(2n ** 32n))))).toBe('truncated');
    expect(() => decodeTradeFill(bytes(0x7a, ...varint(2n ** 31n), 1))).toThrow('truncated at byte 6');
    for (const value of [-(2n ** 32n), -(2n ** 33n)])
      expect(fault(() => decodeIntentLeg(bytes(0x10, ...varint(value))))).toBe('number not exact');
    expect(fault(() => generated.decodeOrderBook(bytes(0x08, ...varint(2n ** 32n))))).toBe('number not exact');
    expect(generated.decodeOrderBook(bytes(0x08, ...varint(2n ** 32n - 1n))).instId).toBe(2 ** 32 - 1);
  });

  test('refuses a field of four or eight bytes that reaches over the end of the message around it', () => {
    expect(fault(() => generated.decodeBatchWebSocketIndexMessage(bytes(0x12, 4, 0x3d, 1, 2, 3, 0x08, 1)))).toBe(
      'truncated',
    );
    expect(fault(() => generated.decodeBatchWebSocketIndexMessage(bytes(0x12, 4, 0x7d, 1, 2, 3, 0x08, 1)))).toBe(
      'truncated',
    );
    expect(fault(() => generated.decodeIndexTick(bytes(0x3d, 1, 2, 3)))).toBe('truncated');
    expect(fault(() => decodeTradeFill(bytes(0x79, 1, 2, 3, 4, 5, 6, 7)))).toBe('truncated');
  });

  test('takes any number but 0 for true, a large one too', () => {
    expect(decodeIntentOrderResponse(bytes(0x58, ...varint(2n ** 32n))).isAdmin).toBe(true);
    expect(decodeIntentOrderResponse(bytes(0x58, 0)).isAdmin).toBe(false);
  });

  test('keeps each of the 64 bits of a number', () => {
    for (let bit = 0n; bit < 53n; bit += 1n)
      expect(decodeTradeFill(bytes(0x10, ...varint(2n ** bit))).tradePrice).toBe(Number(2n ** bit));
  });

  test('passes unknown fields of every wire type by', () => {
    expect(
      decodeTradeFill(bytes(0x78, 0xff, 1, 0x79, 1, 2, 3, 4, 5, 6, 7, 8, 0x7a, 2, 9, 9, 0x7d, 1, 2, 3, 4, 0x08, 5))
        .tradeQty,
    ).toBe(5);
  });

  test('names the place in an error and never the content', () => {
    expect(() => decodeIntentOrderResponse(Buffer.from('b\x20SECRET'))).toThrow(
      'A frame could not be read: truncated at byte 2',
    );
  });
});
