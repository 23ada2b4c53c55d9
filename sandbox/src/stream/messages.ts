import { existsSync } from 'node:fs';
import path from 'node:path';
import type { SandboxOptions } from '../simulation/options';
import { loadSync, type Root, type Type } from 'protobufjs';

/** The .proto files: beside the compiled sandbox, or in the project when it runs from its sources. */
function protoFolder(): string {
  const built = path.join(__dirname, '..', 'proto');
  return existsSync(built) ? built : path.join(__dirname, '..', '..', '..', 'proto');
}

/** Root of the .proto files: the same for every sandbox of a process, and slow to read. */
let read: Root | undefined;

function protocol(): Root {
  const folder = protoFolder();
  read ??= loadSync(['envelope', 'orders', 'portfolio', 'market'].map((name) => path.join(folder, `${name}.proto`)));
  return read;
}

/** The messages of the streams, read from the .proto files. */
export class Messages {
  private readonly root = protocol();
  private readonly any: Type;
  private readonly generic: Type;
  /** Text before the name of a message, with the maker's two words (docs/service/streams.md#frame-envelope). */
  private readonly prefix: string;
  /** Types that were looked up, by name: protobufjs searches all names for each. */
  private readonly types = new Map<string, Type>();
  private readonly enums = new Map<string, Record<string, number>>();

  constructor({ platformWord, serviceWord }: Pick<SandboxOptions, 'platformWord' | 'serviceWord'>) {
    this.prefix = `type.googleapis.com/protos.${platformWord}securities.${serviceWord}frontend.`;
    this.any = this.type('Any');
    this.generic = this.type('GenericData');
  }

  type(name: string): Type {
    const known = this.types.get(name);
    if (known !== undefined) return known;
    const type = this.root.lookupType(`brokerage.stream.${name}`);
    this.types.set(name, type);
    return type;
  }

  /** Number of an enum's value; the name is the full one. */
  number(enumName: string, value: string): number {
    const values = this.enums.get(enumName) ?? this.root.lookupEnum(`brokerage.stream.${enumName}`).values;
    this.enums.set(enumName, values);
    const number = values[value];
    if (number === undefined) throw new Error(`${enumName} has no ${value}`);
    return number;
  }

  /** A frame of orders or portfolios: an Any that holds an Any that holds the message (docs/service/streams.md#connecting). */
  frame(typeName: string, message: Uint8Array): Uint8Array {
    const inner = this.any.encode({ typeUrl: this.prefix + typeName, value: message }).finish();
    return this.any.encode({ typeUrl: 'type.googleapis.com/google.protobuf.Any', value: inner }).finish();
  }

  /** A frame of market data: GenericData, which are the same two levels (docs/service/streams.md#frame-envelope). */
  marketFrame(key: string, typeName: string, body: object): Uint8Array {
    const value = this.type(typeName).encode(body).finish();
    return this.generic.encode({ key, data: { typeUrl: this.prefix + typeName, value } }).finish();
  }
}

/** A 64-bit value as protobufjs takes it, with every digit. */
export function protobufLong(value: bigint): { low: number; high: number; unsigned: boolean } {
  return { low: Number(BigInt.asIntN(32, value)), high: Number(BigInt.asIntN(32, value >> 32n)), unsigned: false };
}
