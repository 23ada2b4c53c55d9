import type { Instrument } from '../../../client/instruments/instrument';
import { segmentCalled, type Segment } from '../../../client/instruments/names/written-name';
import { attempt } from '../../../client/attempt';
import { InputError } from '../../../client/base/errors';
import { showValue } from '../../../client/values/input';
import type { ItemContext } from './itemContext';
import { isSince11 } from './version';
import { findInstrument, marketDate } from '../../shared/lookup';
import { MAX_INSTRUMENTS, moreInstrumentsOf } from '../../shared/instrumentField';
import type { Service } from '../../shared/service';

/**
 * The instrument of the field "Instrument", looked up once for all items of a run that name the same.
 * @throws as `findInstrument`
 */
export async function instrumentOf(item: ItemContext, service: Service): Promise<Instrument> {
  const { run } = item;
  const written = item.raw('instrument');
  const beside = besideIn(item).map(({ symbol, exchange }) => `${symbol}\n${exchange}`);
  const key = [marketDate(service.transport), ...beside].join('\n');
  const known = run.instruments.get(written)?.get(key);
  if (known !== undefined) return known;
  const looked = await attempt(
    findInstrument(service, written, 'instrument', item.label('instrument'), run.signal, {
      isRefId: isRefIdExpression(run.node.parameters.instrument),
      segmentOf: (symbol) => (isSince11(item) ? segmentBeside(symbol, item) : undefined),
    }),
  );
  if (!looked.ok) {
    const several = symbolsIn(written);
    if (several.length < 2 || !(looked.error instanceof InputError)) throw looked.error;
    throw new InputError(
      `Instrument names ${several.length} instruments (${shortList(several)}), and takes one here.`,
      {
        parameter: 'instrument',
        hint: 'Put "Quote: Get Current Price" in front: it takes several and gives an item for each. Then set Instrument here to the symbol of the item.',
      },
    );
  }
  const found = looked.value;
  run.instruments.set(written, (run.instruments.get(written) ?? new Map<string, Instrument>()).set(key, found));
  return found;
}

/** Returns true if a field contains an expression that reads a ref_id, as after dragging one into it. */
export function isRefIdExpression(written: unknown): boolean {
  const text = typeof written === 'object' && written !== null && 'value' in written ? written.value : written;
  return typeof text === 'string' && text.startsWith('=') && text.includes('ref_id');
}

/** Names of the field in which items and alerts have a symbol. */
const SYMBOL_KEYS = ['symbol', 'ticker'] as const;

/** The symbols of the item that comes in, each with the exchange beside it: its own, and those in the body that n8n's Webhook took. */
function besideIn({ run, index }: Pick<ItemContext, 'run' | 'index'>): { symbol: string; exchange: string }[] {
  const json = run.functions.getInputData()[index]?.json;
  const holders: unknown[] = [json, json?.body];
  return holders.flatMap((holder) => {
    if (typeof holder !== 'object' || holder === null) return [];
    const { exchange, ...fields } = holder as Record<string, unknown>;
    return typeof exchange !== 'string'
      ? []
      : SYMBOL_KEYS.flatMap((key) => {
          const symbol = fields[key];
          return typeof symbol === 'string' ? [{ symbol: symbol.trim(), exchange }] : [];
        });
  });
}

/**
 * The market of the item that comes in, where its own symbol is meant: a position on BSE is closed there, and INFY of NFO is no share.
 * @throws InputError for one that is not traded on here: INFY of NYSE is another share
 */
export function segmentBeside(symbol: string, item: Pick<ItemContext, 'run' | 'index'>): Segment | undefined {
  const written =
    besideIn(item)
      .find((beside) => beside.symbol === symbol)
      ?.exchange.trim() ?? '';
  const segment = segmentCalled(written);
  if (segment === undefined && written !== '')
    throw new InputError(`The exchange beside ${symbol} is ${showValue(written)}, which is not NSE, BSE or MCX.`, {
      parameter: 'instrument',
      hint: 'Send the symbol with the right exchange, or without one for NSE.',
    });
  return segment;
}

/** Returns the symbols of a text that names several, as scanners send them: `RELIANCE,TCS`. Contracts in words have blanks. */
function symbolsIn(written: unknown): string[] {
  const text = typeof written === 'object' && written !== null && 'value' in written ? written.value : written;
  const symbols = typeof text === 'string' ? text.split(',').map((part) => part.trim()) : [];
  const named = symbols.filter((symbol) => symbol !== '');
  return named.length > 1 && named.every((symbol) => !/\s/.test(symbol)) ? named : [];
}

const MAX_SHOWN = 3;
const shortList = (symbols: readonly string[]): string =>
  symbols.length > MAX_SHOWN ? `${symbols.slice(0, MAX_SHOWN).join(', ')}, …` : symbols.join(', ');

/** Returns the instrument of the field, or all that it names. @throws as `findInstrument` */
async function ownInstruments(item: ItemContext, service: Service): Promise<Instrument[]> {
  const symbols = symbolsIn(item.raw('instrument'));
  if (symbols.length > MAX_INSTRUMENTS)
    throw new InputError(`Instrument has ${symbols.length} instruments; one item takes at most ${MAX_INSTRUMENTS}.`, {
      parameter: 'instrument',
      hint: 'Spread them over several items.',
    });
  const found: Instrument[] = [];
  for (const symbol of symbols)
    found.push(await findInstrument(service, symbol, 'instrument', item.label('instrument'), item.run.signal));
  return found.length > 0 ? found : [await instrumentOf(item, service)];
}

/** The instrument of the field, or all that it names, and those of the option "More Instruments". @throws as `findInstrument` */
export async function findInstruments(item: ItemContext, service: Service): Promise<Instrument[]> {
  const { signal } = item.run;
  const found = await ownInstruments(item, service);
  for (const entry of moreInstrumentsOf(item))
    found.push(await findInstrument(service, entry, 'moreInstruments', item.label('moreInstruments'), signal));
  return found;
}
