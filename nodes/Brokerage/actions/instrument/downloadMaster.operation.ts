import { EXCHANGES, instrumentItem } from '../../../../client/instruments/instrument';
import { csvBytes } from '../../../../client/values/csv-writer';
import type { MoneyUnit } from '../../../../client/values/money';
import {
  FILE_FORMATS,
  binaryField,
  binaryPropertyOf,
  collection,
  exchangeField,
  fileFormatField,
  fileFormatOf,
  priceUnitField,
  priceUnitOf,
} from '../../../shared/fields';
import { listOf } from '../../../shared/lists';
import { marketDate } from '../../../shared/lookup';
import type { ItemOperation } from '../../common/operation';
import { filtersField, filtersOf } from './getMany.operation';
import type { Instrument } from '../../../../client/instruments/instrument';
import { filterInstruments, requireKnown } from '../../../../client/instruments/filter';

/** The rows, made one after the other, so that the list of all of them never exists twice. */
function* rowsOf(instruments: Iterable<Instrument>, unit: MoneyUnit, count: { rows: number }) {
  for (const instrument of instruments) {
    count.rows += 1;
    yield instrumentItem(instrument, unit);
  }
}

function jsonBytes(rows: Iterable<object>): Uint8Array {
  const lines: string[] = [];
  for (const row of rows) lines.push(JSON.stringify(row));
  return Buffer.from(`[\n${lines.join(',\n')}\n]\n`, 'utf8');
}

export const downloadMaster: ItemOperation = {
  name: 'Download Master',
  action: 'Download the instrument master',
  description:
    'Get all instruments of an exchange, or those that match the filters, as one CSV or JSON file. Expired contracts are left out.',
  properties: [
    exchangeField,
    fileFormatField,
    filtersField,
    collection('Options', 'options', [priceUnitField, binaryField]),
  ],
  async execute(item) {
    const unit = priceUnitOf(item);
    const exchange = item.choice('exchange', EXCHANGES);
    const format = fileFormatOf(item);
    const filters = filtersOf(item);
    const property = binaryPropertyOf(item);
    const service = await item.service();
    const store = await listOf(service, exchange, item.run.signal);
    requireKnown(store, filters);
    const count = { rows: 0 };
    const columns = Object.keys(instrumentItem(store.instrument(0), unit));
    const rows = rowsOf(filterInstruments(store, filters, marketDate(service.transport)), unit, count);
    const bytes = format === 'csv' ? csvBytes(rows, columns) : jsonBytes(rows);
    const file = {
      bytes,
      fileName: `instruments_${exchange}_${store.date}.${format}`,
      mimeType: FILE_FORMATS[format],
    };
    return [
      await item.file(
        {
          exchange,
          date: store.date,
          rows: count.rows,
          file_name: file.fileName,
          environment: service.connection.environment,
        },
        file,
        property,
      ),
    ];
  },
};
