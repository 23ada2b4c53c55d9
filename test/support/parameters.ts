/** Parameters of the node as the editor stores them. */
import type { INodeParameters } from 'n8n-workflow';

const locator = (mode: string, value: string) => ({ __rl: true, mode, value });
export const bySymbol = (symbol: string) => ({ instrument: locator('symbol', symbol) });
export const byId = (id: string) => ({ instrument: locator('id', id) });
export const fromList = (key: string) => ({ instrument: locator('list', key) });

/** A limit order for one share, with the defaults of the form. */
export const orderForm = (more: INodeParameters = {}): INodeParameters => ({
  resource: 'order',
  operation: 'place',
  ...bySymbol('INFY'),
  side: 'BUY',
  quantity: 1,
  quantityUnit: 'units',
  product: 'CNC',
  orderType: 'REGULAR',
  priceType: 'LIMIT',
  price: 1100,
  simplify: true,
  options: {},
  safety: {},
  ...more,
});
