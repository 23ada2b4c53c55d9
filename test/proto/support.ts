import path from 'node:path';
import fc from 'fast-check';
import protobuf from 'protobufjs';

/** The second opinion: protobufjs on the same .proto files. */
export const root = new protobuf.Root();
root.loadSync(
  ['envelope', 'orders', 'portfolio', 'market'].map((name) => path.join(__dirname, '../../proto', `${name}.proto`)),
);
root.resolveAll();

export const typeOf = (name: string): protobuf.Type => root.lookupType(`brokerage.stream.${name}`);

/** Every message type of the .proto files. */
export const messageNames = (root.lookup('brokerage.stream') as protobuf.Namespace).nestedArray
  .filter((item) => item instanceof protobuf.Type)
  .map((item) => item.name);

type Json = Record<string, unknown>;

function scalar(field: protobuf.Field): fc.Arbitrary<unknown> {
  const int32 = fc.oneof(fc.integer({ min: -5, max: 300 }), fc.integer());
  if (field.resolvedType instanceof protobuf.Enum) return fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer());
  switch (field.type) {
    case 'int64': {
      const bits = field.options?.['jstype'] === 'JS_STRING' ? 63n : 53n;
      const small = fc.bigInt({ min: -200n, max: 200n });
      const time = fc.bigInt({ min: 1_700_000_000_000_000_000n, max: 1_900_000_000_000_000_000n });
      const max = 2n ** bits - 1n;
      const any = fc.bigInt({ min: bits === 63n ? -max - 1n : -max, max });
      return fc.oneof(small, bits === 63n ? time : any, any).map(String);
    }
    case 'int32':
      return int32;
    case 'uint32':
      return fc.integer({ min: 0, max: 0xffffffff });
    case 'bool':
      return fc.boolean();
    case 'float':
      return fc.float({ noNaN: true });
    case 'string':
      return fc.oneof(fc.string({ maxLength: 30 }), fc.string({ unit: 'grapheme', maxLength: 200 }));
    case 'bytes':
      return fc.uint8Array({ maxLength: 40 });
    default:
      throw new Error(`no arbitrary for ${field.type}`);
  }
}

/** Messages of a type as protobufjs takes them, with any of their fields left out. */
export function messages(type: protobuf.Type): fc.Arbitrary<Json> {
  const record: Record<string, fc.Arbitrary<unknown>> = {};
  for (const field of type.fieldsArray) {
    field.resolve();
    const arbitrary = field.resolvedType instanceof protobuf.Type ? messages(field.resolvedType) : scalar(field);
    if (field.map)
      record[field.name] = fc.dictionary(
        fc.oneof(fc.constantFrom('NSE', 'BSE', '__proto__'), fc.string({ maxLength: 5 })),
        arbitrary,
        { maxKeys: 3 },
      );
    else record[field.name] = field.repeated ? fc.array(arbitrary, { maxLength: 3 }) : arbitrary;
  }
  return fc.record(record, { requiredKeys: [] });
}

/** Decodes bytes with protobufjs, and brings the result to the form that our decoders promise. */
export function secondOpinion(type: protobuf.Type, bytes: Uint8Array): unknown {
  return shape(
    type,
    type.toObject(type.decode(bytes), { defaults: true, arrays: true, objects: true, enums: String, longs: String }),
  );
}

function shape(type: protobuf.Type, message: Json): Json {
  const out: Json = {};
  for (const field of type.fieldsArray) {
    const value = message[field.name];
    const entry = (item: unknown): unknown => {
      if (field.resolvedType instanceof protobuf.Type) return shape(field.resolvedType, item as Json);
      if (field.type === 'int64' && field.options?.['jstype'] === 'JS_NUMBER') return Number(item);
      if (field.type === 'bytes') return Buffer.from(item as Uint8Array).toString('hex');
      return item;
    };
    if (field.map) {
      const map: Json = {};
      for (const [key, item] of Object.entries(value as Json)) {
        Object.defineProperty(map, key, { value: entry(item), enumerable: true, configurable: true, writable: true });
      }
      out[field.name] = map;
    } else if (field.repeated) out[field.name] = (value as unknown[]).map(entry);
    else out[field.name] = value === null || value === undefined ? null : entry(value);
  }
  return out;
}

/** Our result with its byte views as hex, so that both opinions can be compared. */
export function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  const out: Json = {};
  for (const [key, item] of Object.entries(value)) {
    Object.defineProperty(out, key, { value: plain(item), enumerable: true, configurable: true, writable: true });
  }
  return out;
}
