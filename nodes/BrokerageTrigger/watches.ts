/** What a trigger can watch, and what the fields of its kinds share. */
import type { INodeProperties } from 'n8n-workflow';

export const WATCHES = ['orders', 'portfolio', 'price'] as const;
export type Watch = (typeof WATCHES)[number];

/** Shows a field for some of them only. */
export const shownFor = (...watches: Watch[]): Pick<INodeProperties, 'displayOptions'> => ({
  displayOptions: { show: { watch: watches } },
});

export const priceUnitOption: INodeProperties = {
  displayName: 'Prices In',
  name: 'priceUnit',
  type: 'options',
  options: [
    {
      name: 'Exchange Units (Paise)',
      value: 'paise',
      description: 'Whole numbers as the exchange counts them: 150005 is ₹1,500.05',
    },
    { name: 'Rupees', value: 'rupees', description: 'Decimals: 1500.05' },
  ],
  default: 'rupees',
  description: 'How prices and amounts are given in the output',
};
