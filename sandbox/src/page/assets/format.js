/** Writing and reading of figures and times. */
const IST = { timeZone: 'Asia/Kolkata', hourCycle: 'h23' };
const MINUTE = { hour: '2-digit', minute: '2-digit' };
const SECOND = { ...MINUTE, second: '2-digit' };
/** Products in the words of the ticket. */
export const PRODUCTS = { CNC: 'Delivery', IDAY: 'Intraday' };
const rupees = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' });
const wholeRupees = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR', maximumFractionDigits: 0 });
const twoDecimals = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const whole = new Intl.NumberFormat('en-IN');
const clockTime = new Intl.DateTimeFormat('en-IN', { ...IST, ...SECOND });
const shortTime = new Intl.DateTimeFormat('en-IN', { ...IST, ...MINUTE, day: 'numeric', month: 'short' });
const day = new Intl.DateTimeFormat('en-IN', { ...IST, weekday: 'short', day: '2-digit', month: 'short' });
const dateTime = new Intl.DateTimeFormat('en-IN', {
  ...IST,
  ...SECOND,
  weekday: 'short',
  day: '2-digit',
  month: 'short',
  year: 'numeric',
});

/** A figure with the minus sign where it is negative, as wide as a plus: numbers have a hyphen. */
const withMinus = (text) => text.replace('-', '−');
/** Paise as rupees. */
export const money = (paise) => withMinus(rupees.format(paise / 100));
/** Paise as rupees without the part after the point. */
export const roundMoney = (paise) => withMinus(wholeRupees.format(Math.round(paise / 100) || 0));
/** Paise as a bare figure, or an index in points: a hundredth is the unit of both. */
export const figure = (hundredths) => withMinus(twoDecimals.format(hundredths / 100));
/** A price (rupees) of the chart's axis. Below 0, where the axis has its room for the volume of a cheap option, there is none. */
export const axisPrice = (price) => (price < 0 ? '' : figure(Math.round(price * 100)));
export const count = (number) => withMinus(whole.format(number));
/** A ratio with the decimals that it has. */
export const decimal = (number) => withMinus(String(number));
/** An instant as the time of day in IST. */
export const timeOf = (at) => clockTime.format(new Date(at));
/** An instant as day, hour and minute in IST. */
export const shortTimeOf = (at) => shortTime.format(new Date(at));
export const dayOf = (at) => day.format(new Date(at));
export const dateTimeOf = (at) => dateTime.format(new Date(at));

/**
 * Rupees that were typed ("1,500.05") as paise; undefined for an empty text.
 * @throws an error that says what to type
 */
export function paiseOf(text, name) {
  const typed = text.replaceAll(',', '').trim();
  if (typed === '') return undefined;
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(typed))
    throw new Error(`${name}: enter rupees with at most two decimals, such as 1500.05`);
  const [wholePart, part = ''] = typed.split('.');
  return Number(wholePart) * 100 + Number(part.padEnd(2, '0'));
}

/** A quantity that was typed. @throws an error that says what to type */
export function quantityOf(text) {
  const typed = text.replaceAll(',', '').trim();
  if (!/^[1-9]\d{0,8}$/.test(typed)) throw new Error('Quantity: enter a whole number above 0');
  return Number(typed);
}

/** Change in percent since the previous close, with its arrow: ▲ +0.75 %. */
export function changeOf({ last_price: last, previous_close: previous }) {
  const change = previous > 0 ? (100 * (last - previous)) / previous : 0;
  const shown = change.toFixed(2);
  if (Number(shown) === 0) return { text: '0.00 %', className: '' };
  return change > 0
    ? { text: `▲ +${shown} %`, className: 'up' }
    : { text: `▼ ${withMinus(shown)} %`, className: 'down' };
}
