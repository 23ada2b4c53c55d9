import { basketSessionWait } from '../../../../client/orders/account/market-closed-advice';
import { requestOutput } from '../../../../client/orders/api/order-api';
import { collection, priceUnitField, simplifyField } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { entryTimeField } from '../../trading/exitFields';
import { idempotencyKeyField, moneyNotice, priceTypeField, productField, tagField } from '../../trading/orderFields';
import { outputOptions, withRepeatNote } from '../../trading/orderOutput';
import { basketDryRunWords } from '../../trading/previewSummary';
import { roundToTickField } from '../../trading/priceFields';
import { placeBasketForItem, placementContext } from '../../trading/placement';
import { agentLimitsNotice, placingGuardsOf, placingSafetyField } from '../../trading/safetyLimits';
import {
  basketExitsInField,
  basketGoodTillField,
  basketTrailingField,
  exitTimeField,
  limitPriceField,
  momentumField,
  stopLossField,
  targetField,
} from '../../trading/basketFields';
import { basketSideField, strategyFields } from '../../trading/basketLegs';
import { basketOutput } from '../../trading/basketOutput';
import { basketTerms } from '../../trading/basketForm';
import { withSession } from '../../trading/waitForFill';

export const place: ItemOperation = {
  name: 'Place',
  action: 'Place a basket',
  description:
    'Place a strategy or several legs of one underlying together, with one stop loss, target and exit time. On Live this trades real money.',
  properties: [
    moneyNotice,
    agentLimitsNotice,
    {
      displayName: 'Name',
      name: 'name',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'e.g. Straddle',
      description: 'A name for the basket',
    },
    ...strategyFields,
    basketSideField,
    { ...productField, default: 'IDAY' },
    priceTypeField,
    limitPriceField,
    simplifyField,
    collection('Options', 'options', [
      entryTimeField,
      exitTimeField,
      basketGoodTillField,
      basketExitsInField,
      idempotencyKeyField,
      momentumField,
      {
        displayName: 'Multiplier',
        name: 'multiplier',
        type: 'number',
        typeOptions: { minValue: 1 },
        default: 1,
        description: 'How many times the legs are traded',
      },
      priceUnitField,
      roundToTickField,
      stopLossField,
      tagField,
      basketTrailingField,
      targetField,
    ]),
    placingSafetyField,
  ],
  async execute(item) {
    const service = await item.service();
    const output = await outputOptions(item);
    const guards = placingGuardsOf(item, service);
    const { terms, asked: requested } = await basketTerms(item, service);
    const context = await placementContext(item.run);
    const placed = await placeBasketForItem(item, { terms, guards, asked: requested }, context);
    const { tag } = placed;
    if (placed.outcome === 'dryRun')
      return [
        item.output({
          dry_run: true,
          tag,
          would_send: requestOutput(placed.request),
          ...(output.hasLabels === true ? basketDryRunWords(terms) : {}),
          environment: output.environment,
        }),
      ];
    const { record, alreadyPlaced } = placed;
    const shown = withRepeatNote(basketOutput(record, output, terms.name), alreadyPlaced);
    const json = { ...shown, tag, already_placed: alreadyPlaced };
    const session = output.hasLabels === true ? await basketSessionWait(record, terms, context) : undefined;
    return [item.output(withSession(json, session))];
  },
};
