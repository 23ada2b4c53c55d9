/** Guards of the node: set by the person who builds the workflow, and by nobody else. */
import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../../client/base/errors';
import {
  closingGuards,
  isDryRun,
  readGuards,
  readLimits,
  readSwitch,
  withNodeGuards,
  type Guards,
} from '../../../client/orders/model/guard-settings';
import type { CredentialFields } from '../../../client/session/settings';
import { collection, notice } from '../../shared/fields';
import { productOptions } from '../../shared/selection';
import type { ItemContext } from '../common/itemContext';
import { isAgentTool } from '../common/runContext';
import { isSince12 } from '../common/version';
import type { Service } from '../../shared/service';

const amount = (displayName: string, name: string, description: string): INodeProperties => ({
  displayName,
  name,
  type: 'number',
  typeOptions: { minValue: 0, numberPrecision: 2 },
  default: 0,
  noDataExpression: true,
  description,
});

/** Notice for a user who gives the node to an AI agent that places orders. */
export const agentLimitsNotice: INodeProperties = {
  ...notice(
    'agentLimitsNotice',
    'An AI agent decides about this order. Under Safety Limits set Largest Order Value or Largest Quantity first, or switch on Dry Run: without one of them nothing is sent. An agent can order again and again: Largest Day Value limits all orders of the account of a day together, yours too.',
  ),
  displayOptions: { show: { '@tool': [true], '@version': [{ _cnd: { gte: 1.2 } }] } },
};

const limits: INodeProperties[] = [
  {
    displayName: 'Allowed Exchanges',
    name: 'allowedExchanges',
    type: 'multiOptions',
    options: [
      { name: 'BSE', value: 'BSE' },
      { name: 'MCX', value: 'MCX' },
      { name: 'NSE', value: 'NSE' },
    ],
    default: [],
    noDataExpression: true,
    description: 'Orders are allowed on these exchanges only. Choose none to allow all.',
  },
  {
    displayName: 'Allowed Instruments',
    name: 'allowedInstruments',
    type: 'string',
    default: '',
    noDataExpression: true,
    placeholder: 'e.g. INFY, TCS, NIFTY',
    description:
      'Trading symbols or underlyings, separated by commas. An underlying allows its futures and options too. Leave empty to allow all.',
  },
  {
    displayName: 'Allowed Products',
    name: 'allowedProducts',
    type: 'multiOptions',
    options: productOptions,
    default: [],
    noDataExpression: true,
    description: 'Only these products are allowed. Choose none to allow all.',
  },
  {
    displayName: 'Dry Run',
    name: 'dryRun',
    type: 'boolean',
    default: true,
    noDataExpression: true,
    description: 'Whether the order is only checked and shown, exactly as it would be sent, but never sent',
  },
  amount(
    'Largest Day Value (Rupees)',
    'maxDayValue',
    "Maximum total value (quantity × price) of all of today's orders of the account, whoever placed them, including this one. 0 means no limit.",
  ),
  amount(
    'Largest Distance From Last Price (%)',
    'maxPriceDistance',
    'How far a purchase may be above the last traded price, or a sale below it. 0 means no limit.',
  ),
  amount(
    'Largest Order Value (Rupees)',
    'maxOrderValue',
    'Maximum value of one order: quantity × price. Market orders use the last price, and so do sales where it is above their limit. 0 means no limit.',
  ),
  {
    displayName: 'Largest Quantity',
    name: 'maxQuantity',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 0,
    noDataExpression: true,
    description: 'Maximum quantity of one order, in units (not lots). 0 means no limit.',
  },
  {
    displayName: 'Latest Time',
    name: 'latestTime',
    type: 'string',
    default: '',
    noDataExpression: true,
    placeholder: 'e.g. 15:00',
    displayOptions: { show: { '@version': [{ _cnd: { gte: 1.2 } }] } },
    description:
      "No order is sent from this time of the day (IST) on, by the market's clock. Leave empty for no limit.",
  },
  {
    displayName: 'Market Hours Only',
    name: 'marketHoursOnly',
    type: 'boolean',
    default: true,
    noDataExpression: true,
    description: 'Whether orders are sent only while the exchange trades continuously',
  },
];

const mostOrdersField: INodeProperties = {
  displayName: 'Most Orders a Day',
  name: 'maxDayOrders',
  type: 'number',
  typeOptions: { minValue: 0 },
  default: 0,
  noDataExpression: true,
  displayOptions: { show: { '@version': [{ _cnd: { gte: 1.2 } }] } },
  description:
    'Maximum number of orders that the account places in a day, this one included, whoever placed the others. A basket counts one for each leg. 0 means no limit.',
};

const safetyFieldOf = (fields: INodeProperties[]): INodeProperties =>
  collection('Safety Limits', 'safety', fields, {
    placeholder: 'Add limit',
    noDataExpression: true,
    description:
      'Limits checked before anything is sent, together with those of the credential. They take fixed values only, so neither incoming data nor an AI agent can loosen them.',
  });

/** Safety Limits of what changes and closes: the number of the day's orders does not limit it. */
export const safetyField: INodeProperties = safetyFieldOf(limits);

/** Safety Limits of what places new orders. */
export const placingSafetyField: INodeProperties = safetyFieldOf([...limits, mostOrdersField]);

/** Returns true if a value contains an expression, or its remnant: n8n takes the "=" off some, and the braces stay. */
function holdsExpression(value: unknown): boolean {
  if (typeof value === 'string') return value.startsWith('=') || value.includes('{{');
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);
}

const isEmptySwitch = (name: string, value: unknown): boolean =>
  value === '' && (name === 'dryRun' || name === 'marketHoursOnly');

/**
 * The guards of the credential and of this node together, for what changes and closes: the number of the day's orders does not limit it.
 * @throws as `allGuardsOf`
 */
export function guardsOf(item: ItemContext, service: Service): Guards[] {
  return closingGuards(allGuardsOf(item, service));
}

/**
 * The guards of the credential and of this node together.
 * @throws InputError if a limit is an expression, as data that comes in could then loosen it, or when it holds nothing.
 */
function allGuardsOf(item: ItemContext, { credential }: Service): Guards[] {
  const written = (item.run.node.parameters.safety ?? {}) as CredentialFields;
  if (holdsExpression(written)) {
    throw new InputError('Safety Limits must be fixed values, not expressions.', {
      parameter: 'safety',
      hint: 'Incoming data or an AI agent could change an expression, so it would limit nothing. Enter a value instead. Nothing was sent.',
    });
  }
  const empty = Object.keys(written).find((name) => written[name] === null || isEmptySwitch(name, written[name]));
  if (empty !== undefined) {
    throw new InputError(`${item.label(empty)} is empty.`, {
      parameter: empty,
      hint: 'Set it, or remove it from Safety Limits. Nothing was sent.',
    });
  }
  return withNodeGuards(readGuards(credential), { ...readLimits(written), dryRun: readSwitch(written, 'dryRun') });
}

/**
 * The guards of what places new orders.
 * @throws InputError also where an AI agent's tool has no limit on the size of an order.
 */
export function placingGuardsOf(item: ItemContext, service: Service): Guards[] {
  const guards = allGuardsOf(item, service);
  const isLimited = guards.some(({ maxQuantity, maxOrderValue }) => (maxQuantity ?? maxOrderValue) !== undefined);
  if (isSince12(item) && isAgentTool(item.run.node) && !isLimited && !isDryRun(guards))
    throw new InputError('An AI agent may place orders only within a limit on their size, and none is set.', {
      parameter: 'safety',
      hint: 'Under Safety Limits add Largest Order Value or Largest Quantity, or Dry Run; or switch on Limit Orders in the credential. Nothing was sent.',
    });
  return guards;
}
