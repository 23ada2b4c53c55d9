/** Prices of the index on a trading day, paise: its official close, or its last price while the day runs. */
export interface IndexDay {
  open: number;
  high: number;
  low: number;
  close: number;
  previousClose: number;
}
