/**
 * Lots and ticks of the next session: the exchange changes them overnight, and an order that waits for the session is counted with its lot
 * and priced on its tick (docs/service/exchange-rules.md#quantities). Fetched once for the whole process, where an order asks for them.
 */
import { unlessAborted } from '../abortable';
import type { Transport } from '../transport';
import { instrumentsOn } from './catalogue';
import type { Exchange, Instrument } from './instrument';
import type { InstrumentStore } from './store';

/** Three exchanges in two environments; the one that was asked for first goes first. */
const MAX_KNOWN = 6;

/** A lot, what it is worth, and the tick: the lot without its worth would value an order wrongly. */
export type ContractLot = Pick<Instrument, 'lotSize' | 'lotMultiplier' | 'tickSize'>;

const lotsBySession = new Map<string, Promise<ReadonlyMap<number, ContractLot>>>();

/** Drops everything that is remembered: for tests. */
export function forgetSessionLots(): void {
  lotsBySession.clear();
}

/**
 * Returns the lots and ticks by ref_id that differ on a later day from those of a list.
 * @param date of the session, YYYY-MM-DD.
 * @throws as `Transport.stream`, and UnreadableReplyError when the reply is no instrument master; the next caller asks again.
 */
export async function changedLots(
  transport: Transport,
  exchange: Exchange,
  date: string,
  listed: InstrumentStore,
  signal?: AbortSignal,
): Promise<ReadonlyMap<number, ContractLot>> {
  const key = `${transport.baseUrl} ${exchange} ${listed.date} ${date}`;
  let asked = lotsBySession.get(key);
  if (asked === undefined) {
    asked = instrumentsOn(transport, exchange, date).then((later) => differences(listed, later));
    lotsBySession.set(key, asked);
    asked.catch(() => lotsBySession.delete(key));
    for (const oldest of lotsBySession.keys()) {
      if (lotsBySession.size <= MAX_KNOWN) break;
      lotsBySession.delete(oldest);
    }
  }
  return await unlessAborted(asked, signal);
}

function differences(listed: InstrumentStore, later: InstrumentStore): ReadonlyMap<number, ContractLot> {
  const lots = new Map<number, ContractLot>();
  for (let row = 0; row < later.size; row++) {
    const { refId, lotSize, lotMultiplier, tickSize } = later.instrument(row);
    const before = listed.rowOfRefId(refId);
    if (before < 0) continue;
    const { lotSize: lot, tickSize: tick } = listed.instrument(before);
    if (lot !== lotSize || tick !== tickSize) lots.set(refId, { lotSize, lotMultiplier, tickSize });
  }
  return lots;
}
