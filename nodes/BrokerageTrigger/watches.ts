/** What a trigger can watch, and what the fields of its kinds share. */
import type { INodeProperties } from 'n8n-workflow';
import { priceUnitFieldWith } from '../shared/priceUnitField';

export const WATCHES = ['orders', 'portfolio', 'price'] as const;
export type Watch = (typeof WATCHES)[number];

/** Shows a field for some of them only. */
export const shownFor = (...watches: Watch[]): Pick<INodeProperties, 'displayOptions'> => ({
  displayOptions: { show: { watch: watches } },
});

export const priceUnitOption = priceUnitFieldWith('How prices and amounts are given in the output');
