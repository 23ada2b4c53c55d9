import { type Instrument, EXCHANGES, type Exchange } from '../../../client/instruments/instrument';
import type { ItemContext } from './itemContext';
import { isSince11 } from './version';
import { findInstrument } from '../../shared/lookup';
import { moreInstrumentsOf } from '../../shared/instrumentField';
import type { Service } from '../../shared/service';

/** The instrument of the field "Instrument". @throws as `findInstrument` */
export async function instrumentOf(item: ItemContext, service: Service): Promise<Instrument> {
  const label = item.label('instrument');
  return await findInstrument(service, item.raw('instrument'), 'instrument', label, item.run.signal, {
    isRefId: isRefIdExpression(item.run.node.parameters.instrument),
    exchangeOf: (symbol) => (isSince11(item) ? exchangeBeside(symbol, item) : undefined),
  });
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
