import { AjvCompiler } from '@fastify/ajv-compiler';

type BuildValidator = ReturnType<typeof AjvCompiler>;
type Compile = ReturnType<BuildValidator>;

/** Servers of one process compile a schema once. */
const compiled: BuildValidator = AjvCompiler();

/** Compiles the schema of a route with its first request: to compile all of them would be a fifth of a start. */
export const validators: BuildValidator = (externalSchemas, options) => {
  const compile = compiled(externalSchemas, options);
  return (...route: Parameters<Compile>) => {
    let validator: ReturnType<Compile> | undefined;
    const whenAsked = (data: unknown): unknown => {
      validator ??= compile(...route);
      const isValid = validator(data);
      whenAsked.errors = validator.errors;
      return isValid;
    };
    // Fastify reads there why the last data was not valid.
    whenAsked.errors = undefined as ReturnType<Compile>['errors'];
    return whenAsked as ReturnType<Compile>;
  };
};
