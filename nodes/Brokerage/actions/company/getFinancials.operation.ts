import { AMOUNT_UNITS, getStatement, type AmountUnit } from '../../../../client/market/company';
import type { StatementName } from '../../../../client/endpoints/companies';
import { collection } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import {
  accountsField,
  accountsOf,
  companyField,
  forCompanies,
  moreCompaniesField,
  periodsField,
  periodsOf,
} from './fields';

const STATEMENTS: readonly StatementName[] = ['balance_sheet', 'cash_flow', 'profit_loss'];

export const getFinancials: ItemOperation = {
  name: 'Get Financials',
  action: 'Get financial statements of a company',
  description:
    'Get profit and loss, balance sheet or cash flow of one or more companies, annual or quarterly, one item for each period',
  nothing: 'The service has no such statement of this company.',
  properties: [
    companyField,
    {
      displayName: 'Statement',
      name: 'statement',
      type: 'options',
      options: [
        { name: 'Balance Sheet', value: 'balance_sheet', description: 'Assets, equity and liabilities' },
        { name: 'Cash Flow', value: 'cash_flow', description: 'Cash from operating, investing and financing' },
        { name: 'Profit and Loss', value: 'profit_loss', description: 'Income, expenses, profit and EPS' },
      ],
      default: 'profit_loss',
      description: 'Which statement to get',
    },
    {
      displayName: 'Period',
      name: 'period',
      type: 'options',
      options: [
        { name: 'Annual', value: 'annual', description: 'Financial years, which end with March' },
        { name: 'Quarterly', value: 'quarterly' },
      ],
      default: 'annual',
      description: 'Whether each item is a year or a quarter',
    },
    accountsField,
    periodsField,
    collection('Options', 'options', [
      {
        displayName: 'Amounts In',
        name: 'amountUnit',
        type: 'options',
        options: [
          { name: 'Crore Rupees', value: 'crore' },
          { name: 'Lakh Rupees', value: 'lakh' },
          { name: 'Rupees', value: 'rupees' },
        ],
        default: 'crore',
        description: 'The unit of amounts. Ratios such as EPS are not changed.',
      },
      moreCompaniesField,
    ]),
  ],
  concurrent: true,
  async execute(item) {
    const basis = accountsOf(item);
    const statement = item.choice('statement', STATEMENTS);
    const period = item.choice('period', ['annual', 'quarterly'] as const);
    const periods = periodsOf(item);
    const unit =
      item.group('options').optionalChoice('amountUnit', Object.keys(AMOUNT_UNITS) as AmountUnit[]) ?? 'crore';
    const { signal } = item.run;
    return await forCompanies(item, async ({ transport }, company) => {
      const statementRequest = {
        company,
        basis,
        statement,
        isQuarterly: period === 'quarterly',
        periods,
        unit,
        signal,
      };
      const figures = await getStatement(transport, statementRequest);
      return figures.map((part) => ({
        statement,
        period: part.period,
        period_end: part.periodEnd,
        accounts: basis,
        amount_unit: unit,
        values: part.values,
        parts: part.parts,
      }));
    });
  },
};
