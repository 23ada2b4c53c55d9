import fc from 'fast-check';
import { UnreadableReplyError } from '../../../client/base/errors';
import { instrumentItem } from '../../../client/instruments/instrument';
import { masterJson, masterRows, type MasterRow } from '../../support/master';
import { parse, storeOf } from './support';
import { IS_WHOLE } from '../../support/sample';

const rows = [...masterRows(1_500)];

/** A row as the store gives it back, in the names of the specification. */
function back(store: ReturnType<typeof storeOf>, refId: number) {
  const {
    label: _label,
    symbol: _symbol,
    type: _type,
    plat_id: _platId,
    lot_multiplier: multiplier,
    ...item
  } = instrumentItem(store.instrument(store.rowOfRefId(refId)), 'paise');
  expect(multiplier).toBe(Math.max(1, item.lot_size));
  return item;
}

function expected(row: MasterRow) {
  const option = row.derivative_type === 'OPT';
  return {
    ...row,
    expiry: row.expiry === 0 ? null : String(row.expiry).replace(/(....)(..)(..)/, '$1-$2-$3'),
    strike_price: option ? row.strike_price : null,
    option_type: option ? row.option_type : null,
    isin: row.isin.startsWith('IN') ? row.isin.trim() : null,
  };
}

/** The same fields in the order of another object, so that their texts can be compared. */
const inOrder = (fields: object, like: object): object =>
  Object.fromEntries(Object.keys(like).map((key) => [key, (fields as Record<string, unknown>)[key]]));

describe('the parser', () => {
  it.each([1, 7, 997, 65_536, 10_000_000])(
    'gives back every row that JSON.parse sees, in chunks of %i bytes',
    (chunkSize) => {
      const some = chunkSize === 1 ? rows.slice(0, 300) : rows;
      const json = masterJson(some, { word: 'acme' });
      expect(JSON.parse(json.toString()).refdata).toHaveLength(some.length);
      const store = storeOf(json, chunkSize);
      expect(store.size).toBe(some.length);
      expect(some.map((row) => back(store, row.ref_id))).toEqual(some.map(expected));
    },
  );

  it('gives back every row of a master so long that each column grows more than once, and widens after it has grown', () => {
    const long = [...masterRows(9_000)].map((row, at) => (at < 7_000 ? row : { ...row, token: row.token + 2 ** 40 }));
    const store = storeOf(masterJson(long), 65_536);
    const looked = long.filter((_row, at) => at % 7 === 0 || at >= 8_500);
    const wrong = looked.filter((row) => {
      const given = back(store, row.ref_id);
      return JSON.stringify(given) !== JSON.stringify(inOrder(expected(row), given));
    });
    expect(wrong).toEqual([]);
  });

  it('takes keys in any order, unknown keys, blanks, escapes, numbers as text and null', () => {
    const json = Buffer.from(
      `{ "refdata" : [ {"x":{"a":["]}",1]},"stock_name":"MAHINDRA \\u0026 \\"M\\" LTD","ref_id": "77" , "asset":"M\\u0026M","plat_name":"STOCK_M\\u0026M.NSECM",
        "lot_size":1,"tick_size":10.0,"series":"EQ","isin":null,"expiry":null,"derivative_type":"STOCK","token":-5},
        {"derivative_type":"OPT","ref_id":78,"asset":"M\\u0026M","option_type":"PE","strike_price":3.6e5,"expiry":20261124,"stock_name":"M\\u0026M 3600 PE"} ],
        "is_trading_on" : false, "message":"late", "exchange":"NSE" } trailing`,
    );
    for (const size of [1, 5, json.length]) {
      const parser = parse(json, size);
      expect(parser.envelope).toEqual({ exchange: 'NSE', isTradingOn: false, message: 'late' });
      const store = storeOf(json, size);
      expect(store.instrument(store.rowOfRefId(77))).toMatchObject({
        symbol: 'M&M',
        name: 'MAHINDRA & "M" LTD',
        platName: 'STOCK_M&M.NSECM',
        tickSize: 10,
        token: -5,
        isin: null,
        expiry: null,
        kind: 'STOCK',
      });
      expect(store.instrument(store.rowOfRefId(78))).toMatchObject({
        symbol: 'M&M3600PE',
        strikePrice: 360_000,
        optionType: 'PE',
        expiry: '2026-11-24',
      });
    }
  });

  it.each([
    ['1755', 1_755],
    ['1755.0', 1_755],
    ['"1756"', 1_756],
    ['""', 0],
    ['"NA"', 0],
    ['null', 0],
    ['false', 0],
    ['-1', 0],
  ])('reads a freeze quantity %s as %i, whatever size the pieces have', (text, quantity) => {
    const json = Buffer.from(
      `{"exchange":"NSE","refdata":[{"ref_id":78,"asset":"NIFTY","freeze_qty_limit":${text},"derivative_type":"FUT","lot_size":65}]}`,
    );
    for (const size of [1, 7, json.length]) {
      const store = storeOf(json, size);
      expect(store.instrument(store.rowOfRefId(78))).toMatchObject({ freezeQuantity: quantity, lotSize: 65 });
    }
  });

  it('reads an empty list as empty, in every spelling', () => {
    for (const list of ['[]', '[ ]', 'null'])
      expect(storeOf(Buffer.from(`{"exchange":"NSE","is_trading_on":false,"refdata":${list}}`)).size).toBe(0);
  });

  it('leaves out rows without a ref_id, and keeps wide ones exact', () => {
    const store = storeOf(
      Buffer.from(
        '{"refdata":[{"stock_name":"A"},{"ref_id":9007199254740991,"stock_name":"B","token":4294967296},{"ref_id":5,"stock_name":"C"}]}',
      ),
    );
    expect(store.size).toBe(2);
    expect(store.instrument(store.rowOfRefId(9007199254740991))).toMatchObject({ symbol: 'B', token: 4294967296 });
    expect(store.rowOfRefId(5)).toBe(1);
    expect(store.rowOfRefId(6)).toBe(-1);
  });

  it.each([
    '',
    '[]',
    '{"message":"no"}',
    '{"refdata":"x"}',
    '{"refdata":[1]}',
    '{"refdata":[{"ref_id":9007199254740993}]}',
    '{"refdata":[{"ref_id":x}]}',
    '{"refdata":[{"ref_id" 1}]}',
    '{"refdata":[{"ref_id":1 "a":2}]}',
    '{"refdata":[{"stock_name":"\\q"}]}',
    '<html>',
  ])('refuses %s', (text) => {
    expect(() => parse(Buffer.from(text))).toThrow(UnreadableReplyError);
  });

  it('refuses a reply that was cut off, wherever that was', () => {
    const json = masterJson(rows.slice(0, 6));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: json.length - 1 }), fc.integer({ min: 1, max: 400 }), (length, chunk) => {
        expect(() => parse(json.subarray(0, length), chunk)).toThrow(UnreadableReplyError);
      }),
      { numRuns: IS_WHOLE ? 100 : 40 },
    );
  });

  it('returns rows or throws its own error for any damaged bytes', () => {
    const json = masterJson(rows.slice(0, 8));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(json.length - 1), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 900 }),
        (changes, chunk) => {
          const bytes = Buffer.from(json);
          for (const [at, byte] of changes) bytes[at] = byte;
          try {
            const store = storeOf(bytes, chunk);
            for (let row = 0; row < store.size; row++) store.instrument(row);
          } catch (error) {
            expect(error).toBeInstanceOf(UnreadableReplyError);
          }
        },
      ),
      { numRuns: IS_WHOLE ? 100 : 40 },
    );
  });
});

describe('the store', () => {
  const store = storeOf(masterJson(rows));

  it('finds every row by its ref_id and by its symbol', () => {
    const all = Array.from({ length: store.size }, (_, row) => row);
    expect(all.filter((row) => store.rowOfRefId(store.instrument(row).refId) !== row)).toEqual([]);
    expect(all.filter((row) => !store.rowsOfSymbol(store.symbol(row)).includes(row))).toEqual([]);
    expect(store.rowsOfSymbol('NIFT')).toEqual([]);
    expect(store.rowsOfSymbol('')).toEqual([]);
  });

  it('groups every row once, by underlying or own symbol, sorted by kind, expiry and strike', () => {
    const seen = store.roots.flatMap((_, root) => Array.from(store.rowsOfRoot(root)));
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: store.size }, (_, row) => row));
    expect([...store.roots].sort()).toEqual([...store.roots]);
    const nifty = Array.from(store.rowsOfRoot(store.findRoot('NIFTY')), (row) => store.instrument(row));
    expect(nifty[0]).toMatchObject({ kind: 'INDEX', symbol: 'NIFTY' });
    const options = nifty
      .filter(({ kind }) => kind === 'OPT')
      .map(({ expiry, strikePrice, optionType }) => `${expiry} ${String(strikePrice).padStart(9)} ${optionType}`);
    expect(options).toEqual([...options].sort());
  });
});

it.each([
  ['true', true],
  ['false', false],
  ['null', undefined],
  ['"false"', undefined],
  ['0', undefined],
  ['[]', undefined],
])('a calendar tells whether the exchange trades by true and false alone: %s', (word, expected) => {
  const json = Buffer.from(`{"exchange":"NSE","is_trading_on":${word},"refdata":[]}`);
  expect(parse(json).envelope.isTradingOn).toBe(expected);
});
