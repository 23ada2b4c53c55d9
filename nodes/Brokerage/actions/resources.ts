import type { Resource } from './operation';
import { portfolio } from './portfolio/resource';
import { report } from './report/resource';
import { session } from './session/resource';

/** Everything that the node can do. */
export const resources: Record<string, Resource> = { portfolio, report, session };
