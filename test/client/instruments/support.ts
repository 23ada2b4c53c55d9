import { MasterParser } from '../../../client/instruments/parser';
import { InstrumentStore } from '../../../client/instruments/store';
import { masterJson, masterRows } from '../../support/master';

export const TODAY = '2026-11-20';

/** Parses a reply in chunks of a size. */
export function parse(json: Uint8Array, chunkSize = json.length || 1): MasterParser {
  const parser = new MasterParser();
  for (let at = 0; at < json.length; at += chunkSize) parser.push(json.subarray(at, at + chunkSize));
  parser.finish();
  return parser;
}

export function storeOf(json: Uint8Array, chunkSize?: number): InstrumentStore {
  const parser = parse(json, chunkSize);
  return new InstrumentStore(parser.columns, parser.envelope, TODAY);
}

/** A store with shares, indices, futures and option chains. */
export function madeStore(count = 8_000, exchange = 'NSE'): InstrumentStore {
  return storeOf(masterJson(masterRows(count, exchange, 60), { exchange }));
}
