/** Shared fields of the kinds of watching. */
import type { INodeProperties } from 'n8n-workflow';
import { priceUnitFieldWith } from '../../shared/priceUnitField';
import type { WatchName } from './watch';

/** Shows a field for some kinds of watching only. */
export const shownFor = (...watches: WatchName[]): Pick<INodeProperties, 'displayOptions'> => ({
  displayOptions: { show: { watch: watches } },
});

/** A collection of optional fields of one kind of watching. */
export const collection = (
  displayName: string,
  name: string,
  placeholder: string,
  inner: INodeProperties[],
  watch: WatchName,
): INodeProperties => ({
  displayName,
  name,
  type: 'collection',
  placeholder,
  default: {},
  ...shownFor(watch),
  options: inner,
});

export const instrumentsFilter: INodeProperties = {
  displayName: 'Instruments',
  name: 'instruments',
  type: 'string',
  default: '',
  placeholder: 'e.g. INFY, TCS, 70115',
  description: 'Only these symbols, underlyings or ref_ids, separated by commas',
};

export const priceUnitOption = priceUnitFieldWith('How prices and amounts are given in the output');
