import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { concurrently } from '../../../../client/concurrency';
import type { FundamentalsType } from '../../../../client/endpoints/companies';
import type { Instrument } from '../../../../client/instruments/instrument';
import { instrumentField, moreInstrumentsField } from '../../../shared/instrumentField';
import type { ExecutionService } from '../../../shared/service';
import type { ItemContext } from '../../common/itemContext';
import { findInstruments } from '../../common/itemInstrument';
import { MAX_CONCURRENT } from '../../common/operation';

/** The share whose company is meant. */
export const companyField: INodeProperties = {
  ...instrumentField,
  description: 'The share of the company: pick it from the list, or enter its symbol such as NSE:INFY',
};

export const moreCompaniesField: INodeProperties = {
  ...moreInstrumentsField,
  placeholder: 'e.g. TCS, BSE:INFY',
  description: 'Shares of further companies, separated by commas, or a list',
};

export const accountsField: INodeProperties = {
  displayName: 'Accounts',
  name: 'accounts',
  type: 'options',
  options: [
    { name: 'Consolidated', value: 'CONSOLIDATED', description: 'The company with those that it owns' },
    { name: 'Standalone', value: 'STANDALONE', description: 'The company alone' },
  ],
  default: 'CONSOLIDATED',
  description: 'Which accounts of the company to read',
};

/** The chosen accounts. */
export function accountsOf(item: ItemContext): FundamentalsType {
  return item.choice('accounts', ['CONSOLIDATED', 'STANDALONE']);
}

/** Number of periods to get. */
export const periodsField: INodeProperties = {
  displayName: 'Limit',
  name: 'limit',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: 50,
  description: 'Max number of results to return',
};

/** The most periods that the service is asked for. */
const MAX_PERIODS = 40;

/** Returns the requested number of periods, no more than the service has. */
export function periodsOf(item: ItemContext): number {
  return Math.min(item.whole('limit', { min: 1 }), MAX_PERIODS);
}

/** Requests the data of each company of an item, several at a time; the results have the order of the companies. */
export async function forCompanies(
  item: ItemContext,
  ask: (service: ExecutionService, company: Instrument) => Promise<object[]>,
): Promise<INodeExecutionData[]> {
  const service = await item.service();
  const companies = await findInstruments(item, service);
  const found = await concurrently(companies, MAX_CONCURRENT, async (company) => {
    const { symbol, exchange, refId } = company;
    const head = { symbol, exchange, ref_id: refId };
    return (await ask(service, company)).map((json) => ({
      ...head,
      ...json,
      environment: service.connection.environment,
    }));
  });
  return found.flat().map((json) => item.output(json));
}
