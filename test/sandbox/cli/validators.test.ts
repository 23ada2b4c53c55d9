import { validators } from '../../../sandbox/src/cli/validators';

const compile = validators({}, { customOptions: {} });
const SCHEMA = { type: 'object', required: ['price'], properties: { price: { type: 'integer' } } };

describe('validators of requests', () => {
  it('say whether data is valid, and why the last was not', () => {
    const validate = compile({ schema: SCHEMA } as never) as unknown as { (data: unknown): boolean; errors?: unknown };
    expect([validate({ price: 'high' }), validate.errors]).toEqual([
      false,
      [expect.objectContaining({ instancePath: '/price', keyword: 'type' })],
    ]);
    expect([validate({ price: 5 }), validate.errors]).toEqual([true, null]);
    expect([validate({}), validate.errors]).toEqual([false, [expect.objectContaining({ keyword: 'required' })]]);
  });

  it('compile a schema with its first request', () => {
    const validate = compile({ schema: { type: 'nothing of the kind' } } as never) as unknown as (
      data: unknown,
    ) => boolean;
    expect(() => validate({})).toThrow('schema is invalid');
  });
});
