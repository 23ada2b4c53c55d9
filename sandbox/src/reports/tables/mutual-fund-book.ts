/**
 * The mutual funds of an account: a made-up history of monthly instalments and a few redemptions, the same for the same
 * seed and client. Schemes and houses are invented. NAVs have four decimals (ten-thousandths of a rupee), units three.
 */
import { mulDiv } from '../../shared/money';

export interface FundScheme {
  code: string;
  name: string;
  house: string;
  kind: 'Equity' | 'Debt';
  /** ISIN-like identifier of our own. */
  isin: string;
  /** NAV on the first day, ten-thousandths of a rupee. */
  first: number;
  /** Drift and spread of a day, millionths. */
  drift: number;
  spread: number;
  /** Instalment, paise. */
  instalment: number;
}

export interface FundOrder {
  id: string;
  date: string;
  scheme: FundScheme;
  folio: string;
  type: 'SIP' | 'Lump sum' | 'Redemption';
  status: 'Allotted' | 'Redeemed' | 'Rejected';
  /** Paise. */
  amount: number;
  /** Thousandths. */
  units: number;
  nav: number;
  stampDuty: number;
}

/** Units of a purchase matched with a redemption, first in first out. */
export interface FundGain {
  scheme: FundScheme;
  folio: string;
  buyDate: string;
  buyNav: number;
  sellDate: string;
  sellNav: number;
  units: number;
  buyValue: number;
  sellValue: number;
}

export interface FundHolding {
  scheme: FundScheme;
  folio: string;
  units: number;
  /** Paise. */
  cost: number;
  nav: number;
  value: number;
}

const SCHEMES: readonly FundScheme[] = [
  {
    code: 'SHFC-DG',
    name: 'Sahyadri Flexi Cap Fund - Direct Plan - Growth',
    house: 'Sahyadri Mutual Fund',
    kind: 'Equity',
    isin: 'INFS01A01012',
    first: 482_315,
    drift: 520,
    spread: 9_000,
    instalment: 1_000_000,
  },
  {
    code: 'KVLC-DG',
    name: 'Kaveri Large Cap Fund - Direct Plan - Growth',
    house: 'Kaveri Mutual Fund',
    kind: 'Equity',
    isin: 'INFS02B01018',
    first: 314_406,
    drift: 430,
    spread: 7_500,
    instalment: 500_000,
  },
  {
    code: 'NLMC-DG',
    name: 'Nilgiri Mid Cap Opportunities Fund - Direct Plan - Growth',
    house: 'Nilgiri Mutual Fund',
    kind: 'Equity',
    isin: 'INFS03C01015',
    first: 958_870,
    drift: 610,
    spread: 11_500,
    instalment: 750_000,
  },
  {
    code: 'ARLQ-DG',
    name: 'Aravalli Liquid Fund - Direct Plan - Growth',
    house: 'Aravalli Mutual Fund',
    kind: 'Debt',
    isin: 'INFS04D01019',
    first: 24_518_204,
    drift: 180,
    spread: 25,
    instalment: 2_000_000,
  },
];

const FIRST_DAY = Date.parse('2023-01-02T00:00:00Z');
const DAY = 86_400_000;
/** First instalments: year and month. */
const FIRST_MONTH = { year: 2024, month: 6 };
/** Stamp duty on purchases of units, millionths of the amount. */
const STAMP = 50;
const ODDS_OF_REJECTION = 40;

/** Funds of one client, as of a date (YYYY-MM-DD); `seed` makes NAVs and amounts. */
export class MutualFundBook {
  readonly orders: FundOrder[] = [];
  readonly gains: FundGain[] = [];
  private readonly lots = new Map<string, { date: string; units: number; nav: number; cost: number }[]>();
  private readonly navs = new Map<string, number[]>();

  constructor(
    private readonly seed: number,
    private readonly client: string,
    private readonly today: string,
  ) {
    for (const date of this.instalmentDays()) {
      SCHEMES.forEach((scheme, index) => this.buy(scheme, index, date));
      if (date.slice(5, 7) === '03' || date.slice(5, 7) === '10')
        this.redeem(SCHEMES[date.slice(5, 7) === '03' ? 3 : 1]!, businessDay(date, 7));
    }
    this.orders.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  }

  get firstDate(): string {
    return this.orders[0]?.date ?? this.today;
  }

  /** NAV of a scheme at the end of a date, ten-thousandths of a rupee. */
  nav(scheme: FundScheme, date: string): number {
    const day = Math.max(0, Math.floor((Date.parse(`${date}T00:00:00Z`) - FIRST_DAY) / DAY));
    let navs = this.navs.get(scheme.code);
    if (!navs) this.navs.set(scheme.code, (navs = [scheme.first]));
    for (let next = navs.length; next <= day; next += 1) {
      const weekend = [0, 6].includes(new Date(FIRST_DAY + next * DAY).getUTCDay());
      const swing = Math.round((this.draw(`${scheme.code} ${next}`) * 2 - 1) * scheme.spread);
      navs.push(
        weekend && scheme.kind === 'Equity'
          ? navs[next - 1]!
          : mulDiv(navs[next - 1]!, 1_000_000 + scheme.drift + swing, 1_000_000),
      );
    }
    return navs[day]!;
  }

  holdings(date: string): FundHolding[] {
    return SCHEMES.flatMap((scheme) => {
      const bought = this.orders.filter(
        (order) => order.scheme === scheme && order.date <= date && order.status === 'Allotted',
      );
      const sold = this.gains.filter((gain) => gain.scheme === scheme && gain.sellDate <= date);
      const units =
        bought.reduce((sum, order) => sum + order.units, 0) - sold.reduce((sum, gain) => sum + gain.units, 0);
      if (units === 0) return [];
      const cost =
        bought.reduce((sum, order) => sum + order.amount, 0) - sold.reduce((sum, gain) => sum + gain.buyValue, 0);
      const nav = this.nav(scheme, date);
      return [{ scheme, folio: this.folio(scheme), units, cost, nav, value: unitsValue(units, nav) }];
    });
  }

  private instalmentDays(): string[] {
    const days: string[] = [];
    for (let month = FIRST_MONTH.month; ; month += 1) {
      const date = businessDay(new Date(Date.UTC(FIRST_MONTH.year, month - 1, 5)).toISOString().slice(0, 10), 0);
      if (date >= this.today) break;
      days.push(date);
    }
    return days;
  }

  private buy(scheme: FundScheme, index: number, date: string): void {
    const chance = this.draw(`${scheme.code} ${date} order`);
    if (index > 0 && chance < 0.12) return;
    const rejected = Math.floor(chance * 1_000) % ODDS_OF_REJECTION === 7;
    const lumpSum = chance > 0.9;
    const amount = scheme.instalment * (lumpSum ? 3 : 1);
    const stampDuty = rejected ? 0 : mulDiv(amount, STAMP, 1_000_000);
    const nav = this.nav(scheme, date);
    const units = rejected ? 0 : Math.floor(((amount - stampDuty) * 100_000) / nav);
    this.orders.push({
      id: this.orderId(scheme, date),
      date,
      scheme,
      folio: this.folio(scheme),
      type: lumpSum ? 'Lump sum' : 'SIP',
      status: rejected ? 'Rejected' : 'Allotted',
      amount,
      units,
      nav: rejected ? 0 : nav,
      stampDuty,
    });
    if (rejected) return;
    const lots = this.lots.get(scheme.code) ?? [];
    lots.push({ date, units, nav, cost: amount });
    this.lots.set(scheme.code, lots);
  }

  /** Sells about a third of what is there, oldest units first. */
  private redeem(scheme: FundScheme, date: string): void {
    const lots = this.lots.get(scheme.code) ?? [];
    let units = Math.floor(lots.reduce((sum, lot) => sum + lot.units, 0) / 3);
    if (units === 0 || date >= this.today) return;
    const nav = this.nav(scheme, date);
    const redeemed = units;
    let amount = 0;
    while (units > 0) {
      const lot = lots[0]!;
      const size = Math.min(units, lot.units);
      const buyValue = size === lot.units ? lot.cost : mulDiv(lot.cost, size, lot.units);
      const sellValue = unitsValue(size, nav);
      this.gains.push({
        scheme,
        folio: this.folio(scheme),
        buyDate: lot.date,
        buyNav: lot.nav,
        sellDate: date,
        sellNav: nav,
        units: size,
        buyValue,
        sellValue,
      });
      amount += sellValue;
      units -= size;
      lot.units -= size;
      lot.cost -= buyValue;
      if (lot.units === 0) lots.shift();
    }
    this.orders.push({
      id: this.orderId(scheme, date),
      date,
      scheme,
      folio: this.folio(scheme),
      type: 'Redemption',
      status: 'Redeemed',
      amount,
      units: redeemed,
      nav,
      stampDuty: 0,
    });
  }

  private folio(scheme: FundScheme): string {
    return `${10_000_000 + Math.floor(this.draw(`folio ${this.client} ${scheme.house}`) * 89_999_999)}/01`;
  }

  private orderId(scheme: FundScheme, date: string): string {
    return `MF${date.replaceAll('-', '')}${String(Math.floor(this.draw(`id ${this.client} ${scheme.code} ${date}`) * 1_000_000)).padStart(6, '0')}`;
  }

  /** A number in [0, 1) that follows from the seed and a text. */
  private draw(text: string): number {
    let hash = (2_166_136_261 ^ this.seed) >>> 0;
    for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619) >>> 0;
    hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_519) >>> 0;
    hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_917) >>> 0;
    return ((hash ^ (hash >>> 16)) >>> 0) / 4_294_967_296;
  }
}

/** Worth of units (thousandths) at a NAV (ten-thousandths of a rupee), paise. */
export function unitsValue(units: number, nav: number): number {
  return mulDiv(units, nav, 100_000);
}

/** The date itself, or so many days later, moved on from a weekend. */
function businessDay(date: string, later: number): string {
  const day = new Date(Date.parse(`${date}T00:00:00Z`) + later * DAY);
  const weekday = day.getUTCDay();
  return new Date(day.getTime() + (weekday === 6 ? 2 : weekday === 0 ? 1 : 0) * DAY).toISOString().slice(0, 10);
}
