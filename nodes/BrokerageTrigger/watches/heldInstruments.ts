/** The instruments whose exits a trigger keeps: those that the user named, or those of everything that is held. */
import { attempt } from '../../../client/attempt';
import { BrokerageError } from '../../../client/base/errors';
import { heldRefIds } from '../../../client/closing/held';
import type { Portfolio } from '../../../client/exit-emulation/held-exit-emulator';
import type { Instrument } from '../../../client/instruments/instrument';
import type { TradedInstrument } from '../../../client/orders/model/order-terms';
import { numberFrom, textIn } from '../../../client/values/record';
import { instrumentOfRefId, tradedInstrument } from '../../shared/lookup';
import type { TriggerService } from '../context/triggerService';

/** Names of an instrument in the account's lists; '' if missing. */
interface ListedName {
  symbol: string;
  exchange: string;
}

/** Looks each instrument up once. */
export class HeldInstruments {
  private readonly instruments = new Map<number, Instrument>();
  private readonly reported = new Set<number>();

  /**
   * @param named undefined for everything that is held.
   * @param unknown is told once of each that no exchange lists, or that cannot be looked up.
   * @throws InputError if a named one cannot be traded
   */
  constructor(
    private readonly service: TriggerService,
    private readonly named: readonly Instrument[] | undefined,
    private readonly signal: AbortSignal,
    private readonly unknown: (refId: number, name: ListedName, error?: BrokerageError) => void,
  ) {
    for (const instrument of named ?? []) {
      tradedInstrument(instrument, 'instrument');
      this.instruments.set(instrument.refId, instrument);
    }
  }

  /** Those that are known; one that is not keeps no other from being kept. @throws what is no error of the client */
  async of({ positions, holdings }: Portfolio): Promise<TradedInstrument[]> {
    const refIds = this.named?.map(({ refId }) => refId) ?? heldRefIds(positions, holdings);
    const selected: TradedInstrument[] = [];
    for (const refId of refIds) {
      const result = await attempt(this.traded(refId));
      this.signal.throwIfAborted();
      if (!result.ok && !(result.error instanceof BrokerageError)) throw result.error;
      const instrument = result.ok ? result.value : undefined;
      if (instrument !== undefined) selected.push(instrument);
      else if (!this.reported.has(refId)) {
        this.reported.add(refId);
        const record = [...positions.positions, ...holdings.holdings].find((item) => numberFrom(item.ref_id) === refId);
        const name = { symbol: textIn(record ?? {}, 'symbol'), exchange: textIn(record ?? {}, 'exchange') };
        this.unknown(refId, name, !result.ok ? (result.error as BrokerageError) : undefined);
      }
    }
    return selected;
  }

  /** One that was found before. */
  known(refId: number): Instrument {
    return this.instruments.get(refId)!;
  }

  /** @returns undefined if no exchange lists it. @throws InputError if it cannot be traded; what the lookup throws */
  private async traded(refId: number): Promise<TradedInstrument | undefined> {
    const instrument =
      this.instruments.get(refId) ?? (await instrumentOfRefId(this.service, refId, undefined, this.signal));
    if (instrument === undefined) return undefined;
    this.instruments.set(refId, instrument);
    return tradedInstrument(instrument, 'instrument');
  }
}
