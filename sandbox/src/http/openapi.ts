import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../shared/version';

/** A name for generated clients: `postOrdersV2Single`, `getOrdersByOrderId`. */
function operationId(method: string, url: string): string {
  const words = url.split('/').flatMap((part) => (part.startsWith(':') ? ['by', part.slice(1)] : [part]));
  const parts = words.flatMap((word) => word.split(/[^A-Za-z0-9]+/)).filter((word) => word !== '');
  return method.toLowerCase() + parts.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

/** Describes the endpoints that are declared after it, from the schemas that their requests are checked with. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    const { schema, method, url } = route;
    if (schema !== undefined && !schema.hide)
      route.schema = { operationId: operationId(String(method), url), ...schema };
  });
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
  app.get('/_sandbox/openapi.json', { schema: { hide: true } }, async ({ protocol, host }) => ({
    ...app.swagger(),
    servers: [{ url: `${protocol}://${host}`, description: 'This sandbox' }],
  }));
}
