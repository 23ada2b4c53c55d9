import path from 'node:path';
import { loadSync, type Message } from 'protobufjs';

const root = loadSync(['envelope', 'orders'].map((name) => path.join(__dirname, '../../../proto', `${name}.proto`)));
const Any = root.lookupType('brokerage.stream.Any');
const Update = root.lookupType('brokerage.stream.SvcToClientIntentUpdate');

/** The order and its filled quantity, when a frame of the stream tells a fill. */
export function decodeFill(frame: Uint8Array): { orderId: string; filledQuantity: number } | undefined {
  const inner = Any.decode((Any.decode(frame) as Message & { value: Uint8Array }).value) as Message & {
    value: Uint8Array;
  };
  const { intentOrderResponse: order } = Update.toObject(Update.decode(inner.value), { longs: String }) as {
    intentOrderResponse: { intentOrderId: string; filledQty: string; tradeFill?: unknown };
  };
  return order.tradeFill === undefined
    ? undefined
    : { orderId: order.intentOrderId, filledQuantity: Number(order.filledQty) };
}
