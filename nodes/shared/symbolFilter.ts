/** The filter of symbols: each name is understood before it chooses anything, so that one that means nothing is no silent "none". */
import { attempt } from '../../client/attempt';
import { EXCHANGES } from '../../client/instruments/instrument';
import { withoutInvisible } from '../../client/values/trim-end';
import { readInstrument } from './instrumentField';
import { listOf } from './lists';
import { findInstrument } from './lookup';
import type { ParameterReader } from './parameters';
import { emptyFilterError } from './selection';
import type { Service } from './service';

/** The names of an order's or a position's instrument, capitals, and its exchange; '' where it is not known. */
export interface NamedInstrument {
  names: readonly string[];
  exchange: string;
}

/** Returns true for an instrument that the filter chooses; for any where it is not set. */
export type SymbolFilter = (instrument: NamedInstrument) => boolean;

/** Meaning of one name. */
interface Meaning {
  names: readonly string[];
  /** Left out if any exchange is meant. */
  exchange?: string;
}

/** Returns true if an exchange has a symbol or an underlying with exactly this name. @param name capitals */
async function isListed(service: Service, name: string, signal?: AbortSignal): Promise<boolean> {
  for (const exchange of EXCHANGES) {
    const list = await listOf(service, exchange, signal);
    if (list.findRoot(name) >= 0 || list.rowsOfSymbol(name).length > 0) return true;
  }
  return false;
}

/** Returns the meaning of a name that is no symbol: NSE:INFY, an ISIN, a contract in words. @throws InputError as `findInstrument` */
async function meaningOf(
  service: Service,
  name: string,
  { parameter, label, signal }: { parameter: string; label: string; signal?: AbortSignal },
): Promise<Meaning> {
  const { kind, symbol, asset, exchange } = await findInstrument(service, name, parameter, label, signal);
  const isContract = kind === 'FUT' || kind === 'OPT';
  const names = (isContract ? [symbol] : [symbol, asset]).map((text) => text.toUpperCase());
  const reference = readInstrument(name, parameter, label);
  return { names: names.filter((text) => text !== ''), ...(reference.exchange === undefined ? {} : { exchange }) };
}

/**
 * The filter that a field sets: symbols or underlyings with commas or semicolons between them, also as other programs write them.
 * @param shown names in the list that is filtered, capitals: what it holds needs no list of instruments.
 * @throws InputError for a name that no exchange has, and for a field with signs alone: all would be chosen, or none.
 */
export async function symbolFilterOf(
  fields: ParameterReader,
  parameter: string,
  service: Service,
  { signal, shown = [] }: { signal?: AbortSignal; shown?: readonly string[] } = {},
): Promise<SymbolFilter> {
  const text = fields.optionalText(parameter);
  if (text === undefined) return () => true;
  const label = fields.label(parameter);
  const written = withoutInvisible(text)
    .split(/[,;]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (written.length === 0) throw emptyFilterError(label, parameter);
  const meanings: Meaning[] = [];
  for (const name of written) {
    const own: Meaning = { names: [name.toUpperCase()] };
    const isKnown = own.names.some((instrumentName) => shown.includes(instrumentName));
    const looked = await attempt(isKnown ? Promise.resolve(true) : isListed(service, own.names[0]!, signal));
    // Without the lists the name counts unchanged.
    meanings.push(looked.ok && !looked.value ? await meaningOf(service, name, { parameter, label, signal }) : own);
  }
  return ({ names, exchange }) =>
    meanings.some(
      (meaning) =>
        meaning.names.some((name) => names.includes(name)) &&
        (meaning.exchange === undefined || exchange === '' || meaning.exchange === exchange),
    );
}
