import type { FastifyInstance } from 'fastify';
import type { Sandbox } from '../simulation/sandbox';

/** What a group of endpoints is given. */
export interface RouteContext {
  app: FastifyInstance;
  sandbox: Sandbox;
}
