import type { FastifyInstance } from 'fastify';
import type { Sandbox } from '../simulation/sandbox';

/** Context of a group of endpoints. */
export interface RouteContext {
  app: FastifyInstance;
  sandbox: Sandbox;
}
