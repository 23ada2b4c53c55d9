import { REPORT_FORMATS } from '../../../../client/reports/kinds';
import { downloadReport } from '../../../../client/reports/reports';
import { binaryField, binaryPropertyOf, collection } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { datesOf, formatField, reportFields, reportOf, whenEmptyOf, whenWithoutData, withoutDataField } from './fields';

export const download: ItemOperation = {
  name: 'Download',
  action: 'Download a report',
  description: 'Download a report as a PDF or Excel file',
  nothing: 'There is no data for these dates.',
  properties: [
    ...reportFields('download'),
    formatField('download'),
    collection('Options', 'options', [binaryField, withoutDataField]),
  ],
  async execute(item) {
    const report = reportOf(item);
    const dates = await datesOf(item, report);
    const whenEmpty = whenEmptyOf(item);
    const format = item.optionalChoice('format', REPORT_FORMATS) ?? 'EXCEL';
    const property = binaryPropertyOf(item);
    const { transport } = await item.service();
    try {
      const file = await downloadReport(transport, report, dates, format, item.run.signal);
      return [
        await item.file(
          { report, ...dates, file_name: file.fileName, mime_type: file.mimeType, has_data: true },
          file,
          property,
        ),
      ];
    } catch (error) {
      return whenWithoutData(item, { report, dates, choice: whenEmpty }, error);
    }
  },
};
