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
  const key = [marketDate(service.transport), exchangeBeside(textOf(written), item)].join('\n');
  const cachedInstrument = run.instruments.get(written)?.get(key);
  if (cachedInstrument !== undefined) return cachedInstrument;
  const looked = await attempt(
    findInstrument(service, written, 'instrument', item.label('instrument'), run.signal, {
      isRefId: isRefIdExpression(run.node.parameters.instrument),
      segmentOf: (symbol) => segmentBeside(symbol, item, 'instrument'),
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
  const instrument = looked.value;
  run.instruments.set(written, (run.instruments.get(written) ?? new Map<string, Instrument>()).set(key, instrument));
  return instrument;
}

/** Returns true if a field contains an expression that reads a ref_id, as after dragging one into it. */
export function isRefIdExpression(written: unknown): boolean {
  const text = typeof written === 'object' && written !== null && 'value' in written ? written.value : written;
  return typeof text === 'string' && text.startsWith('=') && text.includes('ref_id');
}

/** The text of an instrument field, in any of its modes. */
function textOf(written: unknown): string {
  const text = typeof written === 'object' && written !== null && 'value' in written ? written.value : written;
  return typeof text === 'string' || typeof text === 'number' ? String(text).trim() : '';
}

/** Names of the field in which items, sheets, alerts and answers of brokers have an exchange: small letters alone, the plainest first. */
const EXCHANGE_KEYS = ['exchange', 'exch', 'exchangesegment', 'exchseg', 'exseg', 'exchangecode'];
const lettersOf = (key: string): string => key.toLowerCase().replace(/[^a-z]/g, '');
/** Number of objects inside each other in which a symbol is looked for: an item, the body that n8n's Webhook took, what lies in it. */
const MAX_DEPTH = 3;

/**
 * Returns the exchange beside a symbol: in the object of the item that comes in in which another field, whatever its name, holds the symbol.
 * @returns '' if there is none
 */
function exchangeBeside(symbol: string, { run, index }: Pick<ItemContext, 'run' | 'index'>): string {
  return symbol === '' ? '' : (exchangeIn(run.functions.getInputData()[index]?.json, symbol, MAX_DEPTH) ?? '');
}

function exchangeIn(holder: unknown, symbol: string, depth: number): string | undefined {
  if (depth === 0 || typeof holder !== 'object' || holder === null || Array.isArray(holder)) return undefined;
  const fields = Object.entries(holder).map(([key, value]: [string, unknown]) => ({ name: lettersOf(key), value }));
  const texts = fields.flatMap(({ name, value }) =>
    typeof value === 'string' && value.trim() !== '' ? [{ name, value: value.trim() }] : [],
  );
  if (texts.some(({ name, value }) => value === symbol && !EXCHANGE_KEYS.includes(name)))
    for (const key of EXCHANGE_KEYS) {
      const exchange = texts.find(({ name }) => name === key)?.value;
      if (exchange !== undefined) return exchange;
    }
  for (const { value } of fields) {
    const found = exchangeIn(value, symbol, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The market of the item that comes in, where its own symbol is meant: a position on BSE is closed there, and INFY of NFO is no share.
 * @param parameter the field that an error names
 * @returns undefined if none is beside it, and for a workflow that a former version saved
 * @throws InputError for one that is not traded on here: INFY of NYSE is another share
 */
export function segmentBeside(symbol: string, item: ItemContext, parameter: string): Segment | undefined {
  if (!isSince11(item)) return undefined;
  const written = exchangeBeside(symbol, item);
  const segment = segmentCalled(written);
  if (segment === undefined && written !== '')
    throw new InputError(`The exchange beside ${symbol} is ${showValue(written)}, which is not NSE, BSE or MCX.`, {
      parameter,
      hint: 'Send the symbol with the right exchange, or without one for NSE.',
    });
  return segment;
}

/** Returns the symbols of a text that names several, as scanners send them: `RELIANCE,TCS`. Contracts in words have blanks. */
function symbolsIn(written: unknown): string[] {
  const symbols = textOf(written)
    .split(',')
    .map((part) => part.trim());
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
  const instruments: Instrument[] = [];
  // The exchange is beside the whole list.
  const segmentOf = (): Segment | undefined => segmentBeside(textOf(item.raw('instrument')), item, 'instrument');
  for (const symbol of symbols)
    instruments.push(
      await findInstrument(service, symbol, 'instrument', item.label('instrument'), item.run.signal, { segmentOf }),
    );
  return instruments.length > 0 ? instruments : [await instrumentOf(item, service)];
}

/** The instrument of the field, or all that it names, and those of the option "More Instruments". @throws as `findInstrument` */
export async function findInstruments(item: ItemContext, service: Service): Promise<Instrument[]> {
  const { signal } = item.run;
  const instruments = await ownInstruments(item, service);
  for (const entry of moreInstrumentsOf(item))
    instruments.push(await findInstrument(service, entry, 'moreInstruments', item.label('moreInstruments'), signal));
  return instruments;
}
