import { bhavcopyBytes, openBhavcopy } from '../../../../client/market/bhavcopy';
import { fileNameIn, mediaTypeIn } from '../../../../client/values/headers';
import { compactDate } from '../../../../client/values/time';
import {
  binaryField,
  binaryPropertyOf,
  collection,
  fileFormatField,
  fileFormatOf,
  FILE_FORMATS,
} from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { bhavcopyFields, bhavcopyRequest } from './fields';

export const download: ItemOperation = {
  name: 'Download File',
  action: 'Download an end of day file',
  description: 'Download an end-of-day file (bhavcopy) of NSE, unchanged, for a day or the latest one that exists',
  properties: [...bhavcopyFields, fileFormatField, collection('Options', 'options', [binaryField])],
  async execute(item) {
    const format = fileFormatOf(item);
    const request = bhavcopyRequest(item, format);
    const property = binaryPropertyOf(item);
    const { transport } = await item.service();
    const file = await openBhavcopy(transport, request);
    const { date, reply } = file;
    const bytes = await bhavcopyBytes(file);
    const fileName = fileNameIn(reply.headers) ?? `${request.type}${compactDate(date)}.${format}`;
    const mimeType = mediaTypeIn(reply.headers) || FILE_FORMATS[format];
    return [
      await item.file(
        { type: request.type, date, file_name: fileName, mime_type: mimeType },
        { bytes, fileName, mimeType },
        property,
      ),
    ];
  },
};
