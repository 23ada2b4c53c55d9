/** Order-update frames to the final JSON: ours in one step, the others by decoding and then converting. */
import { createFileRegistry, fromBinary, toJson, type DescMessage } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import 'protobufjs/ext/descriptor';
import protobuf from 'protobufjs';
import { readFrame } from '../client/stream/account-feed/frames';
import type { MakeRow } from './row';
import { protobufAnyType, fullFrame, streamSchema, orderUpdateType } from './support/frames';

type AnyMessage = protobuf.Message & { value: Uint8Array };
interface DescriptorSet extends protobuf.Message {
  $type: protobuf.Type;
  file: { package: string; messageType?: { field?: { typeName?: string }[] }[] }[];
}
type WithDescriptor = protobuf.Root & { toDescriptor(edition: string): DescriptorSet };

/** The types for the other library, from the descriptors that the first one makes of the same .proto files. */
function bufbuildTypes(): { any: DescMessage; update: DescMessage } {
  const set = (streamSchema as WithDescriptor).toDescriptor('proto3');
  // The other library wants the names of types in full.
  for (const file of set.file) {
    for (const iFieldDescriptorProto of (file.messageType ?? []).flatMap(({ field }) => field ?? [])) {
      if (iFieldDescriptorProto.typeName)
        iFieldDescriptorProto.typeName = `.${file.package}.${iFieldDescriptorProto.typeName.split('.').at(-1)}`;
    }
  }
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, set.$type.encode(set).finish()));
  const of = (name: string): DescMessage => registry.getMessage(`brokerage.stream.${name}`) as DescMessage;
  return { any: of('Any'), update: of('SvcToClientIntentUpdate') };
}

const make: MakeRow = ({ short }) => {
  const count = short ? 100 : 20_000;
  const frames = Array.from({ length: count }, (_, number) => fullFrame(number));
  const inner = (bytes: Uint8Array): Uint8Array =>
    (protobufAnyType.decode((protobufAnyType.decode(bytes) as AnyMessage).value) as AnyMessage).value;
  const each = (read: (frame: Buffer) => unknown): void => frames.forEach((frame) => read(frame));
  const { any, update } = bufbuildTypes();
  const value = (bytes: Uint8Array): Uint8Array => (fromBinary(any, bytes) as unknown as { value: Uint8Array }).value;
  return {
    title: 'Order-update frames to final JSON',
    work: `${count} frames of ${frames[0]?.length} bytes, both envelopes included`,
    sides: [
      { name: 'ours', role: 'ours', run: () => each(readFrame) },
      {
        name: 'protobufjs decode alone',
        role: 'limit',
        run: () => each((frame) => orderUpdateType.decode(inner(frame))),
      },
      {
        name: 'protobufjs decode + toObject',
        role: 'alternative',
        run: () =>
          each((frame) =>
            orderUpdateType.toObject(orderUpdateType.decode(inner(frame)), {
              defaults: true,
              enums: String,
              longs: String,
            }),
          ),
      },
      {
        name: '@bufbuild/protobuf toJson',
        role: 'alternative',
        run: () =>
          each((frame) => toJson(update, fromBinary(update, value(value(frame))), { alwaysEmitImplicit: true })),
      },
    ],
    memory: true,
    goals: [
      { against: 'protobufjs decode alone', times: 1.2 },
      { against: 'protobufjs decode + toObject', times: 1 / 4 },
      { against: '@bufbuild/protobuf toJson', times: 1 / 4 },
    ],
  };
};
export default make;
