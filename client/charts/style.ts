/** Shared style of the charts: colours, and the format of money. */
import { Canvas, type Colour } from './canvas';

/** The ground of pictures: less glaring than white in a mail that is dark, and light enough for pale words. */
const CARD: Colour = [246, 247, 249];
/** The thickness of a picture's edge, dots. */
const EDGE = 2;
export const INK: Colour = [31, 41, 55];
export const PALE: Colour = [107, 114, 128];
export const RULE: Colour = [209, 213, 219];
export const GAIN: Colour = [21, 128, 61];
export const LOSS: Colour = [185, 28, 28];
export const GAIN_AREA: Colour = [74, 170, 115];
export const LOSS_AREA: Colour = [225, 110, 105];

/** Returns an empty picture with an edge, so that it is a card on a light page and on a dark one. */
export function emptyCard(width: number, height: number): Canvas {
  const canvas = new Canvas(width, height, RULE);
  canvas.rectangle(EDGE, EDGE, width - 2 * EDGE, height - 2 * EDGE, CARD);
  return canvas;
}

const whole = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 0 });
const exact = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
/** Paise below which an amount keeps its own: a loss of ₹0.50 is no loss of ₹1. */
const SMALL_PAISE = 100_00;

/** Paise as whole rupees with the groups of India, such as ₹1,00,000; small amounts with their paise, such as ₹0.50. */
export function rupeesLabel(paise: number): string {
  const amount = Math.abs(paise);
  const format = amount < SMALL_PAISE && amount % 100 !== 0 ? exact : whole;
  return `${paise < 0 ? '−' : ''}₹${format.format(amount / 100)}`;
}
