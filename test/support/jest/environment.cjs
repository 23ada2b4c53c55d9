/**
 * Jest's environment for Node.js, with one thing more: large packages that tests only use are loaded by Node.js itself,
 * once for a process, and not again for each file (n8n's core alone takes four seconds). `native-package.cjs` hands
 * them over.
 */
require('../n8n-environment.cjs');
require('./native-typescript.cjs');
const { TestEnvironment } = require('jest-environment-node');
const { isNativeError } = require('node:util').types;

const SSH_CLIENTS = require.resolve('n8n-core/dist/execution-engine/ssh-clients-manager');

/** `instanceof Error` is true of errors of both realms: those of the test and those of the packages that Node.js loaded. */
function knowErrorsOfBothRealms(ErrorOfRealm) {
  Object.defineProperty(ErrorOfRealm, Symbol.hasInstance, {
    configurable: true,
    value(candidate) {
      if (this === ErrorOfRealm) return isNativeError(candidate) || this.prototype.isPrototypeOf(candidate);
      return Function.prototype[Symbol.hasInstance].call(this, candidate);
    },
  });
}
knowErrorsOfBothRealms(Error);

module.exports = class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    knowErrorsOfBothRealms(this.global.Error);
    this.global.requireNative = require;
  }

  async teardown() {
    await super.teardown();
    // The next file begins with new services. One of them would be held by the process, and all that this file loaded
    // with it.
    const { Container } = require('@n8n/di');
    const { SSHClientsManager } = require.cache[SSH_CLIENTS]?.exports ?? {};
    if (SSHClientsManager && Container.has(SSHClientsManager)) Container.get(SSHClientsManager).onShutdown();
    Container.reset();
  }
};
