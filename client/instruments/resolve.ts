/** Resolves the user's text to exactly one instrument, or throws an error; never guesses. */
import { InputError, NotListedError, type InstrumentChoice } from '../base/errors';
import { plainText, showValue, unfilledHint } from '../values/input';
import { istInstant } from '../values/time';
import { EXCHANGES, labelOf, type Exchange, type Instrument } from './instrument';
import { futuresRows } from './expiries';
import { cashRows, rootOfName, sharesSpeltLike } from './find-rows';
import { isUnexpired, NameSearch } from './name-search';
import { withoutLegalForm } from './names/companies';
import { soundsLikeIndex } from './names/index-aliases';
import { inSegment, readWrittenName, type Segment, type WrittenName } from './names/written-name';
import { searchInstruments } from './search';
import type { InstrumentStore } from './store';

/** Inputs of a lookup beside the instruments. */
export interface ResolveOptions {
  /** Today in India, YYYY-MM-DD. */
  today: string;
  /** The instant, milliseconds since the epoch; the beginning of the day if left out. */
  now?: number;
  /** The node parameter that an error names. */
  parameter?: string;
  /** Market that is named beside the text: only its kinds may be meant. */
  segment?: Segment;
}

type ResolvedOptions = Required<Omit<ResolveOptions, 'segment'>>;

/** Series of ordinary shares, in which a bare symbol is meant. */
const ORDINARY_SERIES = new Set(['EQ', 'A', 'B', 'X', 'XT', 'T', 'M', 'MT']);

/** Longest name of an instrument, its label included. */
export const MAX_NAME_LENGTH = 200;

/**
 * Returns the instrument that a name means, on one of the exchanges: a symbol, a label from a search, a platform name, an ISIN, a written
 * contract, an index by another name, a company by its name, each with an exchange or series if written (see names/). A name counts only if
 * all of it is understood. If several exchanges have it, the first wins; of several series of a share, the ordinary one.
 * @throws InputError if there is none (with the nearest ones), it has expired, or several match.
 */
export function resolveText(
  stores: readonly InstrumentStore[],
  text: string,
  { today, now = istInstant(today), parameter = 'instrument', segment = {} }: ResolveOptions,
): Instrument {
  const requested = plainText(text, parameter, { label: 'Instrument', longest: MAX_NAME_LENGTH });
  // Nothing is looked for, and nothing proposed, where an alert was not filled in.
  const unfilled = unfilledHint(requested);
  if (unfilled !== undefined)
    throw new InputError(
      `${showValue(requested)} ${requested.includes('{') ? 'is a placeholder, and no instrument' : 'names no instrument'}.`,
      { parameter, hint: unfilled },
    );
  if (requested.includes(LABEL_SEPARATOR)) return resolveLabel(stores, requested, { today, now, parameter });
  const written = readWrittenName(requested);
  if (written.length === 0 && requested.includes(':')) throw unknownExchange(requested, parameter);
  const names = written.flatMap((name) => inSegment(name, segment) ?? []);
  const search = new NameSearch(stores, now, parameter);
  for (const name of names) {
    const storeRows = search.find(name);
    if (storeRows !== undefined) return only(storeRows.store, storeRows.rows, requested.toUpperCase(), parameter);
  }
  throw search.failure ?? unknown(stores, requested.toUpperCase(), names, { today, now, parameter });
}

/** Returns the hint for an option without a word that says whether it is a call or a put, such as NIFTY DEC 25900; else undefined. */
function optionTypeHint(stores: readonly InstrumentStore[], requested: string, now: number): string | undefined {
  const search = new NameSearch(stores, now, 'instrument');
  if (!readWrittenName(`${requested} CE`).some((name) => search.find(name) !== undefined)) return undefined;
  return `Say whether it is a call or a put: ${requested} CE, or ${requested} PE.`;
}

/** Returns the hint for a contract without a word that says its kind, such as CRUDEOIL18DEC26; else undefined. */
function futureHint(stores: readonly InstrumentStore[], requested: string, now: number): string | undefined {
  const search = new NameSearch(stores, now, 'instrument');
  if (!readWrittenName(`${requested} FUT`).some((name) => search.find(name) !== undefined)) return undefined;
  return `Say what it is: ${requested} FUT for the future, or add strike and CE or PE for an option.`;
}

const LABEL_SEPARATOR = ' · ';

/** The exchange that a label names: "INFY · Infosys · NSE EQ"; undefined for another text. */
export function exchangeInLabel(text: string): Exchange | undefined {
  const words = text
    .split(LABEL_SEPARATOR)
    .slice(1)
    .map((part) => part.trim().split(' '));
  return words
    .filter(({ length }) => length === 2)
    .map(([first]) => EXCHANGES.find((exchange) => exchange === first))
    .find((exchange) => exchange !== undefined);
}

/** The instrument of a label as searches give it. Each part must say what the instrument is; only the lot may have changed. */
function resolveLabel(stores: readonly InstrumentStore[], label: string, options: ResolvedOptions): Instrument {
  const [first, ...others] = label.split(LABEL_SEPARATOR).map((part) => part.trim());
  const exchange = exchangeInLabel(label);
  const own = stores.filter((store) => exchange === undefined || store.exchange === exchange);
  const candidates = exchange === undefined ? [] : labelled(own, first!, options);
  const labelledInstrument = candidates.find((instrument) => agrees(instrument, others));
  if (labelledInstrument !== undefined) return labelledInstrument;
  throw new NotListedError(`There is no instrument ${showValue(label)} today.`, {
    parameter: options.parameter,
    hint:
      candidates[0] === undefined
        ? 'Pick the instrument again, or enter its symbol.'
        : `There is: ${candidates.slice(0, 3).map(labelOf).join('; ')}.`,
    choices: candidates.slice(0, 3).map(choiceOf),
  });
}

/** Returns the matches of the first part of a label: the share or index with that symbol, or the contract. */
function labelled(stores: readonly InstrumentStore[], text: string, options: ResolvedOptions): Instrument[] {
  const name = text.toUpperCase();
  const cash = stores.flatMap((store) =>
    store
      .rowsOfSymbol(name)
      .filter((row) => isUnexpired(store, row, options.today))
      .map((row) => store.instrument(row)),
  );
  return cash.length > 0 ? cash : [resolveText(stores, text, options)];
}

function agrees(instrument: Instrument, parts: readonly string[]): boolean {
  const own = labelOf(instrument)
    .split(LABEL_SEPARATOR)
    .map((part) => part.trim().toUpperCase());
  return parts.every((part) => own.includes(part.toUpperCase()) || /^lot \d{1,9}$/i.test(part));
}

function unknownExchange(text: string, parameter: string): InputError {
  return new InputError(`${showValue(text)} has no known exchange before its colon.`, {
    parameter,
    hint: `Known are ${EXCHANGES.join(', ')}, and NFO and BFO for contracts; CDS, BCD, NCDEX and exchanges abroad are not. Write one of them in front, such as NSE:INFY, or the symbol alone.`,
  });
}

function only(store: InstrumentStore, rows: readonly number[], requested: string, parameter: string): Instrument {
  if (rows.length === 1) return store.instrument(rows[0]!);
  const ordinary = rows.filter((row) => store.expiry(row) === 0 && ORDINARY_SERIES.has(store.series(row)));
  // A share that is called like an index is not taken for it.
  if (ordinary.length === 1 && rows.every((row) => store.kind(row) !== 'INDEX')) return store.instrument(ordinary[0]!);
  const choices = rows.slice(0, MAX_CHOICES).map((row) => store.instrument(row));
  const labels = choices.map((instrument) => `${labelOf(instrument)} (ref_id ${instrument.refId})`);
  throw new InputError(`${requested} can mean ${rows.length} instruments.`, {
    parameter,
    hint: `Give the ref_id or the full contract of one: ${labels.join('; ')}.`,
    choices: choices.map(choiceOf),
  });
}

/** Maximum number of matches named in an error. */
const MAX_CHOICES = 6;

function choiceOf(instrument: Instrument): InstrumentChoice {
  const { refId, exchange, symbol } = instrument;
  return { ref_id: refId, exchange, symbol, label: labelOf(instrument) };
}

function unknown(
  stores: readonly InstrumentStore[],
  requested: string,
  written: readonly WrittenName[],
  { today, now, parameter }: ResolvedOptions,
): NotListedError {
  const names = written.map(({ text }) => text);
  const futures = futuresOf(stores, written, now);
  const proposed = (): Instrument[] => proposals(stores, withoutLegalForm(requested), names, today);
  const near = futures.length > 0 || written.some(isOfContracts) ? futures : proposed();
  const labels = near.map(labelOf).join('; ');
  const hint =
    futures.length > 0
      ? `Only its contracts are traded${written.some(isOfContracts) ? ' there' : ''}. Name one, such as ${labels}.`
      : near.length > 0
        ? `Did you mean: ${labels}?`
        : names.some((name) => /^\d+$/.test(name))
          ? 'A number by which a broker or an exchange calls an instrument can mean another one tomorrow: give its symbol, such as INFY, or its contract, such as NIFTY 26NOV 24500 CE.'
          : (volatilityHint(requested) ??
            currencyHint(requested) ??
            optionTypeHint(stores, requested, now) ??
            futureHint(stores, requested, now) ??
            'Search for it with "Instrument: Search", or give a symbol such as INFY or a contract such as NIFTY 26NOV 24500 CE.');
  const exchanges = stores.map((store) => store.exchange).join(', ');
  return new NotListedError(`There is no instrument ${showValue(requested)} on ${exchanges} today.`, {
    parameter,
    hint: `${foreignLetterHint(requested)}${hint}`,
    choices: near.map(choiceOf),
  });
}

/** Returns true for a name on a market of contracts alone: NFO:INFY. */
const isOfContracts = ({ kinds }: WrittenName): boolean => kinds?.includes('STOCK') === false && kinds.includes('FUT');

/** Returns where volatility is, for the name of an index of it: INDIA VIX. */
function volatilityHint(requested: string): string | undefined {
  return /\bVIX$|INDIAVIX/i.test(requested)
    ? 'The service has no index of volatility in its list. "Quote: Get IV Skew Over Time" gives iv_at_the_money of NIFTY, and the trigger "Option Chain" alerts on IV at the Money.'
    : undefined;
}

/** Returns that there are no currencies, for the name of a pair or of a contract on one: USDINR, NSE:EURINR26DECFUT. */
function currencyHint(requested: string): string | undefined {
  return /(?:^|[^A-Z])(?:USD|EUR|GBP|JPY)[ /]?INR(?![A-Z]{4})/.test(requested)
    ? "The service's list has no currencies, nor futures and options on them: they cannot be traded with it."
    : undefined;
}

/** A letter of another alphabet, which may look like one of the name: the C of Cyrillic. */
const FOREIGN_LETTER = /(?=\p{L})\P{Script=Latin}/u;

function foreignLetterHint(requested: string): string {
  const [letter] = FOREIGN_LETTER.exec(requested.normalize('NFKC')) ?? [];
  return letter === undefined
    ? ''
    : `The letter ${showValue(letter)} in it is one of another alphabet, even if it looks alike: type the name again. `;
}

/** Maximum number of instruments proposed. */
const MAX_PROPOSALS = 3;

/** Returns the futures on an underlying with this name that is not listed itself: GOLDM, NFO:INFY. */
function futuresOf(stores: readonly InstrumentStore[], names: readonly WrittenName[], now: number): Instrument[] {
  for (const store of stores)
    for (const name of names) {
      const root = rootOfName(store, name.text);
      const isListed = root !== undefined && cashRows(store, root).length > 0 && !isOfContracts(name);
      const rows = root === undefined || isListed ? [] : futuresRows(store, root, now);
      if (rows.length > 0) return rows.slice(0, MAX_PROPOSALS).map((row) => store.instrument(row));
    }
  return [];
}

/** Returns instruments with a similar name: shares only, since another index or contract is never the intended one. */
function proposals(
  stores: readonly InstrumentStore[],
  requested: string,
  names: readonly string[],
  today: string,
): Instrument[] {
  if (soundsLikeIndex(requested)) return [];
  // T.C.S. has words of one letter, with which many names begin.
  const hits = /[\p{L}\p{N}]{3}/u.test(requested)
    ? searchInstruments(stores, requested, { today, limit: MAX_PROPOSALS, kinds: ['STOCK'] })
    : [];
  const called = hits.map(({ store, row }) => store.instrument(row));
  if (called.length > 0) return called;
  return stores
    .flatMap((store) => names.flatMap((name) => sharesSpeltLike(store, name)))
    .filter(({ refId }, at, all) => all.findIndex((other) => other.refId === refId) === at)
    .sort((one, other) => Number(names.includes(other.symbol)) - Number(names.includes(one.symbol)))
    .slice(0, MAX_PROPOSALS);
}

/** The instrument with a ref_id, and the exchange's store that has it. @throws InputError if there is none, or it has expired. */
export function resolveRefId(
  stores: readonly InstrumentStore[],
  refId: number,
  { today, parameter = 'instrument' }: ResolveOptions,
): Instrument {
  for (const store of stores) {
    const row = store.rowOfRefId(refId);
    if (row < 0) continue;
    const instrument = store.instrument(row);
    if (isUnexpired(store, row, today)) return instrument;
    throw new InputError(
      `The instrument with ref_id ${refId} (${instrument.symbol}) expired on ${instrument.expiry}.`,
      {
        parameter,
        hint: 'Choose a contract that has not expired.',
      },
    );
  }
  throw new NotListedError(
    `There is no instrument with ref_id ${refId} on ${stores.map((store) => store.exchange).join(', ')} today.`,
    {
      parameter,
      hint: 'ref_ids differ between environments and can change from day to day: pick the instrument again in this environment.',
    },
  );
}

/** An instrument that was picked earlier: its ref_id counts only in its environment. */
export interface PickedInstrument {
  environment: string;
  exchange: string;
  refId: number;
  symbol: string;
}

/**
 * The instrument that was picked earlier, when it is still the same one.
 * @param environment the environment of the credential now.
 * @throws InputError if it was picked in another environment, or its ref_id belongs to another instrument by now.
 */
export function resolvePicked(
  stores: readonly InstrumentStore[],
  remembered: PickedInstrument,
  environment: string,
  options: ResolveOptions,
): Instrument {
  const { parameter = 'instrument' } = options;
  if (remembered.environment !== environment) {
    throw new InputError(
      `${remembered.symbol} was picked in the environment ${remembered.environment}, but the credential is for ${environment}.`,
      {
        parameter,
        hint: 'ref_ids differ between environments: pick the instrument again with this credential, or give its symbol instead.',
      },
    );
  }
  const instrument = resolveRefId(
    stores.filter((store) => store.exchange === remembered.exchange),
    remembered.refId,
    options,
  );
  if (instrument.symbol === remembered.symbol) return instrument;
  throw new InputError(
    `ref_id ${remembered.refId} was ${remembered.symbol} when it was picked, and is ${instrument.symbol} today.`,
    {
      parameter,
      hint: 'Pick the instrument again.',
    },
  );
}
