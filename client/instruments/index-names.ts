/** Full names of the indexes that have derivatives, as charts and newspapers write them, and their symbols. */
const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['NIFTY 50', 'NIFTY'],
  ['NIFTY50', 'NIFTY'],
  ['NIFTY BANK', 'BANKNIFTY'],
  ['BANK NIFTY', 'BANKNIFTY'],
  ['NIFTY FIN SERVICE', 'FINNIFTY'],
  ['NIFTY FINANCIAL SERVICES', 'FINNIFTY'],
  ['FIN NIFTY', 'FINNIFTY'],
  ['NIFTY MID SELECT', 'MIDCPNIFTY'],
  ['NIFTY MIDCAP SELECT', 'MIDCPNIFTY'],
  ['NIFTY NEXT 50', 'NIFTYNXT50'],
  ['BSE SENSEX', 'SENSEX'],
  ['S&P BSE SENSEX', 'SENSEX'],
  ['BSE BANKEX', 'BANKEX'],
  ['S&P BSE BANKEX', 'BANKEX'],
]);

/** The symbol of an underlying: that of an index whose full name it is, and otherwise the text as it is. */
export function underlyingSymbol(text: string): string {
  return SYMBOLS.get(text.trim().replace(/\s+/g, ' ').toUpperCase()) ?? text;
}
