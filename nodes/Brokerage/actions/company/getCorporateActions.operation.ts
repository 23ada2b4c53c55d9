import { getCorporateActions as readCorporateActions } from '../../../../client/market/company';
import { collection } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { companyField, forCompanies, moreCompaniesField } from './fields';

export const getCorporateActions: ItemOperation = {
  name: 'Get Corporate Actions',
  action: 'Get corporate actions of a company',
  description:
    'Get dividends, splits, bonus issues and board meetings of one or more companies, past or to come, one item each',
  nothing: 'The service lists no such corporate action of this company.',
  properties: [
    companyField,
    {
      displayName: 'Which',
      name: 'which',
      type: 'options',
      options: [
        { name: 'All', value: 'all' },
        { name: 'Past', value: 'past', description: 'Those that have taken place' },
        { name: 'Upcoming', value: 'upcoming', description: 'Those that are still to come' },
      ],
      default: 'all',
      description: 'Which corporate actions to get',
    },
    collection('Options', 'options', [moreCompaniesField]),
  ],
  concurrent: true,
  async execute(item) {
    const which = item.choice('which', ['all', 'past', 'upcoming'] as const);
    const { signal } = item.run;
    return await forCompanies(item, async ({ transport }, company) => {
      const actions = await readCorporateActions(transport, { company, signal });
      return actions.filter(({ upcoming }) => which === 'all' || upcoming === (which === 'upcoming'));
    });
  },
};
