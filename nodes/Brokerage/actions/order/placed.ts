/** The outcome of placing, as an output item or an error. */
import type { Instrument } from '../../../../client/instruments/instrument';
import { orderBody, type OrderTerms } from '../../../../client/orders/order';
import type { Outcome } from '../../../../client/orders/outcome';
import type { Endpoint } from '../../../../client/endpoints';
import type { Environment } from '../../../../client/session/settings';
import type { JsonObject } from '../../../../client/values/json';
import type { MoneyUnit } from '../../../../client/values/money';
import { orderOutput } from './output';

export interface OutputOptions {
  unit: MoneyUnit;
  simplify: boolean;
  environment: Environment;
}

/** An order that the service has. */
export function placedOutput(
  outcome: Extract<Outcome, { outcome: 'confirmed' }>,
  instrument: Instrument,
  options: OutputOptions,
): JsonObject {
  return {
    ...orderOutput(outcome.order, options),
    ...(options.simplify ? { symbol: instrument.symbol, exchange: instrument.exchange } : {}),
    tag: outcome.tag,
    already_placed: outcome.alreadyPlaced,
  };
}

/** What would be sent, of an order that is only shown. */
export function dryRunOutput(
  { method, path }: Endpoint,
  terms: OrderTerms,
  tag: string,
  instrument: Instrument,
  environment: Environment,
): object {
  return {
    dry_run: true,
    symbol: instrument.symbol,
    exchange: instrument.exchange,
    tag,
    would_send: { method, path, body: orderBody(terms, tag) },
    environment,
  };
}
