import { basket } from './basket/resource';
import { bhavcopy } from './bhavcopy/resource';
import { candle } from './candle/resource';
import { company } from './company/resource';
import { instrument } from './instrument/resource';
import type { Resource } from '../common/operation';
import { order } from './order/resource';
import { portfolio } from './portfolio/resource';
import { quote } from './quote/resource';
import { report } from './report/resource';
import { session } from './session/resource';

/** Everything that the node can do. */
export const resources: Record<string, Resource> = {
  basket,
  bhavcopy,
  candle,
  company,
  instrument,
  order,
  portfolio,
  quote,
  report,
  session,
};
