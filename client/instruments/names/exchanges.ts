/** The exchanges that the service trades on; the one that most mean first. */
export const EXCHANGES = ['NSE', 'BSE', 'MCX'] as const;
export type Exchange = (typeof EXCHANGES)[number];

export const INSTRUMENT_KINDS = ['STOCK', 'INDEX', 'FUT', 'OPT'] as const;
/** Kind of an instrument: a share or fund, an index (not traded itself), a future, an option. */
export type InstrumentKind = (typeof INSTRUMENT_KINDS)[number];
