/** Every operation of the node behind a proxy: the set-up that tests of changed and garbled replies share. */
import { openOperationWorld, type OperationWorld } from './operations';
import { startProxy, type Proxy } from './proxy';

/** Words of a crashed program, which our errors never contain. */
export const CRASH =
  /cannot read prop|cannot read '|undefined is not|is not a function|not iterable|Unexpected token|\bNaN\b/i;

/** A world behind a proxy. It is there once the tests of its `describe` run. */
export interface ProxiedOperations {
  readonly world: OperationWorld;
  readonly proxy: Proxy;
  /** Number of orders that the sandbox has received. */
  received(): Promise<number>;
}

/** Opens a world behind a proxy before the tests of a `describe`, and closes it after them. @param orderInterface of its account */
export function proxiedOperations(orderInterface: 'intent' | 'v2'): ProxiedOperations {
  let world: OperationWorld;
  let proxy: Proxy;
  beforeAll(async () => {
    world = await openOperationWorld(async (url) => (proxy = await startProxy(url)).url, orderInterface);
  });
  afterAll(async () => {
    await proxy.close();
    await world.sandbox.close();
  });
  return {
    get world() {
      return world;
    },
    get proxy() {
      return proxy;
    },
    received: async () => await world.sandbox.ordersReceived(),
  };
}
