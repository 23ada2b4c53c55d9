/** Time at which an intraday basket is closed if it names no exit time, IST; when that is past, so many minutes before the close. */
export const BASKET_EXIT_TIMES: readonly {
  effectiveFrom: string;
  source: string;
  time: string;
  minutesBeforeClose: number;
}[] = [
  {
    effectiveFrom: '2010-01-01',
    time: '15:05',
    minutesBeforeClose: 5,
    source: 'Specification of the service: Basket rules, 3',
  },
];
