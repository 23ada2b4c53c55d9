import { getKeyRatios as readKeyRatios } from '../../../../client/market/company';
import { collection } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { accountsField, accountsOf, companyField, forCompanies, moreCompaniesField } from './fields';

export const getKeyRatios: ItemOperation = {
  name: 'Get Key Ratios',
  action: 'Get key ratios of a company',
  description:
    'Get P/E, P/B, ROE, ROCE, EPS and further ratios of one or more companies, with who holds their shares and technical indicators, one item each',
  properties: [companyField, accountsField, collection('Options', 'options', [moreCompaniesField])],
  concurrent: true,
  async execute(item) {
    const basis = accountsOf(item);
    const { signal } = item.run;
    return await forCompanies(item, async ({ transport }, company) => {
      const { fincode, ratios, holders, indicators } = await readKeyRatios(transport, { company, basis, signal });
      return [
        {
          fincode,
          accounts: basis,
          key_ratios: ratios,
          shareholding: holders,
          technical_indicators: indicators,
        },
      ];
    });
  },
};
