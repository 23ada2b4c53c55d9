/** JSON with 64-bit values: a list of orders whose ids and times have 19 digits. */
import jsonBigint from 'json-bigint';
import { parse as parseLossless } from 'lossless-json';
import { readJson } from '../client/values/json';
import type { MakeRow } from './row';

const COLOURS = ['ORDER_STATUS_FILLED', 'ORDER_STATUS_OPEN', 'ORDER_STATUS_REJECTED'];

/** One order as the service sends it. */
function order(number: number): string {
  const id = 1_763_712_345_678_000_000n + BigInt(number) * 7_919n;
  return `{"order_id":${id},"client_code":"C1","basket_id":0,"ref_id":${70_000 + number},"order_source":"ORDER_SOURCE_NORMAL","order_type":"ORDER_TYPE_REGULAR","order_side":"ORDER_SIDE_BUY","order_price":${150_000 + number},"order_qty":${number % 500},"leg_size":0,"filled_qty":0,"avg_filled_price":0,"order_status":"${COLOURS[number % 3]}","order_time":${id + 1n},"ack_time":${id + 2n},"filled_time":null,"last_modified":null,"updated_by":0,"order_delivery_type":"ORDER_DELIVERY_TYPE_CNC","display_name":"INFY","price_type":"LIMIT","validity_type":"DAY","exchange_order_id":${id + 3n},"exchange":"NSE","LTP":150005,"tag":"t-${number}"}`;
}

const make: MakeRow = ({ short }) => {
  const count = short ? 100 : 20_000;
  const bytes = Buffer.from(`[${Array.from({ length: count }, (_, number) => order(number)).join(',')}]`);
  const big = jsonBigint({ storeAsString: true });
  return {
    title: 'JSON with 64-bit values',
    work: `${count} orders, ${(bytes.length / 1e6).toFixed(1)} MB, from bytes to objects`,
    sides: [
      { name: 'ours', role: 'ours', run: () => readJson(bytes) },
      { name: 'JSON.parse (loses digits)', role: 'limit', run: () => JSON.parse(bytes.toString('utf8')) as unknown },
      { name: 'json-bigint', role: 'alternative', run: () => big.parse(bytes.toString('utf8')) as unknown },
      { name: 'lossless-json', role: 'alternative', run: () => parseLossless(bytes.toString('utf8')) },
    ],
    memory: true,
    goals: [
      { against: 'JSON.parse (loses digits)', times: 1.8 },
      { against: 'json-bigint', times: 1 / 2.5 },
    ],
  };
};
export default make;
