/** Amounts as people in India write them. */
const decimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
const grouped = new Intl.NumberFormat('en-IN', decimals);
const unrounded = new Intl.NumberFormat('en-IN', { ...decimals, maximumFractionDigits: 12 });
const whole = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 0 });

/** Paise such as -10650050 as −₹1,06,500.50. */
export function rupeesText(paise: number): string {
  return `${paise < 0 ? '−' : ''}₹${grouped.format(Math.abs(paise) / 100)}`;
}

/** As `rupeesText`, with all decimals of what is no whole number of paise: 150005.5 as ₹1,500.055. */
export function exactRupeesText(paise: number): string {
  return `${paise < 0 ? '−' : ''}₹${unrounded.format(Math.abs(paise) / 100)}`;
}

/** As `rupeesText`, with a plus for what was gained. */
export function signedRupees(paise: number): string {
  return paise > 0 ? `+${rupeesText(paise)}` : rupeesText(paise);
}

/** Units in groups. */
export const quantityText = (units: number): string => `${units < 0 ? '−' : ''}${whole.format(Math.abs(units))}`;

/** A percentage with its sign. */
export function percentText(percent: number): string {
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${grouped.format(Math.abs(percent))}%`;
}
