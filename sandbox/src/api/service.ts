import type { FastifyInstance } from 'fastify';
import type { Sandbox } from '../sandbox';
import type { Hub } from '../stream/hub';

/** What a group of endpoints is given. */
export interface Service {
  app: FastifyInstance;
  sandbox: Sandbox;
  hub: Hub;
}
