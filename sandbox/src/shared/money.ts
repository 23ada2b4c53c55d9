/** The one place where money is rounded. Sums and products of paise are exact; only divisions round, half away from zero. */

/** Returns value × factor ÷ divisor, exact in between, rounded half away from zero. @throws when the result is not a safe integer. */
export function mulDiv(value: number, factor: number, divisor: number): number {
  // Most amounts are small enough for whole numbers of a double, which are a tenth of the work.
  const twice = 2 * Math.abs(value * factor) + Math.abs(divisor);
  const areWhole = Number.isSafeInteger(value) && Number.isSafeInteger(factor) && Number.isSafeInteger(divisor);
  if (Number.isSafeInteger(twice) && areWhole && divisor !== 0) {
    const by = 2 * Math.abs(divisor);
    const size = (twice - (twice % by)) / by;
    return size !== 0 && value * factor < 0 !== divisor < 0 ? -size : size;
  }
  const product = BigInt(value) * BigInt(factor);
  const by = BigInt(divisor);
  const negative = product < 0n !== by < 0n;
  const size = (2n * abs(product) + abs(by)) / (2n * abs(by));
  return requireExact(Number(negative ? -size : size));
}

/**
 * Sums prices over a quantity: paise × units, no money. Average prices are worked out of it; money is `contractValue` of market/reference.
 * @param price paise
 * @param quantity units, signed or not
 */
export function priceSum(price: number, quantity: number): number {
  return price * quantity;
}

/** Average price of a value over a quantity, paise; 0 for no quantity. */
export function average(value: number, quantity: number): number {
  return quantity === 0 ? 0 : mulDiv(value, 1, quantity);
}

/** Returns part ÷ whole in percent with two decimals; 0 for a whole of 0. */
export function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : mulDiv(part, 10_000, Math.abs(whole)) / 100;
}

/** @throws RangeError for an amount that a double cannot hold exactly. */
export function requireExact(amount: number): number {
  if (!Number.isSafeInteger(amount))
    throw new RangeError(`an amount of money left the range of exact integers: ${amount}`);
  return amount;
}

/** "1,23,45,678.90" in Indian grouping. */
export function rupees(paise: number): string {
  const digits = String(Math.abs(paise)).padStart(3, '0');
  const whole = digits.slice(0, -2);
  const last = whole.slice(-3);
  const rest = inPairs(whole.slice(0, -3));
  return `${paise < 0 ? '-' : ''}${rest ? `${rest},` : ''}${last}.${digits.slice(-2)}`;
}

/** "12,34,567": a comma before every second digit from the end. */
function inPairs(digits: string): string {
  return digits.length <= 2 ? digits : `${inPairs(digits.slice(0, -2))},${digits.slice(-2)}`;
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
