import { contractValue } from '../../market/reference/contract-value';
import type { SimulatedBrokerage } from '../../simulation/brokerage';
import { istDate } from '../../shared/time';
import type { Instrument } from '../../market/reference/types';

type Books = Pick<SimulatedBrokerage, 'accounts' | 'instrument' | 'lastPrice'>;

/** `portFundsAndMargin` (docs/service/portfolio.md#newer-names), paise: the same books as the older reply, in more parts. */
export function intentFunds(world: Books, account: string, at: number) {
  const { accounts } = world;
  const funds = accounts.funds(account);
  const blocked = accounts.blocked(account);
  const trades = accounts.trades(account).filter(({ date }) => date === istDate(at));
  const premium = (side: 'BUY' | 'SELL'): number =>
    trades.reduce((sum, { trade }) => {
      const instrument = world.instrument(trade.refId);
      const isOwn = instrument?.derivativeType === 'OPT' && trade.side === side;
      return sum + (isOwn ? contractValue(instrument, trade.price, trade.quantity) : 0);
    }, 0);
  const [bought, sold] = [premium('BUY'), premium('SELL')];
  const mark = (requested: (instrument: Instrument, product: string) => boolean): number =>
    accounts.positions(account).reduce((sum, { refId, product, openQuantity, openValue, realised }) => {
      const instrument = world.instrument(refId);
      if (instrument === undefined || !requested(instrument, product)) return sum;
      if (openQuantity === 0) return sum + realised;
      return sum + realised + contractValue(instrument, world.lastPrice(instrument), openQuantity) - openValue;
    }, 0);
  const share = ({ derivativeType }: Instrument): boolean => derivativeType !== 'FUT' && derivativeType !== 'OPT';
  const traded = accounts.positions(account).reduce((sum, { refId, product, openValue }) => {
    const instrument = world.instrument(refId);
    const cnc = instrument !== undefined && share(instrument) && product === 'CNC';
    return sum + (cnc ? Math.max(0, openValue) : 0);
  }, 0);
  return {
    clientCode: account,
    startOfDayFunds: funds.opening,
    payInCredit: Math.max(0, funds.added),
    payOutDebit: Math.max(0, -funds.added),
    netDerivativePremBuy: bought,
    netDerivativePremSell: sold,
    netDerivativePrem: sold - bought,
    cashBlockedCncTraded: traded,
    cashBlockedCncOpen: blocked.sharesCash,
    cashBlockedDerivOpen: blocked.derivativesCash,
    cashCncTradedAndOpen: traded + blocked.sharesCash,
    mtmDeriv: mark((instrument) => !share(instrument)),
    mtmEqIdayCnc: mark((instrument, product) => share(instrument) && product === 'IDAY'),
    mtmEqDelivery: mark((instrument, product) => share(instrument) && product === 'CNC'),
    netTradingAmount: funds.realised - funds.charges - funds.invested,
    netWithdrawalAmount: Math.max(0, funds.available),
    totalPayinCash: Math.max(0, funds.added),
    startOfDayCollateral: funds.collateral,
    idayCollateralPledge: 0,
    idayCollateralPledgeSell: 0,
    totalCollateral: funds.collateral,
    marginUsedDerivTraded: blocked.derivativePositions,
    marginBlockDerivOpenOrder: blocked.derivativesMargin,
    marginUsedEqIday: blocked.intradayPositions,
    marginBlockedEqIdayOpen: blocked.sharesMargin,
    netMarginAvailable: funds.available + funds.collateral - funds.collateralUsed,
    totalMarginBlocked: funds.heldForOrders + funds.heldForPositions,
    derivativeMarginBlocked: blocked.derivativePositions + blocked.derivativesMargin,
    brokerage: trades.reduce((sum, { charges }) => sum + charges.brokerage, 0),
  };
}
