import type { AssetCatalog, Underlying } from '../reference/catalog';
import type { PriceProcesses } from './price-processes';
import type { RecordedStraddle } from '../recordings/types';
import { commodityOptions } from '../reference/contracts';
import { parseCompactDate } from '../../shared/dates';
import { subKey } from '../../shared/random';
import type { PriceProcess } from './price-process';
import type { HoursSegment } from '../reference/calendar';
import { OptionSecurity } from './option-security';
import { CashSecurity, FutureSecurity, type Security } from './securities';
import { equities, indices, type EquityRow } from '../reference/dated-tables';
import { FUND_TICK, INDEX_TICK, isFund, shareTicks, tickOf } from '../reference/ticks';
import type { Instrument } from '../reference/types';

function found<T>(value: T | undefined, instrument: Instrument): T {
  if (value === undefined)
    throw new RangeError(`${instrument.exchange} ${instrument.symbol} is no instrument of this market`);
  return value;
}

/** Makes the securities of the tables. */
export class SecurityFactory {
  constructor(
    private readonly catalog: AssetCatalog,
    private readonly processes: PriceProcesses,
    private readonly key: number,
    /** True if everything trades around the clock. */
    private readonly always: boolean,
    /** Recorded closes of options, by their underlying. */
    private readonly straddles?: ReadonlyMap<string, readonly RecordedStraddle[]>,
  ) {}

  equity(row: number, exchange: 'NSE' | 'BSE'): CashSecurity {
    const facts = equities()[row] as EquityRow;
    const isFollower = exchange !== this.processes.exchangeOf(row);
    const derivatives = this.catalog.hasDerivatives(facts);
    return new CashSecurity(
      this.processes.equityProcess(row),
      this.always ? 'always' : derivatives ? 'auction' : 'cash',
      subKey(this.key, exchange === 'NSE' ? 1 : 2) ^ row,
      {
        band: facts.band ?? 10,
        tick: isFund(facts.isin) ? FUND_TICK : shareTicks(exchange === 'NSE' ? facts.series : facts.bseGroup),
        apart: isFollower ? 0.0002 : 0,
        exact: !isFollower,
      },
    );
  }

  index(row: number): CashSecurity {
    return new CashSecurity(
      this.processes.indexProcess(row),
      this.always ? 'always' : 'auction',
      subKey(this.key, 3) ^ row,
      {
        band: null,
        tick: INDEX_TICK[indices()[row]?.exchange ?? 'NSE'],
        apart: 0,
        exact: true,
      },
    );
  }

  /** The security of an instrument, whatever the date of its universe. */
  of(instrument: Instrument): Security {
    const { exchange, symbol, asset } = instrument;
    if (instrument.derivativeType === 'INDEX')
      return this.index(found(this.catalog.indexRowOf.get(`${exchange} ${symbol}`), instrument));
    if (instrument.derivativeType === 'STOCK' && exchange !== 'MCX') {
      const rows = exchange === 'NSE' ? this.catalog.equityRowOf : this.catalog.bseRowOf;
      return this.equity(found(rows.get(symbol), instrument), exchange);
    }
    const underlying = found(this.catalog.underlying(exchange, asset), instrument);
    const expiry = parseCompactDate(instrument.expiry);
    if (instrument.derivativeType === 'FUT') return this.future(underlying, expiry);
    const { commodity } = underlying;
    const days = this.processes.processOf(underlying).root.days;
    const future = commodity
      ? found(
          commodityOptions(days, commodity, expiry).find((commodityOption) => commodityOption.day === expiry),
          instrument,
        ).future
      : expiry;
    return this.option(underlying, {
      expiry,
      future,
      strike: instrument.strikePrice,
      put: instrument.optionType === 'PE',
    });
  }

  private derivative(root: PriceProcess): HoursSegment {
    if (this.always) return 'always';
    return root.days.family === 'equity' ? 'derivative' : 'commodity';
  }

  private common(underlying: Underlying): {
    root: PriceProcess;
    ratio: number;
    carryKey: number;
    cash: CashSecurity | null;
  } {
    const { kind, row, exchange } = underlying;
    const cash = kind === 'INDEX' ? this.index(row) : exchange === 'MCX' ? null : this.equity(row, exchange);
    return { ...this.processes.processOf(underlying), carryKey: subKey(subKey(this.key, 4), underlying.code), cash };
  }

  future(underlying: Underlying, expiry: number): FutureSecurity {
    const { root, ratio, carryKey, cash } = this.common(underlying);
    const tick = underlying.commodity
      ? underlying.commodity.tick
      : underlying.kind === 'INDEX'
        ? 'index_future'
        : 'cash';
    return new FutureSecurity(root, this.derivative(root), subKey(carryKey, expiry), {
      expiry,
      ratio,
      carryKey,
      cash,
      tick,
    });
  }

  option(
    underlying: Underlying,
    terms: { expiry: number; future: number; strike: number; put: boolean },
  ): OptionSecurity {
    const { root, ratio, carryKey, cash } = this.common(underlying);
    const key = subKey(subKey(carryKey, terms.expiry), terms.strike * 2 + (terms.put ? 1 : 0));
    const tick = underlying.commodity?.optionTick ?? tickOf('option', terms.expiry, 0);
    return new OptionSecurity(root, this.derivative(root), key, {
      ...terms,
      ratio,
      carryKey,
      cash,
      tick,
      straddles: this.straddles?.get(`${underlying.exchange} ${underlying.symbol}`) ?? [],
    });
  }
}
