import { Type, type Static } from '@sinclair/typebox';
import { ApiError } from '../web/errors';
import { SALE_AUTHORISATIONS, salesOf } from '../web/sales';
import type { Sandbox } from '../simulation/sandbox';
import type { User } from '../sessions/users';

const Holding = Type.Object({
  ref_id: Type.Optional(Type.Integer()),
  symbol: Type.Optional(Type.String({ description: 'Trading symbol on NSE, in place of ref_id' })),
  qty: Type.Integer({ minimum: 0 }),
  avg_price: Type.Optional(Type.Integer({ minimum: 0, description: 'Paise; the last price when left out' })),
  pledged_qty: Type.Optional(Type.Integer({ minimum: 0 })),
});

/** Body of POST /_sandbox/accounts/{phone}. */
export const AccountChange = Type.Object(
  {
    funds: Type.Optional(Type.Integer({ description: 'Free cash from now on, paise' })),
    holdings: Type.Optional(Type.Array(Holding)),
    sales: Type.Optional(
      Type.Union([Type.Literal('ddpi'), Type.Literal('authorised_today'), Type.Literal('unauthorised')], {
        description:
          'Whether shares may be sold: by DDPI (once for all), as the holder authorises them for the day, or not',
      }),
    ),
    expire_sessions: Type.Optional(Type.Boolean()),
    unlock: Type.Optional(Type.Boolean({ description: 'Open a login that was locked by wrong codes' })),
    order_system: Type.Optional(Type.Boolean({ description: 'false: orders answer 403 OMS v2 is not enabled' })),
    order_interface: Type.Optional(
      Type.Union([Type.Literal('both'), Type.Literal('intent'), Type.Literal('v2')], {
        description: 'The order interface that the account has',
      }),
    ),
    static_ip: Type.Optional(
      Type.Union([
        Type.Object({
          enabled: Type.Optional(Type.Boolean()),
          primary: Type.Optional(Type.String()),
          secondary: Type.Optional(Type.String()),
        }),
        Type.String({ description: 'The one address that may trade' }),
        Type.Null(),
      ]),
    ),
  },
  { additionalProperties: false },
);
export type AccountChangeBody = Static<typeof AccountChange>;

/** Changes an account as asked, and shows what it has then; money in paise. @throws ApiError */
export function changeAccount(sandbox: Sandbox, user: User, change: AccountChangeBody) {
  const { world, logins } = sandbox;
  const account = user.clientCode;
  if (change.funds !== undefined) {
    const difference = change.funds - world.accounts.funds(account).available;
    if (difference !== 0) throwIfRefused(world.trade.addFunds(account, difference));
  }
  if (change.sales !== undefined) world.trade.authoriseSales(account, SALE_AUTHORISATIONS[change.sales]);
  for (const holding of change.holdings ?? []) setHolding(sandbox, account, holding);
  if (change.static_ip !== undefined || change.order_system !== undefined) {
    const staticIp = change.static_ip === undefined ? user.login.staticIp : staticIpOf(change.static_ip);
    logins.setAccess(user.phone, staticIp, change.order_system ?? user.login.mayUseOrderSystem);
  }
  if (change.order_interface !== undefined) logins.setOrderInterface(user.phone, change.order_interface);
  if (change.unlock === true) logins.unlock(user.phone);
  if (change.expire_sessions === true) logins.expire(user.phone);
  return {
    phone: user.phone,
    client_code: account,
    name: user.name,
    funds: world.accounts.funds(account),
    holdings: world.accounts.holdings(account).map(({ refId, quantity, t1Quantity, pledgedQuantity, cost }) => ({
      ref_id: refId,
      symbol: world.instrument(refId)?.symbol,
      qty: quantity,
      t1_qty: t1Quantity,
      pledged_qty: pledgedQuantity,
      cost,
    })),
    static_ip: user.login.staticIp,
    sales: salesOf(sandbox, account),
    totp_enabled: user.login.totp.enabled,
    order_system: user.login.mayUseOrderSystem,
    order_interface: user.login.orderInterface ?? sandbox.options.orderInterface,
  };
}

function setHolding(
  { world }: Sandbox,
  account: string,
  { ref_id, symbol, qty, avg_price, pledged_qty }: Static<typeof Holding>,
): void {
  const universe = world.universe();
  const instrument = ref_id === undefined ? universe.bySymbol('NSE', symbol ?? '') : universe.byRefId(ref_id);
  if (instrument === undefined)
    throw new ApiError(404, `There is no instrument ${ref_id ?? symbol ?? '(give ref_id or symbol)'}`);
  throwIfRefused(world.trade.setHolding(account, instrument.refId, qty, avg_price ?? world.lastPrice(instrument)));
  const share = Object.values(world.listings(instrument));
  const pledged = world.accounts.holdings(account).find(({ refId }) => share.includes(refId))?.pledgedQuantity ?? 0;
  if (pledged_qty !== undefined && pledged_qty !== pledged)
    throwIfRefused(world.trade.pledge(account, instrument.refId, pledged_qty - pledged));
}

function staticIpOf(requested: Exclude<AccountChangeBody['static_ip'], undefined>) {
  if (requested === null) return { enabled: false, primary: '', secondary: '' };
  if (typeof requested === 'string') return { enabled: true, primary: requested, secondary: '' };
  return { enabled: requested.enabled ?? true, primary: requested.primary ?? '', secondary: requested.secondary ?? '' };
}

function throwIfRefused(answer: { ok: true } | { ok: false; code: string; text: string }): void {
  if (!answer.ok) throw new ApiError(400, answer.text, answer.code);
}
