import { instrumentItem, type Instrument } from '../../../../client/instruments/instrument';
import type { Environment } from '../../../../client/session/settings';
import type { JsonObject } from '../../../../client/values/json';
import type { MoneyUnit } from '../../../../client/values/money';
import { instrumentKey } from '../../../shared/instrumentField';
import { pickKeys } from '../../common/pick';

const SIMPLE = [
  'ref_id',
  'symbol',
  'exchange',
  'label',
  'type',
  'asset',
  'expiry',
  'strike_price',
  'option_type',
  'lot_size',
  'lot_multiplier',
  'tick_size',
  'series',
  'isin',
];

/** An instrument as an output item; its `instrument` can be given to any instrument field of this environment. */
export function instrumentOutput(
  instrument: Instrument,
  options: { unit: MoneyUnit; simplify: boolean; environment: Environment },
): JsonObject {
  const { environment, simplify, unit } = options;
  const record = instrumentItem(instrument, unit);
  return {
    ...(simplify ? pickKeys(record, SIMPLE) : record),
    instrument: instrumentKey(environment, instrument.exchange, instrument.refId, instrument.symbol),
    environment,
  };
}
