/**
 * Distance beyond its reference price (paise) at which the limit of an option may be on the side that trades at once, by date: below
 * `below` by `room` paise, above by `percent`.
 */
export const LIMIT_PROTECTION: readonly {
  effectiveFrom: string;
  source: string;
  below: number;
  room: number;
  percent: number;
}[] = [
  {
    effectiveFrom: '2010-01-01',
    source: 'Customary trade execution range of options: 20 rupees up to a price of 50, 40 percent above',
    below: 5_000,
    room: 2_000,
    percent: 40,
  },
];
