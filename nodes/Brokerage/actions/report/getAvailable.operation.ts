import { getAvailableReports } from '../../../../client/reports/reports';
import type { ItemOperation } from '../../common/operation';

export const getAvailable: ItemOperation = {
  name: 'Get Available',
  action: 'Get the available reports',
  description:
    'Get the reports that the service offers for this account, one item each: dates, file types and password protection',
  nothing: 'The service offers no reports for this account.',
  properties: [],
  async execute(item) {
    const { transport } = await item.service();
    const { reports } = await getAvailableReports(transport, item.run.signal);
    return reports.map((report) => item.output(report));
  },
};
