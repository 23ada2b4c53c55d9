/**
 * Rules of the regulator and the exchanges on orders over an API, by year (docs/service/exchange-rules.md#orders-over-an-api). Market price
 * protection is not among them: the sandbox has it always (`exchange/data/market-protection.ts`).
 */
const API_RULES = {
  '2026': {
    effectiveFrom: '2026-04-01',
    source:
      "SEBI's circular of 4 February 2025 on retail investors in algorithmic trading, NSE's implementation standards of 5 May 2025, help pages of brokers",
    /** Orders of one account on one exchange in a second, all its programs together. A sliced order or an iceberg counts as one. */
    ordersPerSecond: 10,
    /** Sessions and logins end at this time (IST), before the pre-open; brokers differ. */
    sessionsEndAt: '06:00',
    /** Registered for every user at the start: this machine, so that orders can be placed at once. */
    registered: { primary: '127.0.0.1', secondary: '::1' },
  },
} as const;

/** Rules that a sandbox keeps: `off` takes orders from everywhere, at the rate of `--rate-limit`, in sessions of seven hours. */
export type RulesOption = 'off' | keyof typeof API_RULES;

/** The rules of an option; undefined for none. */
export function apiRules(option: RulesOption): (typeof API_RULES)['2026'] | undefined {
  return option === 'off' ? undefined : API_RULES[option];
}
