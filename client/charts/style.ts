/** Shared style of the charts: colours, and the format of money. */
import type { Colour } from './canvas';

export const WHITE: Colour = [255, 255, 255];
export const INK: Colour = [31, 41, 55];
export const PALE: Colour = [107, 114, 128];
export const RULE: Colour = [209, 213, 219];
export const GAIN: Colour = [21, 128, 61];
export const LOSS: Colour = [185, 28, 28];
export const GAIN_AREA: Colour = [74, 170, 115];
export const LOSS_AREA: Colour = [225, 110, 105];

const grouped = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 0 });

/** Paise as whole rupees with the groups of India, such as ₹1,00,000. */
export const rupees = (paise: number): string => `${paise < 0 ? '−' : ''}₹${grouped.format(Math.abs(paise) / 100)}`;
