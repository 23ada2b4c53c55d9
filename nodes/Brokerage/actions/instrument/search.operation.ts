import { EXCHANGES, INSTRUMENT_KINDS } from '../../../../client/instruments/instrument';
import {
  collection,
  exchangesField,
  exchangesOf,
  instrumentKindsField,
  priceUnitField,
  priceUnitOf,
  simplifyField,
} from '../../../shared/fields';
import { searchLists } from '../../../shared/lists';
import { marketDate } from '../../../shared/lookup';
import type { ItemOperation } from '../../common/operation';
import { instrumentOutput } from './output';

const MAX_RESULTS = 1_000;

export const search: ItemOperation = {
  name: 'Search',
  action: 'Search instruments',
  description: 'Find instruments by symbol, name, ISIN or contract, best match first. Expired contracts are left out.',
  nothing:
    'No instrument matches your search on the exchanges and types that you chose. Expired contracts are left out.',
  properties: [
    {
      displayName: 'Search For',
      name: 'query',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'e.g. INFY, BANK or NIFTY 26NOV 24500 CE',
      description:
        'A symbol, an ISIN, words of a company name, another name of an index, or a contract in words such as NIFTY 26000 CALL NEXT WEEK; or part of one',
    },
    exchangesField,
    {
      displayName: 'Limit',
      name: 'limit',
      type: 'number',
      typeOptions: { minValue: 1, maxValue: MAX_RESULTS },
      default: 50,
      description: 'Max number of results to return',
    },
    simplifyField,
    collection('Options', 'options', [instrumentKindsField, priceUnitField]),
  ],
  async execute(item) {
    const query = item.text('query');
    const limit = item.whole('limit', { min: 1, max: MAX_RESULTS });
    const kinds = item.group('options').choices('kinds', INSTRUMENT_KINDS);
    const unit = priceUnitOf(item);
    const simplify = item.flag('simplify');
    const service = await item.service();
    const options = { today: marketDate(service.transport), limit, ...(kinds.length > 0 ? { kinds } : {}) };
    const hits = await searchLists(service, exchangesOf(item, EXCHANGES), query, options, item.run.signal);
    return hits.map(({ store, row }) =>
      item.output(
        instrumentOutput(store.instrument(row), { unit, simplify, environment: service.connection.environment }),
      ),
    );
  },
};
