import type { ExchangeCode } from '../market/reference/types';
import { ApiError } from './errors';

const EXCHANGES: readonly string[] = ['NSE', 'BSE', 'MCX'];

/** The exchange of a query; NSE when it is left out. @throws ApiError 400 */
export function exchangeOf(text: unknown): ExchangeCode {
  if (text === undefined || text === null || text === '') return 'NSE';
  // A query that names it twice is a list.
  const code = String(text).toUpperCase();
  if (!EXCHANGES.includes(code)) throw new ApiError(400, `exchange must be NSE, BSE or MCX, not "${String(text)}"`);
  return code as ExchangeCode;
}

/** A change of an order names its exchange (docs/service/orders-v2.md#modify-order). @throws ApiError 400 */
export function onExchange(requested: string, exchange: string | undefined, what: string): void {
  if (exchangeOf(requested) !== exchange)
    throw new ApiError(400, `exchange must be ${exchange}, which ${what} is on, not "${requested}"`);
}

/** An identifier of a path or body. @throws ApiError 400 */
export function idOf(name: string, value: string | number): bigint {
  const text = String(value);
  if (!/^\d{1,19}$/.test(text)) throw new ApiError(400, `${name} must be a whole number of up to 19 digits`);
  return BigInt(text);
}

/** A whole number of a query or path. @throws ApiError 400 */
export function wholeOf(name: string, text: string | undefined, otherwise: number, max: number): number {
  if (text === undefined || text === '') return otherwise;
  const number = Number(text);
  if (!/^\d{1,15}$/.test(text) || number > max)
    throw new ApiError(400, `${name} must be a whole number from 0 to ${max}`);
  return number;
}
