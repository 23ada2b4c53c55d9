import { createAccounts } from '../../../sandbox/src/accounts/accounts';
import { writeAccountHistory } from '../../../sandbox/src/accounts/backfill';
import type { Accounts } from '../../../sandbox/src/accounts/types';
import type { NewOrder, Trade } from '../../../sandbox/src/shared/orders';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import { createReports } from '../../../sandbox/src/reports/reports';
import type { ReportClient } from '../../../sandbox/src/reports/document/types';
import { FUTURE, INFY, NIFTY, TCS } from '../accounts/support';

export const CLIENT: ReportClient = {
  clientCode: 'BS0001',
  name: 'Asha Rao',
  email: 'asha.rao@example.com',
  phone: '9000000001',
  pan: 'ABCPS1234K',
};
/** Saturday 2026-11-21, 10:00 IST. */
export const NOW = Date.parse('2026-11-21T10:00:00+05:30');
export const FUNDS = 1_000_000_000;

const others = ['RELIANCE', 'HDFCBANK', 'ITC', 'SBIN'].map((symbol, index): Instrument => ({
  ...INFY,
  refId: 21 + index,
  symbol,
  asset: symbol,
  displayName: `${symbol} Limited`,
  isin: `INE00${index}A01018`,
  platName: `STOCK_${symbol}.NSECM`,
}));
export const SHARES: Instrument[] = [
  { ...INFY, displayName: 'Infosys', isin: 'INE009A01021' },
  { ...TCS, displayName: 'Tata Consultancy Services', isin: 'INE467B01029' },
  ...others,
];
const ALL = [...SHARES, NIFTY, FUTURE];

/** A price that only depends on the instrument and the instant. */
export function price({ refId }: Instrument, at: number): number {
  const base = refId === 10 || refId === 11 ? 2_600_000 : 50_000 + refId * 6_000;
  const wave = Math.sin(at / 3.1e8 + refId) * 0.04 + Math.sin(at / 2.3e6 + refId * 7) * 0.006 + (at - NOW) / 4e11;
  return Math.round((base * (1 + wave)) / 5) * 5;
}

export function world() {
  const isTradingDay = (_exchange: string, date: string) => ![0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());
  const accounts: Accounts = createAccounts({
    calendar: { isTradingDay, nextTradingDay: (_exchange, date) => date },
    instrument: (refId) => ALL.find((instrument) => instrument.refId === refId),
    listings: ({ refId }) => [refId],
    buyIn: (instrument, _soldOn, at) => ({ price: price(instrument, at), how: 'AUCTION' }),
    lastPrice: price,
    previousClose: (instrument, at) => price(instrument, at - 86_400_000),
  });
  let state = 42;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
  const holdings = [SHARES[0]!, SHARES[2]!, SHARES[4]!].map((instrument, index) => ({
    instrument,
    quantity: [100, 60, 250][index]!,
    averagePrice: 51_000 + index * 7,
  }));
  writeAccountHistory(
    { accounts, calendar: { isTradingDay }, price, random },
    {
      account: CLIENT.clientCode,
      funds: FUNDS,
      holdings,
      shares: [SHARES[1]!, SHARES[3]!, SHARES[5]!],
      future: FUTURE,
      until: NOW,
      days: 100,
    },
    7_000_000_000_000_000_001n,
  );
  const reports = createReports({ accounts, lastPrice: price, previousClose: price, seed: 1 });
  return { accounts, reports };
}

let next = 8_000_000_000_000_000_001n;

/** A trade without an order before it. */
export function trade(of: Pick<NewOrder, 'refId' | 'side' | 'product' | 'quantity' | 'price'>, at: number): Trade {
  next += 2n;
  return { ...of, id: next, orderId: next - 1n, account: CLIENT.clientCode, at: BigInt(at) * 1_000_000n };
}
