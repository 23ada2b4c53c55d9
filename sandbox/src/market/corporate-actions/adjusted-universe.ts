import { parseDayNumber } from '../../shared/dates';
import { FUND_TICK, isFund, shareTicks, tickOf } from '../reference/ticks';
import type { DerivativeType, ExchangeCode, Instrument, Universe } from '../reference/types';
import { adjustedContract, priceFactor } from './terms';
import type { EffectiveAction } from '../../shared/corporate-actions';

/** Facts that the universe needs of corporate actions and prices. */
export interface AdjustedUniverseDeps {
  /** Those of a share that have taken effect, by its ref_id. */
  effective(refId: number): readonly EffectiveAction[];
  /** Trading symbols of the shares that have any. */
  symbols: readonly string[];
  /** Close of the trading day before the universe's, by the terms at listing, paise. */
  close(instrument: Instrument): number;
}

/** A universe in which shares and their contracts have what corporate actions have made of them. */
export class AdjustedUniverse implements Universe {
  private readonly instruments = new Map<number, Instrument>();
  private named: Map<string, Instrument> | undefined;

  constructor(
    private readonly listed: Universe,
    private readonly deps: AdjustedUniverseDeps,
  ) {}

  get date(): string {
    return this.listed.date;
  }

  get size(): number {
    return this.listed.size;
  }

  *all(exchange?: ExchangeCode, types?: readonly DerivativeType[]): Iterable<Instrument> {
    for (const instrument of this.listed.all(exchange, types)) yield this.adjusted(instrument);
  }

  byRefId(refId: number): Instrument | undefined {
    const instrument = this.listed.byRefId(refId);
    return instrument && this.adjusted(instrument);
  }

  bySymbol(exchange: ExchangeCode, symbol: string): Instrument | undefined {
    return this.option(`${exchange} ${symbol}`, this.listed.bySymbol(exchange, symbol));
  }

  byPlatName(exchange: ExchangeCode, name: string): Instrument | undefined {
    return this.option(`${exchange} ${name}`, this.listed.byPlatName(exchange, name));
  }

  expiries(exchange: ExchangeCode, asset: string): number[] {
    return this.listed.expiries(exchange, asset);
  }

  options(exchange: ExchangeCode, asset: string, expiry: number): { ce: Instrument[]; pe: Instrument[] } {
    const { ce, pe } = this.listed.options(exchange, asset, expiry);
    const adjusted = (instrument: Instrument): Instrument => this.adjusted(instrument);
    return { ce: ce.map(adjusted), pe: pe.map(adjusted) };
  }

  futures(exchange: ExchangeCode, asset: string): Instrument[] {
    return this.listed.futures(exchange, asset).map((future) => this.adjusted(future));
  }

  /** Returns the option of a name: an option whose strike was adjusted has another name than the one that was listed with it. */
  private option(name: string, found: Instrument | undefined): Instrument | undefined {
    const plain = found && this.adjusted(found);
    const cachedInstrument = this.names().get(name);
    return cachedInstrument ?? (plain?.listed === undefined || plain.derivativeType !== 'OPT' ? plain : undefined);
  }

  /** Adjusted options by the names that they have now. */
  private names(): Map<string, Instrument> {
    if (this.named !== undefined) return this.named;
    this.named = new Map();
    for (const symbol of this.deps.symbols)
      for (const exchange of ['NSE', 'BSE'] as const)
        for (const expiry of this.listed.expiries(exchange, symbol)) {
          const { ce, pe } = this.options(exchange, symbol, expiry);
          for (const instrument of [...ce, ...pe])
            for (const name of [instrument.symbol, instrument.platName])
              this.named.set(`${exchange} ${name}`, instrument);
        }
    return this.named;
  }

  private adjusted(instrument: Instrument): Instrument {
    const { refId, underlyingRefId, derivativeType } = instrument;
    const actions = this.deps.effective(underlyingRefId ?? refId);
    if (actions.length === 0) return instrument;
    const cachedInstrument = this.instruments.get(refId);
    if (cachedInstrument !== undefined) return cachedInstrument;
    const contract = underlyingRefId === null ? instrument : adjustedContract(instrument, actions);
    const adjusted = derivativeType === 'OPT' ? contract : { ...contract, tickSize: this.tick(instrument, actions) };
    this.instruments.set(refId, adjusted);
    return adjusted;
  }

  /** The tick of a share, or of a future on it, by the close of the day before. */
  private tick({ refId, underlyingRefId }: Instrument, actions: readonly EffectiveAction[]): number {
    const share = this.listed.byRefId(underlyingRefId ?? refId)!;
    if (isFund(share.isin)) return FUND_TICK;
    const close = actions.reduce((price, action) => price * priceFactor(action), this.deps.close(share));
    return tickOf(shareTicks(share.series), parseDayNumber(this.listed.date), close);
  }
}
