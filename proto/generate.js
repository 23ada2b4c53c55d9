/**
 * Writes proto/generated/messages.ts: for every message of proto/*.proto its JSON type and a decoder that puts that JSON
 * out in one step. Run by the gulp task `proto`.
 *
 * What comes out: camelCase names; every scalar field present, with proto3's default when it was not sent; messages and
 * `optional` scalars that were not sent as null; enums as the names of the specification, unknown ones as numbers; 64-bit
 * fields as text or as safe numbers, as their `jstype` says.
 */
const { readdirSync } = require('node:fs');
const path = require('node:path');
const protobuf = require('protobufjs');
const writeIfChanged = require('../scripts/write-if-changed.cjs');

const VARINT = 0;
const LENGTH = 2;
const FIXED32 = 5;

/** For each scalar type: wire type, method of the reader, TypeScript type, default. */
const SCALARS = {
  int32: { wire: VARINT, read: 'int32', type: 'number', initial: '0' },
  uint32: { wire: VARINT, read: 'uint32', type: 'number', initial: '0' },
  bool: { wire: VARINT, read: 'bool', type: 'boolean', initial: 'false' },
  float: { wire: FIXED32, read: 'float', type: 'number', initial: '0' },
  string: { wire: LENGTH, read: 'string', type: 'string', initial: "''" },
  bytes: { wire: LENGTH, read: 'view', type: 'Uint8Array', initial: 'NOTHING' },
};
const INT64 = {
  JS_STRING: { wire: VARINT, read: 'int64Text', type: 'string', initial: "'0'" },
  JS_NUMBER: { wire: VARINT, read: 'int64Number', type: 'number', initial: '0' },
};

/** Returns the properties of a field's value, apart from its being repeated, a map or optional. */
function valueOf(field) {
  const where = `${field.parent.name}.${field.name}`;
  if (field.resolvedType instanceof protobuf.Enum) {
    const { name, values } = field.resolvedType;
    const zero = Object.keys(values).find((key) => values[key] === 0);
    return { wire: VARINT, names: `${name}Names`, type: name, initial: `'${zero}'` };
  }
  if (field.resolvedType)
    return { wire: LENGTH, message: field.resolvedType.name, type: field.resolvedType.name, initial: 'null' };
  if (field.type === 'int64') {
    const value = INT64[field.options?.jstype];
    if (!value) throw new Error(`${where}: an int64 field must say jstype = JS_STRING or JS_NUMBER`);
    return value;
  }
  const value = SCALARS[field.type];
  if (!value) throw new Error(`${where}: the type ${field.type} is not supported by this generator`);
  return value;
}

/** Frequent messages with hundreds of flat records: one that is not needed any more can be filled again, without making any. */
const REFILLED = new Set(['BatchWebSocketIndexMessage']);

/** The expression that reads one scalar. */
const read = (value) => (value.names ? `open(${value.names}, reader.int32())` : `reader.${value.read}()`);

/** The statements that fill a nested message and then hand it on. */
const nest = (value, message, handOn) =>
  `{ const outer = reader.enter(); const inner = ${message}; fill${value.message}(reader, inner); reader.leave(outer); ${handOn} }`;

function describe(field) {
  const value = valueOf(field);
  const name = protobuf.util.camelCase(field.name);
  if (field.map) {
    if (field.keyType !== 'string' || !value.read) throw new Error(`${field.name}: this kind of map is not supported`);
    return {
      name,
      wire: LENGTH,
      type: `Record<string, ${value.type}>`,
      initial: '{}',
      statement: `entry(reader, message.${name}, ${value.wire}, ${value.initial}, (from) => from.${value.read}());`,
    };
  }
  if (field.repeated) {
    if (!value.message && field.type !== 'string')
      throw new Error(`${field.name}: repeated ${field.type} is not supported`);
    const statement = value.message
      ? nest(value, `new${value.message}()`, `message.${name}.push(inner);`)
      : `{ reader.part(); message.${name}.push(${read(value)}); }`;
    return {
      name,
      wire: LENGTH,
      type: `${value.type}[]`,
      initial: '[]',
      statement,
      record: value.message && field.resolvedType,
    };
  }
  const nullable = Boolean(value.message) || Boolean(field.options?.proto3_optional);
  return {
    name,
    wire: value.wire,
    type: nullable ? `${value.type} | null` : value.type,
    initial: nullable ? 'null' : value.initial,
    // A message that comes twice in a field is merged, as protobuf asks.
    statement: value.message
      ? nest(value, `message.${name} ?? new${value.message}()`, `message.${name} = inner;`)
      : `message.${name} = ${read(value)};`,
  };
}

function writeEnum({ name, values }) {
  const names = [];
  for (const [key, number] of Object.entries(values)) names[number] = key;
  // A number between others that has no name stays a number, as those beyond them do.
  const list = Array.from(names, (key, number) => (key === undefined ? `${number}` : `'${key}'`));
  const named = Object.values(names).map((key) => `'${key}'`);
  return [
    `/** Open: a number that the specification does not name stays a number. */`,
    `export type ${name} = ${named.join(' | ')} | number;`,
    `const ${name}Names: readonly ${name}[] = [${list.join(', ')}];`,
    '',
  ];
}

const fieldsOf = (type) => type.fieldsArray.map((field) => ({ id: field.id, ...describe(field.resolve()) }));

/** The loop over the fields of a message. @param statementOf what is done with the value of a field */
function loop(name, fields, statementOf) {
  return [
    `  while (reader.at < reader.end) {`,
    `    const tag = reader.tag();`,
    `    switch (tag) {`,
    ...fields.flatMap((field) => [
      `      case ${(field.id << 3) | field.wire}:`,
      `        ${statementOf(field)}`,
      `        break;`,
    ]),
    `      default:`,
    `        reader.skip(tag, fields${name});`,
    `    }`,
    `  }`,
  ];
}

function writeMessage(type) {
  const { name } = type;
  const fields = fieldsOf(type);
  return [
    `export interface ${name} {`,
    ...fields.map((field) => `  ${field.name}: ${field.type};`),
    `}`,
    '',
    `const new${name} = (): ${name} => ({ ${fields.map((field) => `${field.name}: ${field.initial}`).join(', ')} });`,
    `const fields${name} = [${fields.map((field) => field.id).join(', ')}];`,
    '',
    `function fill${name}(reader: Reader, message: ${name}): void {`,
    ...loop(name, fields, ({ statement }) => statement),
    `}`,
    '',
    `/** @throws DecodeError when the bytes are no ${name}. */`,
    `export function decode${name}(bytes: Uint8Array): ${name} {`,
    `  const reader = new Reader(bytes);`,
    `  const message = new${name}();`,
    `  fill${name}(reader, message);`,
    `  reader.done();`,
    `  return message;`,
    `}`,
    '',
    ...(REFILLED.has(name) ? writeRefill(type) : []),
  ];
}

/** Writes the function that fills a message again whose fields are scalars, or lists of messages that hold nothing but scalars. */
function writeRefill(type) {
  const { name } = type;
  const fields = fieldsOf(type);
  const lists = fields.filter(({ record }) => record);
  const texts = (record) => fieldsOf(record).filter(({ statement }) => statement.includes('.string()'));
  return [
    ...[...new Set(lists.map(({ record }) => record))].flatMap((record) => [
      `function refill${record.name}(reader: Reader, messages: ${record.name}[], at: number): void {`,
      `  const outer = reader.enter();`,
      `  let message = messages[at];`,
      `  if (message === undefined) messages.push((message = new${record.name}()));`,
      // Its texts are mostly those that stood there before.
      ...texts(record).map((field) => `  const ${field.name} = message.${field.name};`),
      ...fieldsOf(record).map((field) => `  message.${field.name} = ${field.initial};`),
      ...loop(record.name, fieldsOf(record), (field) =>
        field.statement.replace('.string()', `.stringLike(${field.name})`),
      ),
      `  reader.leave(outer);`,
      `}`,
      '',
    ]),
    `/**`,
    ` * As decode${name}, but fills a message anew, and the messages in it, which nobody may need any more.`,
    ` * @throws DecodeError when the bytes are no ${name}; what the message holds then stands for nothing.`,
    ` */`,
    `export function refill${name}(bytes: Uint8Array, message: ${name}): void {`,
    `  const reader = new Reader(bytes);`,
    ...fields.filter(({ record }) => !record).map((field) => `  message.${field.name} = ${field.initial};`),
    ...lists.map((field) => `  let ${field.name} = 0;`),
    ...loop(name, fields, ({ name: list, record, statement }) =>
      record ? `refill${record.name}(reader, message.${list}, ${list}++);` : statement,
    ),
    `  reader.done();`,
    ...lists.map((field) => `  message.${field.name}.length = ${field.name};`),
    `}`,
    '',
  ];
}

const HEAD = `// Made by proto/generate.js from proto/*.proto: do not edit.
import { Reader } from '../reader';

const NOTHING = new Uint8Array(0);

function open<T>(names: readonly T[], value: number): T | number {
  return value >= 0 && value < names.length ? names[value]! : value;
}

/** One entry of a map with text as its key (field 1) and a scalar as its value (field 2). */
function entry<T>(reader: Reader, map: Record<string, T>, wire: number, initial: T, read: (reader: Reader) => T): void {
  const outer = reader.enter();
  let key = '';
  let value = initial;
  while (reader.at < reader.end) {
    const tag = reader.tag();
    if (tag === 10) key = reader.string();
    else if (tag === 16 + wire) value = read(reader);
    else reader.skip(tag, [1, 2]);
  }
  reader.leave(outer);
  Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
}
`;

function generate() {
  const files = readdirSync(__dirname)
    .filter((file) => file.endsWith('.proto'))
    .sort();
  const root = new protobuf.Root();
  root.loadSync(files.map((file) => path.join(__dirname, file)));
  root.resolveAll();
  const { nestedArray } = root.lookup('brokerage.stream');
  const lines = nestedArray.flatMap((item) => (item instanceof protobuf.Enum ? writeEnum(item) : writeMessage(item)));
  writeIfChanged(path.join(__dirname, 'generated', 'messages.ts'), `${HEAD}\n${lines.join('\n')}`);
}

generate();
