import { openBhavcopy } from '../../../../client/market/bhavcopy';
import { fileNameIn } from '../../../../client/reports/reports';
import { compactDate } from '../../../../client/values/time';
import { binaryField, collection } from '../fields';
import type { ItemOperation } from '../operation';
import { bhavcopyFields, bhavcopyRequest } from './fields';

export const download: ItemOperation = {
  name: 'Download File',
  action: 'Download an end of day file',
  description: 'Get an end-of-day file of NSE as it is, for a day or the latest one that exists',
  properties: [
    ...bhavcopyFields,
    {
      displayName: 'Format',
      name: 'format',
      type: 'options',
      options: [
        { name: 'CSV', value: 'csv' },
        { name: 'JSON', value: 'json' },
      ],
      default: 'csv',
      description: 'The file format',
    },
    collection('Options', 'options', [binaryField]),
  ],
  async execute(item) {
    const format = item.choice('format', ['csv', 'json'] as const);
    const request = bhavcopyRequest(item, format);
    const property = item.group('options').optionalText('binaryProperty') ?? 'data';
    const { transport } = await item.service();
    const { date, reply } = await openBhavcopy(transport, request);
    const chunks: Uint8Array[] = [];
    for await (const chunk of reply.chunks) chunks.push(chunk);
    const fileName =
      fileNameIn(reply.headers['content-disposition'] ?? '') ?? `${request.type}${compactDate(date)}.${format}`;
    const mimeType =
      (reply.headers['content-type'] ?? '').split(';')[0]?.trim() ||
      (format === 'csv' ? 'text/csv' : 'application/json');
    return [
      await item.file(
        { type: request.type, date, file_name: fileName, mime_type: mimeType },
        { bytes: Buffer.concat(chunks), fileName, mimeType },
        property,
      ),
    ];
  },
};
