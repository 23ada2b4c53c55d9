import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../../../client/base/errors';
import { requireRows, rowsIn, viewReport } from '../../../../client/reports/reports';
import { showValue } from '../../../../client/values/input';
import type { JsonObject } from '../../../../client/values/json';
import { collection, simplifyField } from '../../../shared/fields';
import type { ItemContext } from '../../common/itemContext';
import type { ItemOperation } from '../../common/operation';
import { datesOf, reportFields, reportOf, whenEmptyOf, whenWithoutData, withoutDataField } from './fields';

const paiseFieldsField: INodeProperties = {
  displayName: 'Fields in Paise',
  name: 'paiseFields',
  type: 'string',
  default: '',
  placeholder: 'e.g. buy_value, sell_value, profit',
  description:
    'Fields whose numbers the service gives in paise, separated by commas: they become rupees. In the sandbox all amounts are paise.',
};

/** Returns the rows with the numbers of the chosen fields in rupees. @throws InputError for a field that no row has */
function inRupees(item: ItemContext, rows: readonly JsonObject[]): readonly JsonObject[] {
  const names = (item.group('options').optionalText('paiseFields') ?? '').split(',').map((name) => name.trim());
  const chosen = new Set(names.filter((name) => name !== ''));
  const columnNames = new Set(rows.flatMap((row) => Object.keys(row)));
  for (const name of chosen) {
    if (columnNames.has(name)) continue;
    throw new InputError(`The report has no field ${showValue(name)}.`, {
      parameter: 'paiseFields',
      hint: `It has: ${[...columnNames].slice(0, MAX_FIELDS_SHOWN).join(', ')}.`,
    });
  }
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        chosen.has(name) && typeof value === 'number' ? value / 100 : value,
      ]),
    ),
  );
}

const MAX_FIELDS_SHOWN = 40;

export const view: ItemOperation = {
  name: 'View',
  action: 'View a report',
  description: 'Get a report as data. With Simplify, each row is an item; without it, the whole reply is one item.',
  nothing: 'There is no data for these dates.',
  properties: [
    ...reportFields('view'),
    simplifyField,
    collection('Options', 'options', [paiseFieldsField, withoutDataField]),
  ],
  async execute(item) {
    const report = reportOf(item);
    const dates = await datesOf(item, report);
    const whenEmpty = whenEmptyOf(item);
    const { transport } = await item.service();
    try {
      const reply = await viewReport(transport, report, dates, item.run.signal);
      requireRows(reply);
      const rows = item.flag('simplify') ? rowsIn(reply) : undefined;
      return inRupees(item, rows ?? [reply]).map((row) => item.output(row));
    } catch (error) {
      return whenWithoutData(item, { report, dates, choice: whenEmpty }, error);
    }
  },
};
