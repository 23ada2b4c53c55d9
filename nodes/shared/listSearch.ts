import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { EXCHANGES, labelOf, type InstrumentKind } from '../../client/instruments/instrument';
import { nodeError } from './errors';
import { instrumentKey } from './instrumentField';
import { searchLists } from './lists';
import { marketDate } from './lookup';
import { openService } from './service';

const SHOWN = 50;

/** An index cannot be traded itself, so it is no choice where something is placed. */
const TRADED: readonly InstrumentKind[] = ['STOCK', 'FUT', 'OPT'];

function isTraded(functions: ILoadOptionsFunctions): boolean {
  return ['basket', 'order'].includes(String(functions.getCurrentNodeParameter('resource')));
}

/** The instrument picker: what fits best what was typed, each line telling twins apart. */
export async function searchInstruments(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
  const secrets = new Set<string>();
  try {
    const service = await openService(this, secrets);
    const hits = await searchLists(service, EXCHANGES, filter ?? '', {
      today: marketDate(service.transport),
      limit: SHOWN,
      ...(isTraded(this) ? { kinds: TRADED } : {}),
    });
    return {
      results: hits.map(({ store, row }) => {
        const instrument = store.instrument(row);
        return {
          name: labelOf(instrument),
          value: instrumentKey(
            service.connection.environment,
            instrument.exchange,
            instrument.refId,
            instrument.symbol,
          ),
        };
      }),
    };
  } catch (error) {
    throw nodeError(this.getNode(), error, { secrets });
  }
}
