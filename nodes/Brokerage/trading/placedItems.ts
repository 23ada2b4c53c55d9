/** Items with placed orders: they are waited for together, and returned in the order of the items. */
import type { INodeExecutionData } from 'n8n-workflow';
import { RejectedError } from '../../../client/base/errors';
import type { PlacementContext } from '../../../client/orders/account/placement-context';
import type { OrderTerms } from '../../../client/orders/model/order-terms';
import type { ItemContext } from '../common/itemContext';
import type { FailItem } from '../common/operation';
import { placedOutput, type OutputOptions } from './orderOutput';
import type { ConfirmedOutcome } from './placement';
import { waitForAll, withWaitResult, type FillWait, type AwaitedOutcome } from './waitForFill';

/** An item with what was placed for it: several orders where one was cut. */
export interface PlacedItem {
  item: ItemContext;
  /** Of the order as a whole. */
  terms: OrderTerms;
  orders: readonly ConfirmedOutcome[];
  wait: FillWait;
  output: OutputOptions;
}

/** Outputs of each item, by its index. */
export class ItemOutputs {
  private readonly made = new Map<number, INodeExecutionData[]>();

  /** @param failed see `BatchOperation.executeAll`. */
  constructor(private readonly failed: FailItem) {}

  /** Puts one out. */
  add({ index }: ItemContext, output: INodeExecutionData[]): void {
    this.made.set(index, output);
  }

  /** @throws the error of the item, where the run ends with it. */
  fail(error: unknown, itemIndex: number): void {
    this.made.set(itemIndex, [this.failed(error, itemIndex)]);
  }

  /** Waits for what was placed, for all of it at the same time, and puts it out. @throws as `fail` */
  async addPlaced(placed: readonly PlacedItem[], context: PlacementContext): Promise<void> {
    const [first] = placed;
    if (first === undefined) return;
    const awaited = placed.flatMap(({ orders, terms, wait }) =>
      orders.map((order) => ({ placed: order, terms, wait })),
    );
    const ends = await waitForAll(awaited, { context, service: await first.item.service() });
    for (const { item, orders, terms, output } of placed) {
      const parts = ends.splice(0, orders.length);
      const rejection = parts.find((part) => part instanceof RejectedError);
      if (rejection !== undefined) {
        this.fail(rejection, item.index);
        continue;
      }
      const awaited = parts.filter((part): part is AwaitedOutcome => !(part instanceof RejectedError));
      this.add(
        item,
        awaited.map((waited, index) =>
          item.output({
            ...withWaitResult(placedOutput(waited, terms, output), waited),
            ...(awaited.length === 1 ? {} : { part: index + 1, parts: awaited.length }),
          }),
        ),
      );
    }
  }

  /** In the order of the items. */
  all(): INodeExecutionData[] {
    return [...this.made].sort(([a], [b]) => a - b).flatMap(([, output]) => output);
  }
}
