/** An instrument master made for tests and benches: shares with names, indices, futures and option chains. */

export interface MasterRow {
  ref_id: number;
  strike_price: number;
  option_type: string;
  token: number;
  stock_name: string;
  series: string;
  plat_name: string;
  lot_size: number;
  asset: string;
  expiry: number;
  exchange: string;
  derivative_type: string;
  isin: string;
  asset_type: string;
  tick_size: number;
  underlying_prev_close: number;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
/** Expiries after 2026-11-20, YYYYMMDD: four weekly ones and two more monthly ones. */
export const EXPIRIES = [20261124, 20261201, 20261208, 20261215, 20261229, 20270128];
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** A symbol of three to eight letters, the same for the same number. */
function symbolOf(number: number): string {
  let text = '';
  for (let rest = number * 7919 + 17; text.length < 3 + (number % 6); rest = Math.floor(rest / 26) + number * 31 + 7)
    text += LETTERS[rest % 26];
  return `${text}${number % 9 === 0 ? number : ''}`;
}

function isin(number: number): string {
  return `INE${String(number).padStart(6, '0')}01${number % 10}`.padEnd(12, '0');
}

interface Underlying {
  symbol: string;
  name: string;
  index: boolean;
  close: number;
  lot: number;
  step: number;
}

const KNOWN: Underlying[] = [
  { symbol: 'NIFTY', name: 'NIFTY', index: true, close: 2_448_015, lot: 65, step: 5_000 },
  { symbol: 'BANKNIFTY', name: 'BANKNIFTY', index: true, close: 5_312_000, lot: 35, step: 10_000 },
  { symbol: 'INFY', name: 'INFOSYS LIMITED', index: false, close: 150_005, lot: 400, step: 2_000 },
  { symbol: 'RELIANCE', name: 'RELIANCE INDUSTRIES LTD', index: false, close: 139_950, lot: 500, step: 1_000 },
  { symbol: 'HDFCBANK', name: 'HDFC BANK LTD', index: false, close: 98_140, lot: 550, step: 500 },
  { symbol: 'M&M', name: 'MAHINDRA & MAHINDRA LTD', index: false, close: 361_220, lot: 200, step: 5_000 },
];

/** Rows of one exchange: about a tenth are shares, the rest futures and options of some two hundred underlyings. */
export function* masterRows(
  count: number,
  exchange = 'NSE',
  shares = Math.max(KNOWN.length, Math.floor(count / 10)),
): Generator<MasterRow> {
  const underlyings: Underlying[] = [...KNOWN];
  let refId = 60_000;
  let made = 0;
  const row = (
    fields: Partial<MasterRow> & Pick<MasterRow, 'stock_name' | 'asset' | 'derivative_type' | 'plat_name'>,
  ): MasterRow => {
    refId += 1 + (made % 3);
    made++;
    return {
      ref_id: refId,
      strike_price: fields.strike_price ?? 0,
      option_type: fields.option_type ?? 'N/A',
      token: 1_000_000 + made,
      stock_name: fields.stock_name,
      series: fields.series ?? '',
      plat_name: fields.plat_name,
      lot_size: fields.lot_size ?? 1,
      asset: fields.asset,
      expiry: fields.expiry ?? 0,
      exchange,
      derivative_type: fields.derivative_type,
      isin: fields.isin ?? 'N/A         ',
      asset_type: fields.asset_type ?? 'STOCK',
      tick_size: 5,
      underlying_prev_close: fields.underlying_prev_close ?? 0,
    };
  };
  for (let number = 0; number < shares && made < count; number++) {
    const known = KNOWN[number];
    const symbol = known?.symbol ?? symbolOf(number);
    const name =
      known?.name ?? `${symbol.charAt(0)}${symbol.slice(1).toLowerCase()} INDUSTRIES ${number % 2 ? 'LIMITED' : 'LTD'}`;
    if (known === undefined && underlyings.length < 200)
      underlyings.push({
        symbol,
        name,
        index: false,
        close: 10_000 + ((number * 997) % 400_000),
        lot: 100 + number,
        step: 1_000,
      });
    const index = known?.index === true;
    yield row({
      stock_name: index ? symbol : name,
      asset: symbol,
      derivative_type: index ? 'INDEX' : 'STOCK',
      asset_type: index ? 'INDEX' : 'STOCK',
      plat_name: index ? `INDEX_${symbol}.NSECM` : `STOCK_${symbol}.NSECM`,
      series: index ? '' : number % 50 === 49 ? 'BE' : 'EQ',
      isin: index ? 'N/A         ' : isin(number),
    });
  }
  for (let strikes = 0; made < count; strikes++) {
    for (const { symbol, index, close, lot, step } of underlyings) {
      const atTheMoney = Math.round(close / step) * step;
      for (const expiry of EXPIRIES) {
        const text = String(expiry);
        const monthly = expiry === 20261124 || expiry === 20261229 || expiry === 20270128;
        const code = monthly
          ? `${text.slice(2, 4)}${MONTHS[Number(text.slice(4, 6)) - 1]}`
          : `${text.slice(2, 4)}${Number(text.slice(4, 6))}${text.slice(6)}`;
        const derivative = {
          asset: symbol,
          expiry,
          lot_size: lot,
          asset_type: index ? 'INDEX_FO' : 'STOCK_FO',
          underlying_prev_close: close,
        };
        if (strikes === 0 && monthly && made < count) {
          yield row({
            ...derivative,
            stock_name: `${symbol}${code}FUT`,
            derivative_type: 'FUT',
            plat_name: `FUT_${symbol}_${expiry}`,
          });
        }
        // Indices have many more strikes than shares.
        const steps = index ? Array.from({ length: 8 }, (_, step) => strikes * 8 + step) : [strikes];
        const distances = steps.flatMap((step) => (step === 0 ? [0] : [step, -step]));
        for (const distance of distances) {
          const strike = atTheMoney + distance * step;
          if (strike <= 0) continue;
          for (const option of ['CE', 'PE']) {
            if (made >= count) return;
            yield row({
              ...derivative,
              strike_price: strike,
              option_type: option,
              derivative_type: 'OPT',
              stock_name: `${symbol}${code}${strike / 100}${option}`,
              plat_name: `OPT_${symbol}_${expiry}_${option}_${strike}`,
            });
          }
        }
      }
    }
  }
}

/** The reply of the service with these rows, under the raw name of the platform's word. */
export function masterJson(
  rows: Iterable<MasterRow>,
  { exchange = 'NSE', isTradingOn = true, word = 'plat' } = {},
): Buffer {
  const parts: string[] = [];
  for (const row of rows) parts.push(JSON.stringify(row).replace('"plat_name"', `"${word}_name"`));
  return Buffer.from(
    `{"exchange":"${exchange}","is_trading_on":${isTradingOn},"message":"refdata","refdata":[${parts.join(',')}]}`,
  );
}
