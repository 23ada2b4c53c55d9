/** An alert whose JSON came as text: the error names the field, and how to read it. */
import { textBodyHint } from '../../../nodes/shared/errors';

const parameters = {
  side: '={{ $json.body.action }}',
  instrument: { mode: 'symbol', value: '={{ $json.body?.ticker }}' },
  options: { tag: 'tv' },
  price: '={{ $json.body.parseJson().price }}',
};
const item = { body: '{"action":"buy"}' };

it('says which field of the text is read as if it were JSON', () => {
  expect(textBodyHint(parameters, 'side', item)).toContain('{{ $json.body.parseJson().action }}');
  expect(textBodyHint(parameters, 'instrument', item)).toContain('$json.body.ticker is empty');
});

it.each([
  ['a body that is JSON', 'side', { body: { action: 'buy' } }],
  ['no body', 'side', {}],
  ['no item', 'side', undefined],
  ['a fixed value', 'tag', item],
  ['a text that is read as text', 'price', item],
  ['another field', 'quantity', item],
])('says nothing of %s', (_, name, given) => {
  expect(textBodyHint(parameters, name, given)).toBeUndefined();
});
