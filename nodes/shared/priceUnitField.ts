import type { INodeProperties } from 'n8n-workflow';

/** The choice between rupees and the exchange's own units. @param description what it is about */
export const priceUnitFieldWith = (description: string): INodeProperties => ({
  displayName: 'Prices In',
  name: 'priceUnit',
  type: 'options',
  options: [
    {
      name: 'Exchange Units (Paise)',
      value: 'paise',
      description: 'Whole paise, as the exchange counts: 150005 is ₹1,500.05',
    },
    { name: 'Rupees', value: 'rupees', description: 'Decimals: 1500.05' },
  ],
  default: 'rupees',
  description,
});
