/** Shared parts of the operations on candles. */
import type { INodeProperties } from 'n8n-workflow';
import type { Instrument } from '../../../../client/instruments/instrument';
import type { CandleType } from '../../../../client/market/candles';

export const openBarField: INodeProperties = {
  displayName: 'Include the Open Bar',
  name: 'openBar',
  type: 'boolean',
  default: true,
  description:
    'Whether the bar that is still forming counts as the last one. Its values and crossings can still change.',
};

/** One query for each exchange and type: the service takes several symbols only where both are the same. */
export function groupsOf(
  instruments: readonly Instrument[],
  chain: boolean,
): { exchange: string; type: CandleType; symbols: string[] }[] {
  const groups = new Map<string, { exchange: string; type: CandleType; symbols: string[] }>();
  for (const { exchange, kind, symbol, asset } of instruments) {
    const type: CandleType = chain ? 'CHAIN' : kind;
    const group = groups.get(`${exchange} ${type}`) ?? { exchange, type, symbols: [] };
    group.symbols.push(chain ? asset : symbol);
    groups.set(`${exchange} ${type}`, group);
  }
  return [...groups.values()];
}
