/** Amounts as people in India write them. */
import { exactRupeesText, percentText, quantityText, rupeesText, signedRupees } from '../../../client/values/amounts';

test.each([
  [0, '₹0.00', '₹0.00'],
  [5, '₹0.05', '+₹0.05'],
  [-5, '−₹0.05', '−₹0.05'],
  [0.4, '₹0.00', '₹0.00'],
  [-0.4, '₹0.00', '₹0.00'],
  [-0.6, '−₹0.01', '−₹0.01'],
  [-0, '₹0.00', '₹0.00'],
  [100.5, '₹1.01', '+₹1.01'],
  [115.5, '₹1.16', '+₹1.16'],
  [1_375_369_923_428_217, '₹1,37,53,69,92,34,282.17', '+₹1,37,53,69,92,34,282.17'],
  [-1_000, '−₹10.00', '−₹10.00'],
  [100_000, '₹1,000.00', '+₹1,000.00'],
  [-10_650_050, '−₹1,06,500.50', '−₹1,06,500.50'],
  [123_456_789_012, '₹1,23,45,67,890.12', '+₹1,23,45,67,890.12'],
])('%d paise are %s, and %s as a gain or a loss', (paise, text, signed) => {
  expect([rupeesText(paise), signedRupees(paise)]).toEqual([text, signed]);
});

test.each([
  [0, '₹0.00'],
  [150_005, '₹1,500.05'],
  [150_005.5, '₹1,500.055'],
  [-10_650_050.125, '−₹1,06,500.50125'],
  [-0.5, '−₹0.005'],
])('%d paise are %s with all decimals', (paise, text) => {
  expect(exactRupeesText(paise)).toBe(text);
});

test.each([
  [0, '0'],
  [65, '65'],
  [-65, '−65'],
  [-0, '0'],
  [-0.4, '0'],
  [1_234_567, '12,34,567'],
])('%i units are %s', (units, text) => {
  expect(quantityText(units)).toBe(text);
});

test.each([
  [0, '0.00%'],
  [0.004, '0.00%'],
  [-0.004, '0.00%'],
  [-0.006, '−0.01%'],
  [1.234, '+1.23%'],
  [-12_345.678, '−12,345.68%'],
])('%d percent are %s', (percent, text) => {
  expect(percentText(percent)).toBe(text);
});
