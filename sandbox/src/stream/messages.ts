import { existsSync } from 'node:fs';
import path from 'node:path';
import { loadSync, type Root, type Type } from 'protobufjs';

/** The .proto files: beside the compiled sandbox, or in the project when it runs from its sources. */
function protoFolder(): string {
  const built = path.join(__dirname, '..', 'proto');
  return existsSync(built) ? built : path.join(__dirname, '..', '..', '..', 'proto');
}

/** The messages of the streams, read from the .proto files. */
export class Messages {
  private readonly root: Root;
  private readonly any: Type;

  constructor() {
    const folder = protoFolder();
    this.root = loadSync(
      ['envelope', 'orders', 'portfolio', 'market'].map((name) => path.join(folder, `${name}.proto`)),
    );
    this.any = this.type('Any');
  }

  type(name: string): Type {
    return this.root.lookupType(`brokerage.stream.${name}`);
  }

  /** Number of an enum's value; the name is the full one. */
  number(enumName: string, value: string): number {
    const number = this.root.lookupEnum(`brokerage.stream.${enumName}`).values[value];
    if (number === undefined) throw new Error(`${enumName} has no ${value}`);
    return number;
  }

  /** An Any that holds a message. */
  outer(typeName: string, message: Uint8Array): Uint8Array {
    return this.any.encode({ typeUrl: `type.googleapis.com/stream.${typeName}`, value: message }).finish();
  }

  /** A frame: an Any that holds an Any that holds the message (specification: Events, Connecting, rule 5). */
  frame(typeName: string, message: Uint8Array): Uint8Array {
    return this.any
      .encode({ typeUrl: 'type.googleapis.com/google.protobuf.Any', value: this.outer(typeName, message) })
      .finish();
  }
}

/** A 64-bit value as protobufjs takes it, with every digit. */
export function long(value: bigint): { low: number; high: number; unsigned: boolean } {
  return { low: Number(BigInt.asIntN(32, value)), high: Number(BigInt.asIntN(32, value >> 32n)), unsigned: false };
}
