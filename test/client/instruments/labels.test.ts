/** Labels and symbols of instruments lead back to them. */
import { labelOf, type Instrument } from '../../../client/instruments/instrument';
import { resolveText } from '../../../client/instruments/resolve';
import { IS_WHOLE } from '../../support/sample';
import { option, STORES, storeOfRows, TODAY } from './listed-instruments';

/** The store's own names of each row, which must all lead back to it. */
function namesOf({ symbol, platName, exchange, ...rest }: Instrument): string[] {
  const instrument = { symbol, platName, exchange, ...rest } as Instrument;
  return [labelOf(instrument), ...(instrument.expiry === null ? [] : [symbol, labelOf(instrument).split(' · ')[0]!])];
}

it('every label and symbol leads back to its own instrument', () => {
  // All rows with TEST_ALL=1; the round trip over whole lists has more forms.
  for (const store of STORES)
    for (let row = 0; row < store.size; row += IS_WHOLE ? 1 : 29) {
      const instrument = store.instrument(row);
      for (const name of namesOf(instrument))
        expect([name, resolveText([store], name, { today: TODAY }).refId]).toEqual([name, instrument.refId]);
    }
});

it('every label of a contract leads back to it, whatever its strike', () => {
  const strikes = Array.from({ length: 99_999 }, (_, at) => at + 1);
  const rows = strikes
    .filter((strike) => strike < 2_100 || strike % 37 === 0)
    .map((strike) => option('ABC', `ABC26DEC${strike}CE`, 20261229, strike * 100, 'CE'));
  const store = storeOfRows('NSE', rows);
  for (let row = 0; row < store.size; row += IS_WHOLE ? 1 : 23) {
    const instrument = store.instrument(row);
    const label = labelOf(instrument);
    for (const name of [label, label.split(' · ')[0]!])
      expect([name, resolveText([store], name, { today: TODAY }).symbol]).toEqual([name, instrument.symbol]);
  }
});
