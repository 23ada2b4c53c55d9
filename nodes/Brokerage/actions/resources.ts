import type { Resource } from './operation';
import { session } from './session/resource';

/** Everything that the node can do. */
export const resources: Record<string, Resource> = { session };
