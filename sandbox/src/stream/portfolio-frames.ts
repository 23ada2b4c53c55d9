import { holdingsView, positionsView, viewDeps, type HoldingView, type PositionView } from '../web/portfolio';
import type { Sandbox } from '../simulation/sandbox';
import type { Messages } from './messages';

/** At most one update of an account in this span of virtual time, milliseconds. */
const THROTTLE_MS = 1_000;

interface SentRows {
  at: number;
  /** The update that was sent last, as text to compare with. */
  mark: string;
}

/** Makes the frames of portfolio updates, when something in them has changed and not too often (docs/service/streams.md#portfolio-update-messages). */
export class PortfolioFrames {
  private readonly sent = new Map<string, SentRows>();

  constructor(
    private readonly messages: Messages,
    private readonly sandbox: Sandbox,
  ) {}

  /** Counts the present portfolio of an account as told: updates tell of changes from here on. */
  begin(account: string): void {
    this.sent.set(account, { at: -Infinity, mark: this.response(account).mark });
  }

  /** The update of an account; undefined when nothing has changed, or the last one is too fresh. */
  next(account: string): Uint8Array | undefined {
    const { instant } = this.sandbox;
    const reported = this.sent.get(account);
    if (reported !== undefined && instant < reported.at + THROTTLE_MS && instant >= reported.at) return undefined;
    const { body, mark } = this.response(account);
    if (mark === reported?.mark) return undefined;
    this.sent.set(account, { at: instant, mark });
    return this.messages.frame('PortfolioResponse', this.messages.type('PortfolioResponse').encode(body).finish());
  }

  private response(account: string): { body: Record<string, unknown>; mark: string } {
    const deps = viewDeps(this.sandbox);
    const { instant } = this.sandbox;
    const positions = positionsView(deps, account, instant);
    const holdings = holdingsView(deps, account, instant);
    const list = (views: PositionView[] | null) => (views ?? []).map((view) => this.position(view));
    const body = {
      positionResponse: {
        clientCode: account,
        positionStats: camel(positions.position_stats),
        stockPositions: list(positions.stock_positions),
        futPositions: list(positions.fut_positions),
        optPositions: list(positions.opt_positions),
        closePositions: list(positions.close_positions),
      },
      holdingResponse: {
        clientCode: account,
        holdingStats: camel(holdings.holding_stats),
        holdings: holdings.holdings.map((view) => this.holding(view)),
      },
    };
    return { body, mark: JSON.stringify(body) };
  }

  private position(view: PositionView): Record<string, unknown> {
    const { product, order_side, exchange, ...rest } = view;
    const side = order_side === 'C' ? 'INVALID' : order_side;
    return {
      ...camel(rest),
      platName: this.platName(view.ref_id),
      exchange: this.exchange(exchange),
      orderDeliveryType: this.messages.number('OrderDeliveryType', product),
      orderSide: this.messages.number('OrderSide', `ORDER_SIDE_${side}`),
    };
  }

  private holding(view: HoldingView): Record<string, unknown> {
    const { displayName, exchange, supported_exchanges, ...rest } = view;
    return {
      ...camel(rest),
      displayName,
      platName: this.platName(view.ref_id),
      exchange: this.exchange(exchange),
      supportedExchanges: supported_exchanges,
    };
  }

  private platName(refId: number): string {
    return this.sandbox.world.instrument(refId)?.platName ?? '';
  }

  /** Number of an exchange; MCX has none. */
  private exchange(code: string): number {
    return this.messages.number('PortfolioExchange', `EXCHANGE_${code === 'MCX' ? 'INVALID' : code}`);
  }
}

/** The same object with its names in camel case, as the messages have them. */
function camel(object: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}
