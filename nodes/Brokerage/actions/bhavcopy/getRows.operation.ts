import type { INodeExecutionData } from 'n8n-workflow';
import { InputError } from '../../../../client/base/errors';
import { bhavcopyRows, openBhavcopy } from '../../../../client/market/bhavcopy';
import { showValue, unfilledHint } from '../../../../client/values/input';
import { limitOf, returnAllFields } from '../../../shared/fields';
import type { ItemContext } from '../../common/itemContext';
import type { ItemOperation } from '../../common/operation';
import { isAbsent } from '../../../shared/parameters';
import { bhavcopyFields, bhavcopyRequest } from './fields';

/** Signs that people write where they want a range of numbers. */
const COMPARISON = /^\s*(?:[<>=≤≥]|!=)/;

/** The conditions, by column. @throws InputError if a column is named twice. */
function filterOf(item: ItemContext): Record<string, string | number> {
  const filter: Record<string, string | number> = {};
  for (const row of item.rows('columnFilters', 'filter')) {
    const column = row.text('column');
    const value = row.raw('value');
    if (Object.hasOwn(filter, column))
      throw new InputError(`The column ${column} has two filters.`, {
        parameter: 'columnFilters',
        hint: 'Remove one of them.',
      });
    if (typeof value !== 'number' && typeof value !== 'string') {
      throw new InputError(
        `The value for the column ${column} ${isAbsent(value) ? 'is empty: its expression gives nothing' : `must be text or a number, but is ${showValue(value)}`}.`,
        {
          parameter: 'columnFilters',
          hint: 'Remove the filter, or have the expression give the value that the column must have.',
        },
      );
    }
    if (typeof value === 'string' && COMPARISON.test(value))
      throw new InputError(
        `The value for the column ${column} is ${showValue(value)}, and a column filter takes an exact value.`,
        {
          parameter: 'columnFilters',
          hint: `Remove this filter, and put n8n's Filter behind this step: ${column} is a number there if the file has numbers in it.`,
        },
      );
    const hint = isAbsent(value) ? undefined : unfilledHint(value);
    if (hint !== undefined)
      throw new InputError(`The value for the column ${column} is ${showValue(value)}, which says nothing.`, {
        parameter: 'columnFilters',
        hint,
      });
    filter[column] = value;
  }
  return filter;
}

export const getRows: ItemOperation = {
  name: 'Get Rows',
  action: 'Get rows of an end of day file',
  description:
    'Get the rows of an NSE end-of-day file (bhavcopy), one item each, numbers as numbers and dates as YYYY-MM-DD. Prices are in rupees.',
  nothing: 'No row of the file matches all of your column filters.',
  properties: [
    ...bhavcopyFields,
    ...returnAllFields,
    {
      displayName: 'Column Filters',
      name: 'columnFilters',
      type: 'fixedCollection',
      typeOptions: { multipleValues: true },
      placeholder: 'Add filter',
      default: {},
      description:
        'Only rows in which each of these columns has exactly this value. Small and capital letters count as the same.',
      options: [
        {
          displayName: 'Filter',
          name: 'filter',
          values: [
            {
              displayName: 'Column',
              name: 'column',
              type: 'string',
              default: '',
              placeholder: 'e.g. TckrSymb',
              description: 'The column name, as written in the first line of the file',
            },
            {
              displayName: 'Value',
              name: 'value',
              type: 'string',
              default: '',
              placeholder: 'e.g. INFY',
              description: 'The value that the column must have',
            },
          ],
        },
      ],
    },
  ],
  async execute(item) {
    const request = bhavcopyRequest(item, 'csv');
    const limit = limitOf(item);
    const filter = filterOf(item);
    const { transport } = await item.service();
    const file = await openBhavcopy(transport, request);
    const output: INodeExecutionData[] = [];
    for await (const rows of bhavcopyRows(file, filter)) {
      for (const row of rows) {
        if (output.length >= limit) return output;
        output.push(item.output(row));
      }
    }
    return output;
  },
};
