import { rupeesLabel } from '../../../client/charts/style';

it.each([
  [0, '₹0'],
  [-50, '−₹0.50'],
  [50, '₹0.50'],
  [9_999, '₹99.99'],
  [-700, '−₹7'],
  [10_050, '₹101'],
  [-1_00_00_050, '−₹1,00,001'],
])('%d paise are shown as %s', (paise, shown) => {
  expect(rupeesLabel(paise)).toBe(shown);
});
