/**
 * Jest's environment, in which all test files of a process share the realm of the process, where jest gives each a separate one: an error is
 * an `Error` whoever made it, and a global is found fast. Large packages that tests only use are loaded by Node.js itself, once for a
 * process, and not again for each file (n8n's core alone takes four seconds): `native-package.cjs` hands them over.
 */
require('../n8n-environment.cjs');
const { forget } = require('./native-typescript.cjs');
const vm = require('node:vm');
const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

const SSH_CLIENTS = require.resolve('n8n-core/dist/execution-engine/ssh-clients-manager');

/** Says to `compileFunction` that the code belongs to the realm of the process. */
const REALM_OF_PROCESS = {};
const { compileFunction } = vm;
/** Modules that were compiled for a file of tests, by their names: the next file calls the same functions, which V8 has optimized. */
const compiled = new Map();
vm.compileFunction = (code, parameters, { parsingContext, ...options }) => {
  if (parsingContext !== REALM_OF_PROCESS) return compileFunction(code, parameters, { ...options, parsingContext });
  const { filename } = options;
  const known = compiled.get(filename);
  if (known?.code === code) return known.module;
  const module = compileFunction(code, parameters, options);
  if (!filename.endsWith('.test.ts')) compiled.set(filename, { code, module });
  return module;
};

/** Globals by which jest's parts find each other; they are another's in the next file. */
const isOfJest = (key) =>
  typeof key === 'symbol' &&
  /^(JEST_|EVENT_HANDLERS$|RETRY_|WAIT_BEFORE_|LOG_ERRORS_|TEST_TIMEOUT_)/.test(key.description);

module.exports = class {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.before = { console: globalThis.console, env: { ...process.env }, exit: process.exit };
    globalThis.requireNative = require;
    const timers = { config: projectConfig, global: globalThis };
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = new LegacyFakeTimers({
      ...timers,
      moduleMocker: this.moduleMocker,
      timerConfig: { idToRef: (id) => id, refToId: (timer) => timer },
    });
    this.fakeTimersModern = new ModernFakeTimers(timers);
  }

  /** Jest has just made each error note a hundred callers, which takes longer than most of what is tested. */
  async setup() {
    Error.stackTraceLimit = 20;
  }

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    for (const key of Object.getOwnPropertySymbols(globalThis)) if (isOfJest(key)) delete globalThis[key];
    globalThis.console = this.before.console;
    process.exit = this.before.exit;
    for (const name of Object.keys(process.env)) if (!(name in this.before.env)) delete process.env[name];
    Object.assign(process.env, this.before.env);
    forget();
    // The next file begins with new services. One of them would be held by the process, and all that this file loaded
    // with it.
    const { Container } = require('@n8n/di');
    const { SSHClientsManager } = require.cache[SSH_CLIENTS]?.exports ?? {};
    if (SSHClientsManager && Container.has(SSHClientsManager)) Container.get(SSHClientsManager).onShutdown();
    Container.reset();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return REALM_OF_PROCESS;
  }
};
