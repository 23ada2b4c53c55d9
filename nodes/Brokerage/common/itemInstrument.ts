import { type Instrument, EXCHANGES, type Exchange } from '../../../client/instruments/instrument';
import type { ItemContext } from './itemContext';
import { isSince11 } from './version';
import { findInstrument, marketDate } from '../../shared/lookup';
import { moreInstrumentsOf } from '../../shared/instrumentField';
import type { Service } from '../../shared/service';

/**
 * The instrument of the field "Instrument", looked up once for all items of a run that name the same.
 * @throws as `findInstrument`
 */
export async function instrumentOf(item: ItemContext, service: Service): Promise<Instrument> {
  const { run, index } = item;
  const written = item.raw('instrument');
  const json = run.functions.getInputData()[index]?.json;
  const beside = [json?.symbol, json?.exchange].map((value) => (typeof value === 'string' ? value : ''));
  const key = [marketDate(service.transport), ...beside].join('\n');
  const known = run.instruments.get(written)?.get(key);
  if (known !== undefined) return known;
  const found = await findInstrument(service, written, 'instrument', item.label('instrument'), run.signal, {
    isRefId: isRefIdExpression(run.node.parameters.instrument),
    exchangeOf: (symbol) => (isSince11(item) ? exchangeBeside(symbol, item) : undefined),
  });
  run.instruments.set(written, (run.instruments.get(written) ?? new Map<string, Instrument>()).set(key, found));
  return found;
}

/** Returns true if a field contains an expression that reads a ref_id, as after dragging one into it. */
export function isRefIdExpression(written: unknown): boolean {
  const text = typeof written === 'object' && written !== null && 'value' in written ? written.value : written;
  return typeof text === 'string' && text.startsWith('=') && text.includes('ref_id');
}

/** The exchange of the item that comes in, where its own symbol is meant: a position on BSE is closed there. */
export function exchangeBeside(symbol: string, { run, index }: ItemContext): Exchange | undefined {
  const json = run.functions.getInputData()[index]?.json;
  return json?.symbol === symbol ? EXCHANGES.find((exchange) => exchange === json.exchange) : undefined;
}

/** The instrument of the field, and those of the option "More Instruments". @throws as `findInstrument` */
export async function findInstruments(item: ItemContext, service: Service): Promise<Instrument[]> {
  const { signal } = item.run;
  const found = [await instrumentOf(item, service)];
  for (const entry of moreInstrumentsOf(item))
    found.push(await findInstrument(service, entry, 'moreInstruments', item.label('moreInstruments'), signal));
  return found;
}
