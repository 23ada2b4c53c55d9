import { Type, type TSchema } from '@sinclair/typebox';

/** Building blocks of request schemas. Clients of the service send explicit nulls for what is optional. */

/** One of some words. */
export function oneOf<T extends string>(...words: T[]) {
  return Type.Unsafe<T>({ type: 'string', enum: words });
}

/** May be left out or null. */
export function optional<T extends TSchema>(schema: T) {
  return Type.Optional(Type.Union([schema, Type.Null()]));
}

export function optionalInteger(description: string) {
  return Type.Optional(Type.Unsafe<number | null>({ type: ['integer', 'null'], description }));
}

export function optionalText(description: string) {
  return Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 200, description }));
}

/** Parameters of a query, or headers, each once and with what it means. Their handler says in its own words what is wrong with one. */
export function parameters(meanings: Record<string, string>) {
  return Type.Object(
    Object.fromEntries(
      Object.entries(meanings).map(([name, description]) => [name, Type.Optional(Type.String({ description }))]),
    ),
  );
}

export const EXCHANGE = 'NSE, BSE or MCX; NSE when left out';

/** An identifier of up to 19 digits: a JSON integer (which the reader hands over as text when it is beyond 2^53) or text. */
export const Id = Type.Unsafe<number | string>({
  type: ['integer', 'string'],
  pattern: '^\\d{1,19}$',
  description: 'Up to 19 digits',
});

/** For the description: a session token and its device id. */
export const SESSION_SECURITY = [{ session: [], device: [] }];
