import type { INodeParameterResourceLocator, INodeProperties } from 'n8n-workflow';
import { InputError } from '../../client/base/errors';
import type { Environment } from '../../client/session/settings';
import type { Exchange } from '../../client/instruments/instrument';
import { exchangeInName } from '../../client/instruments/names/written-name';
import { exchangeInLabel, MAX_NAME_LENGTH } from '../../client/instruments/resolve';
import { isAbsent, type ParameterReader } from './parameters';

/** The picker for an instrument: searchable, by reference id, or by symbol or contract. */
export const instrumentField: INodeProperties = {
  displayName: 'Instrument',
  name: 'instrument',
  type: 'resourceLocator',
  default: { mode: 'list', value: '' },
  required: true,
  description:
    'The share, index, future or option: pick it from the list, or enter a symbol such as NSE:INFY or a contract such as NIFTY 26NOV 24500 CE',
  modes: [
    {
      displayName: 'From List',
      name: 'list',
      type: 'list',
      placeholder: 'Type a symbol, a name or a contract',
      typeOptions: { searchListMethod: 'searchInstruments', searchable: true, searchFilterRequired: true },
    },
    {
      displayName: 'By Symbol',
      name: 'symbol',
      type: 'string',
      placeholder: 'e.g. INFY, BSE:INFY or NIFTY 26NOV 24500 CE',
      hint: 'A trading symbol or a contract. For an exchange other than NSE, put it in front: BSE:INFY.',
    },
    {
      displayName: 'By ID',
      name: 'id',
      type: 'string',
      placeholder: 'e.g. 70115',
      hint: 'The ref_id of the instrument. It differs between environments: take it from this environment.',
    },
  ],
};

/** The requested instrument, before it is looked up. */
export type InstrumentReference =
  | { by: 'refId'; refId: number; exchange?: Exchange; symbol?: string; environment?: Environment }
  | { by: 'text'; text: string; exchange?: Exchange };

/** An instrument together with its environment, as one text: what the picker stores and the outputs carry. */
export function instrumentKey(environment: Environment, exchange: string, refId: number, symbol: string): string {
  return [environment, exchange, refId, symbol].join('/');
}

const KEY = /^(live|sandbox|uat)\/(BSE|MCX|NSE)\/(\d{1,15})\/(.+)$/;

/** Codes of BSE have six digits, tokens of exchanges up to six: what is longer can only be a ref_id. */
const MAX_CODE_DIGITS = 6;

/**
 * Returns the content of the instrument field, in any of its modes; an expression may give a bare value too.
 * @param isRefId true if digits are certainly a ref_id, because the expression says so.
 * @throws InputError if it is empty or is no reference.
 */
export function readInstrument(value: unknown, parameter: string, label: string, isRefId = false): InstrumentReference {
  const locator =
    typeof value === 'object' && value !== null && 'value' in value
      ? (value as INodeParameterResourceLocator)
      : undefined;
  const inner: unknown = locator ? locator.value : value;
  if (isAbsent(inner)) {
    throw new InputError(`${label} is empty.`, {
      parameter,
      hint: 'Pick one from the list, or enter a symbol such as NSE:INFY, a contract such as NIFTY 26NOV 24500 CE, or a ref_id.',
    });
  }
  if (typeof inner !== 'string' && typeof inner !== 'number') {
    throw new InputError(`${label} must be text or a number.`, {
      parameter,
      hint: 'Enter a symbol such as NSE:INFY, or a ref_id.',
    });
  }
  const text = String(inner).trim();
  const key = KEY.exec(text);
  if (key) {
    const [, environment, exchange, refId, symbol] = key as unknown as [string, Environment, Exchange, string, string];
    return { by: 'refId', environment, exchange, refId: Number(refId), symbol };
  }
  const isDigits = /^\d{1,15}$/.test(text);
  if (isDigits && locator?.mode === 'symbol' && !isRefId && text.length <= MAX_CODE_DIGITS) {
    throw new InputError(`${label} ${JSON.stringify(text)} is digits only, which is no trading symbol.`, {
      parameter,
      hint: 'To enter a ref_id, choose By ID. A code of BSE needs its exchange in front: BSE:500325.',
    });
  }
  if (isDigits) return { by: 'refId', refId: Number(text) };
  if (text.length > MAX_NAME_LENGTH) return { by: 'text', text };
  const exchange = exchangeInLabel(text) ?? exchangeInName(text);
  return exchange === undefined ? { by: 'text', text } : { by: 'text', text, exchange };
}

/** Further instruments beside the picked one, as text. */
export const moreInstrumentsField: INodeProperties = {
  displayName: 'More Instruments',
  name: 'moreInstruments',
  type: 'string',
  default: '',
  placeholder: 'e.g. TCS, BSE:INFY, NIFTY 26NOV FUT',
  description: 'Further symbols or contracts, separated by commas, or a list',
};

/** The most instruments that one field may name. */
export const MAX_INSTRUMENTS = 500;

/** The further instruments of the options, each as its field would take it. @throws InputError if there are too many. */
export function moreInstrumentsOf(item: ParameterReader): unknown[] {
  const value = item.group('options').raw('moreInstruments');
  const list: unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? value.split(',').filter((name) => name.trim() !== '')
      : isAbsent(value)
        ? []
        : [value];
  if (list.length > MAX_INSTRUMENTS)
    throw new InputError(
      `More Instruments has ${list.length} instruments; one item takes at most ${MAX_INSTRUMENTS}.`,
      {
        parameter: 'moreInstruments',
        hint: 'Spread them over several items.',
      },
    );
  return list;
}
