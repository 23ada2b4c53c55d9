import { Type, type TSchema } from '@sinclair/typebox';
import type { SandboxOptions } from '../simulation/options';

/** The two words of a maker that are parts of names (docs/service/README.md#neutral-names). */
export type BrandWords = Pick<SandboxOptions, 'platformWord' | 'serviceWord'>;

export const int = Type.Integer();
export const text = Type.String();
export const number = Type.Number();
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const paise = Type.Integer({ description: 'Paise' });
export const nanoseconds = Type.Integer({ description: 'Nanoseconds since the epoch, beyond 2^53' });
export const id = Type.Integer({ description: 'Up to 19 digits' });
/** An object whose fields are all there. */
export const record = (fields: Record<string, TSchema>) => Type.Object(fields);

/** Fields of an instrument that the master and an order's `ref_data` share. */
export const instrumentFields = ({ platformWord }: BrandWords) => ({
  ref_id: int,
  [`${platformWord}_id`]: int,
  option_type: text,
  token: int,
  stock_name: text,
  series: text,
  [`${platformWord}_name`]: text,
  lot_size: int,
  qty_multiplier: Type.Optional(int),
  asset: text,
  exchange: text,
  derivative_type: text,
});

/** The body of a refusal. */
export function refusalSchema({ serviceWord }: BrandWords) {
  return Type.Object({ error: text, [`${serviceWord}_error_code`]: text, attempts_left: Type.Optional(int) });
}

/** Makes the replies of a path: its good one, and that of a refusal. */
export function repliesWith(words: BrandWords) {
  const refusal = refusalSchema(words);
  return (schema: TSchema) => ({ 200: schema, '4xx': refusal });
}
