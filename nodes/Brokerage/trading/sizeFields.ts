/** Fields by which an order is sized: a quantity, an amount, a share of the funds, or a risk. */
import type { INodeProperties } from 'n8n-workflow';
import { positiveNumber } from '../../shared/fields';

const SIZED = ['amount', 'funds', 'risk'] as const;
const only = (...by: string[]): INodeProperties['displayOptions'] => ({ show: { sizeBy: by } });

/** Shows a field only where the quantity itself is given. */
export const ofQuantity = only('quantity');

/** Shows a field only where the legs of an iceberg are counted, and its quantity is not. */
export const ofSizedIceberg: INodeProperties['displayOptions'] = {
  show: { sizeBy: [...SIZED], orderType: ['ICEBERG'] },
};

const number = (displayName: string, name: string, by: string[], description: string): INodeProperties => ({
  ...positiveNumber(displayName, name, description),
  displayOptions: only(...by),
});

export const sizeByField: INodeProperties = {
  displayName: 'Size By',
  name: 'sizeBy',
  type: 'options',
  options: [
    { name: 'Amount', value: 'amount', description: 'An amount in rupees, such as a monthly SIP' },
    { name: 'Percent of Funds', value: 'funds', description: 'A share of the margin that is available now' },
    { name: 'Quantity', value: 'quantity', description: 'A number of units or lots' },
    { name: 'Risk', value: 'risk', description: 'How many rupees you lose if the stop is hit' },
  ],
  default: 'quantity',
  description:
    'How the size of the order is given. Everything but a quantity is rounded down to whole lots, at the limit price or, for a market order, the last price.',
};

export const sizeFields: INodeProperties[] = [
  number(
    'Amount (Rupees)',
    'sizeAmount',
    ['amount'],
    'What the order may cost, at the price that the size is made with. In paise where Prices In says so.',
  ),
  number(
    'Percent of Funds',
    'sizePercent',
    ['funds'],
    'Percentage of the available margin that the full value of the order may be, such as 10',
  ),
  number(
    'Risk (Rupees)',
    'sizeRisk',
    ['risk'],
    'What may be lost between entry and stop, at the price that the size is made with. For 1 % of your funds, put Get Funds before this step and enter {{ $json.net_margin_available * 0.01 }}. In paise where Prices In says so.',
  ),
  number(
    'Stop Price',
    'stopPrice',
    ['risk'],
    'The price at which you will exit, in the unit of Prices In. 0 = the Stop Loss under Exits. The order itself gets no stop from this field.',
  ),
  {
    displayName: 'When Too Small',
    name: 'whenTooSmall',
    type: 'options',
    options: [
      { name: 'Skip the Item', value: 'skip', description: 'Return an item with skipped: true' },
      { name: 'Stop With an Error', value: 'error' },
    ],
    default: 'error',
    displayOptions: only(...SIZED),
    description: 'What to do when it comes to less than one lot',
  },
];
