/** Ends of texts that are taken off. */
import { productChoice } from '../../../client/values/labels';
import { withoutFullStop, withoutInvisible, withoutSlashes } from '../../../client/values/trim-end';

it.each([
  ['https://broker.example///', 'https://broker.example'],
  ['https://broker.example/a', 'https://broker.example/a'],
  ['/', ''],
])('takes the slashes off the end of %j', (address, without) => {
  expect(withoutSlashes(address)).toBe(without);
});

it('takes blanks and full stops off the end of a sentence, and what nobody sees off a text', () => {
  expect([withoutFullStop('Not sent. . '), withoutInvisible('IN\u200BFY')]).toEqual(['Not sent', 'INFY']);
});

it('names a product as the panel does', () => {
  expect([productChoice('CNC'), productChoice('IDAY')]).toEqual(['Delivery (CNC)', 'Intraday (IDAY)']);
});
