/** The error of a tool that is asked again for what an earlier try placed, and a request as a dry run shows it. */
import { requestOutput } from '../../../../client/orders/api/order-api';
import { earlierTryError } from '../../../../client/orders/placing/terms-mismatch';
import type { Endpoint } from '../../../../client/endpoints/endpoint';

it.each(['order', 'basket'] as const)('an earlier try placed the same %s: the error says where to look', (noun) => {
  expect(earlierTryError(noun, 'a-1')).toMatchObject({
    message: `An earlier try of this execution had this tool place the same ${noun}, with the tag a-1. Nothing was sent.`,
    hint: `Look at that ${noun}. To place another one, run the workflow again from the start.`,
  });
});

it('a dry run shows the address with its parts, and no body where there is none', () => {
  const endpoint = { method: 'DELETE', path: '/orders/{order_id}/{exchange}/{other}' } as Endpoint;
  expect(requestOutput({ endpoint, path: { order_id: '5', exchange: 'NSE' } })).toEqual({
    method: 'DELETE',
    path: '/orders/5/NSE/{other}',
  });
  expect(requestOutput({ endpoint: { ...endpoint, path: '/orders' }, body: { order_qty: 1 } })).toEqual({
    method: 'DELETE',
    path: '/orders',
    body: { order_qty: 1 },
  });
});
