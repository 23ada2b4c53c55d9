import { getShareholding as readShareholding } from '../../../../client/market/company';
import { collection } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { companyField, forCompanies, moreCompaniesField, periodsField, periodsOf } from './fields';

export const getShareholding: ItemOperation = {
  name: 'Get Shareholding',
  action: 'Get the shareholding of a company',
  description:
    'Get who holds the shares of one or more companies (promoters, institutions, public), in percent, one item for each quarter',
  nothing: 'The service has no shareholding of this company.',
  properties: [companyField, periodsField, collection('Options', 'options', [moreCompaniesField])],
  concurrent: true,
  async execute(item) {
    const periods = periodsOf(item);
    const { signal } = item.run;
    return await forCompanies(item, async ({ transport }, company) => {
      const figures = await readShareholding(transport, { company, periods, signal });
      return figures.map(({ period, periodEnd, values, parts }) => ({
        period,
        period_end: periodEnd,
        percent: values,
        parts,
      }));
    });
  },
};
