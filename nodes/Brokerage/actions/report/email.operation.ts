import { REPORT_FORMATS } from '../../../../client/reports/kinds';
import { emailReport } from '../../../../client/reports/reports';
import { collection, notice } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { datesOf, formatField, reportFields, reportOf, whenEmptyOf, whenWithoutData, withoutDataField } from './fields';

export const email: ItemOperation = {
  name: 'Email',
  action: 'Email a report',
  description: 'Have the broker e-mail a report to your registered address. This sends a real e-mail.',
  nothing: 'There is no data for these dates, so nothing was sent.',
  properties: [
    notice('emailNotice', 'This sends a real e-mail to your registered address each time it runs.'),
    ...reportFields('email'),
    formatField('email'),
    collection('Options', 'options', [withoutDataField]),
  ],
  async execute(item) {
    const report = reportOf(item);
    const dates = await datesOf(item, report);
    const whenEmpty = whenEmptyOf(item);
    const format = item.choice('format', REPORT_FORMATS);
    const { transport, connection } = await item.service();
    try {
      const message = await emailReport(transport, report, dates, format, item.run.signal);
      return [item.output({ report, ...dates, format, message, environment: connection.environment })];
    } catch (error) {
      return whenWithoutData(item, { report, dates, choice: whenEmpty }, error);
    }
  },
};
