import { rowsIn, viewReport } from '../../../../client/reports/reports';
import { collection, simplifyField } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { datesOf, reportFields, reportOf, whenWithoutData, withoutDataField } from './fields';

export const view: ItemOperation = {
  name: 'View',
  action: 'View a report',
  description: 'Get a report as data. With Simplify, each row is an item; without it, the whole reply is one item.',
  nothing: 'There is no data for these dates.',
  properties: [...reportFields('view'), simplifyField, collection('Options', 'options', [withoutDataField])],
  async execute(item) {
    const report = reportOf(item);
    const dates = await datesOf(item, report);
    const { transport } = await item.service();
    try {
      const reply = await viewReport(transport, report, dates, item.run.signal);
      const rows = item.flag('simplify') ? rowsIn(reply) : undefined;
      return (rows ?? [reply]).map((row) => item.output(row));
    } catch (error) {
      return whenWithoutData(item, report, dates, error);
    }
  },
};
