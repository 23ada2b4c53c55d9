/** Amounts as people in India write them. */
const decimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
const grouped = new Intl.NumberFormat('en-IN', decimals);
const unrounded = new Intl.NumberFormat('en-IN', { ...decimals, maximumFractionDigits: 12 });
const whole = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 0 });

/** Returns the sign of the shown amount: what is rounded to 0 has none. @param shown without a sign */
function signOf(amount: number, shown: string): '+' | '−' | '' {
  if (!/[1-9]/.test(shown)) return '';
  return amount < 0 ? '−' : '+';
}

/** Paise such as -10650050 as −₹1,06,500.50. */
export function rupeesText(paise: number): string {
  return signedRupees(paise).replace('+', '');
}

/** As `rupeesText`, with all decimals of what is no whole number of paise: 150005.5 as ₹1,500.055. */
export function exactRupeesText(paise: number): string {
  return `${paise < 0 ? '−' : ''}₹${unrounded.format(Math.abs(paise) / 100)}`;
}

/** As `rupeesText`, with a plus for what was gained. */
export function signedRupees(paise: number): string {
  const shown = grouped.format(Math.abs(paise) / 100);
  return `${signOf(paise, shown)}₹${shown}`;
}

/** An amount without the sign of the rupee, with its paise where it has some: 21,950 and 182.50. */
export function strikeText(paise: number): string {
  return (paise % 100 === 0 ? whole : grouped).format(paise / 100);
}

/** Units in groups. */
export function quantityText(units: number): string {
  const shown = whole.format(Math.abs(units));
  return `${signOf(units, shown).replace('+', '')}${shown}`;
}

/** A percentage with its sign. */
export function percentText(percent: number): string {
  const shown = grouped.format(Math.abs(percent));
  return `${signOf(percent, shown)}${shown}%`;
}
