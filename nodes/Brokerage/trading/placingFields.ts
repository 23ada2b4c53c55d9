/** The panel of the operations that place orders. */
import type { INodeProperties } from 'n8n-workflow';
import { collection, priceUnitField, simplifyField } from '../../shared/fields';
import { entryField, exitsField, goodTillDateField, slicesField } from './exitFields';
import {
  idempotencyKeyField,
  moneyNotice,
  orderFields,
  tagField,
  validityField,
  waitSecondsField,
} from './orderFields';
import { roundQuantityDownField, roundToTickField } from './priceFields';
import { agentLimitsNotice, placingSafetyField } from './safetyLimits';

/** @param options those that not all of them have. */
export const placingFields = (options: readonly INodeProperties[]): INodeProperties[] => [
  moneyNotice,
  agentLimitsNotice,
  ...orderFields,
  exitsField,
  entryField,
  simplifyField,
  collection('Options', 'options', [
    goodTillDateField,
    idempotencyKeyField,
    priceUnitField,
    roundQuantityDownField,
    roundToTickField,
    slicesField,
    tagField,
    validityField,
    waitSecondsField,
    ...options,
  ]),
  placingSafetyField,
];
