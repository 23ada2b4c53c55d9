import type { INodeExecutionData } from 'n8n-workflow';
import { paiseTo } from '../../../../client/values/money';
import { collection, priceUnitField, simplifyField } from '../../../shared/fields';
import { instrumentField } from '../../../shared/instrumentField';
import { tradedInstrument } from '../../../shared/lookup';
import type { ItemOperation } from '../../common/operation';
import { instrumentOf } from '../../common/itemInstrument';
import {
  exitsInField,
  goodTillDateField,
  stopLossField,
  stopLossLimitField,
  targetField,
} from '../../trading/exitFields';
import { productsFilter } from '../../../shared/selection';
import { requireIdentity } from '../../trading/idempotency';
import { idempotencyKeyField, moneyNotice, tagField, waitSecondsField } from '../../trading/orderFields';
import { outputOptions, placedOutput } from '../../trading/orderOutput';
import { placePartsForItem, placementContext } from '../../trading/placement';
import {
  readHeldQuantity,
  recordSentTags,
  recordUnknownOutcome,
  protectionOf,
  readProtection,
  noTradeSince,
} from '../../trading/protectPosition';
import { aloneOnPosition } from '../../../../client/closing/sending-turn';
import { TradedMeanwhileError } from '../../../../client/orders/account/placement-context';
import { isDryRun } from '../../../../client/orders/model/guard-settings';
import { positionLockOf } from '../../../shared/positionLocks';
import { guardsOf, safetyField } from '../../trading/safetyLimits';
import type { HeldQuantity } from '../../../../client/closing/held';
import { quantityText } from '../../../../client/values/amounts';
import { showDate } from '../../../../client/values/time';
import { isSince12 } from '../../common/version';
import { waitForAll, waitOf, withWaitResult, type AwaitedOutcome } from '../../trading/waitForFill';
import { RejectedError } from '../../../../client/base/errors';

/** The measure of both exits. */
const fromAverage = {
  ...exitsInField,
  options: [
    { name: 'Percent From the Average Price', value: 'percent', description: 'Such as 2 for two percent' },
    { name: 'Points From the Average Price', value: 'points', description: 'The distance in the unit of Prices In' },
    { name: 'Price', value: 'price', description: 'The price itself, in the unit of Prices In' },
  ],
  description: 'How to read the numbers in Stop Loss, Target and Stop Loss Limit',
};
const HINT = 'In percent from your average price, unless Exits Given As says otherwise';

/** An item whose sentence says how many shares may have no guard, where some of the holding were sold today. */
function withSold(output: object & { summary?: string }, { sold }: HeldQuantity): object {
  if (sold === undefined) return output;
  const why = `${quantityText(sold)} were sold today, and it is not known whether the holding is smaller by them already: up to ${quantityText(sold)} more that you hold may have no guard until tomorrow.`;
  return { ...output, sold_today_qty: sold, summary: `${output.summary ?? ''} ${why}`.trim() };
}

/**
 * The last day on which an order of the day guards, YYYY-MM-DD: that of the session for which it waits; null if that is not known.
 * @param today of the market, YYYY-MM-DD
 */
function lastDayOf({ session }: AwaitedOutcome, today: string): string | null {
  return session === undefined ? today : (session.next_session?.slice(0, 10) ?? null);
}

/** An item whose sentence says that its order ends with the day. */
function withEnd(output: object & { summary?: string }, lastDay: string | null): object & { summary?: string } {
  const when = lastDay === null ? 'of its session' : `of ${showDate(lastDay)}`;
  return {
    ...output,
    summary: `${output.summary ?? ''} It ends at the close ${when}: place it again on the next day.`.trim(),
  };
}

/** Time after which every list shows a position without what was closed, milliseconds. */
const LATE_MS = 22_000;

export const protectPosition: ItemOperation = {
  name: 'Protect Position',
  action: 'Protect a position or a holding',
  description:
    'Place a stop loss or a target for what you hold in an instrument, wherever and whenever you bought it: positions and holdings. It rests with your broker, also while n8n is off, for today or until a date. Of a holding from which you have sold today, fewer shares than you hold may be guarded: see sold_today_qty. For stop loss and target together, a trailing stop or an exit time, publish the trigger Order Exits. On Live this trades real money.',
  nothing:
    'You hold nothing in this instrument that matches your filters, or you have sold half of it or more today, and what is left is certain only tomorrow. Nothing was sent.',
  properties: [
    moneyNotice,
    instrumentField,
    collection(
      'Exits',
      'exits',
      [fromAverage, { ...stopLossField, hint: HINT }, stopLossLimitField, { ...targetField, hint: HINT }],
      {
        placeholder: 'Add exit',
        description:
          'Stop Loss or Target: one of both. For a trailing stop, an exit time or both together, publish a workflow that starts with On order exits, and set Exits Of to What I Hold.',
      },
    ),
    collection('Filters', 'filters', [productsFilter]),
    simplifyField,
    collection('Options', 'options', [
      goodTillDateField,
      idempotencyKeyField,
      priceUnitField,
      tagField,
      waitSecondsField,
    ]),
    safetyField,
  ],
  async execute(item) {
    requireIdentity(item);
    const input = readProtection(item);
    const service = await item.service();
    const output = await outputOptions(item);
    const guards = guardsOf(item, service);
    const wait = { ...waitOf(item, 'nothing'), until: 'accepted' as const };
    const instrument = tradedInstrument(await instrumentOf(item, service), 'instrument');
    const context = await placementContext(item.run);
    const lock = isDryRun(guards) ? undefined : positionLockOf(item.run.functions);
    const items: INodeExecutionData[] = [];
    let before = await context.orders.list(context.signal);
    for (const first of await readHeldQuantity(item, instrument, input)) {
      let held = first;
      const { position } = first;
      const request = {
        protect: position.refId,
        product: position.product,
        exits: input.exits,
        until: input.goodTill ?? '',
      };
      const guard = async () =>
        await aloneOnPosition(held.position.refId, context, lock, async (alone, turn) => {
          const isUnchanged = noTradeSince(before, held);
          const { terms, refusal } = await protectionOf(held, instrument, input, context);
          const placing = {
            terms,
            guards,
            asked: request,
            part: position.product,
            isUnchanged,
            ...(refusal && { refusal }),
          };
          const placed = await placePartsForItem(item, placing, undefined, { ...alone, hasPosition: true }).catch(
            (error: unknown) => {
              recordUnknownOutcome(held, error, context, turn);
              throw error;
            },
          );
          const tags = placed.flatMap((order) => (order.outcome === 'confirmed' ? [order.tag] : []));
          recordSentTags(held, tags, context, turn);
          return { terms, placed };
        });
      const { terms, placed } = await guard().catch(async (error: unknown) => {
        if (!(error instanceof TradedMeanwhileError)) throw error;
        // The list may have been late, or the position is: it is counted again when both are sure to be shown.
        await context.transport.clock.sleep(LATE_MS, context.signal);
        before = await context.orders.list(context.signal);
        const now = await readHeldQuantity(item, instrument, input);
        const same = now.find((one) => one.position.product === position.product);
        if (same === undefined) throw error;
        held = same;
        return await guard();
      });
      const { units, price } = held;
      const ends = await waitForAll(
        placed.map((order) => ({ placed: order, terms, wait })),
        { context, service },
      );
      for (const end of ends) {
        if (end instanceof RejectedError) throw end;
        const placed: object & { summary?: string } = withWaitResult(placedOutput(end, terms, output), end);
        const lastDay = input.goodTill ?? lastDayOf(end, output.today);
        const ending = input.goodTill === undefined ? withEnd(placed, lastDay) : placed;
        items.push(
          item.output({
            ...(isSince12(item) ? withSold(ending, held) : placed),
            product: position.product,
            held_qty: units,
            average_price: price === undefined ? null : paiseTo(output.unit, price),
            protected_until: lastDay,
          }),
        );
      }
    }
    return items;
  },
};
