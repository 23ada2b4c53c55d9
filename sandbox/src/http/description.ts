import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../shared/version';

/** Describes the endpoints that are declared after it, from the schemas that their requests are checked with. */
export async function describe(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'brokerage-sandbox',
        version: VERSION,
        description:
          'The brokerage service, simulated. Prices are integers in paise; times are nanoseconds since the epoch; identifiers have up to 19 digits.',
      },
      components: {
        securitySchemes: {
          session: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'The session_token of /verifypin',
          },
          device: { type: 'apiKey', in: 'header', name: 'x-device-id', description: 'The device id of the login' },
        },
      },
    },
  });
  app.get('/_sandbox/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
