/**
 * `npm run price-way`: places a limit order in n8n's engine against a sandbox, follows its price from the field to the wire, and writes
 * the files that it passes into docs/development/architecture.md. With --check it writes nothing, and ends with status 1 where that list is not current.
 *
 * Each function of nodes/ and client/ tells what it is called with and what it gives back. A file is on the way when it has the price
 * from one file and gives it to another, or writes it in the form in which it leaves. Who looks at the price, or gives it back to the
 * one who asked, is beside the way.
 */
import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import path from 'node:path';
import ts from 'typescript';
import { buildIfChanged, root } from './support.mjs';

const require = createRequire(import.meta.url);
const writeIfChanged = require('./write-if-changed.cjs');

/** No other number of the run is like it. */
const [RUPEES, PAISE] = [1087.6, 108_760];
/** Names on the wire: of intent orders, and of the older interface. */
const WIRE_NAMES = ['entryPrice', 'order_price'];
const MAX_FILES = 15;

/** Role of each file. A file that is not here may not handle the price. */
const DOES = {
  'nodes/Brokerage/common/runContext.ts': 'asks n8n for the field, once for each item',
  'nodes/shared/parameters.ts': 'reads a field as what it must be, or names it in an error',
  'nodes/Brokerage/trading/priceForm.ts': 'rupees become paise; points and percent become prices on the tick',
  'nodes/Brokerage/trading/orderForm.ts':
    'reads the fields once, before anything is fetched; lots become units, a symbol becomes an instrument',
  'nodes/Brokerage/actions/order/place.operation.ts': "the fields, and one item's way through the files below",
  'nodes/Brokerage/trading/placement.ts':
    'adds the tag by which the order is found again, hands all of it to the client, and notes what was placed',
  'client/orders/placing/place-sliced.ts': 'cuts an order above the freeze quantity',
  'client/orders/placing/place.ts':
    'the one flow of orders and baskets: look for an earlier try, refuse what breaks a rule (whoever asks for it), ask the guards, send once',
  'client/orders/account/account-api.ts': 'chooses the order interface that the account has',
  'client/orders/placing/submit.ts': 'sends, and finds out what became of it',
  'client/orders/api/intent/orders.ts': 'an intent order: where it goes, and the order in the reply',
  'client/orders/api/intent/request-body.ts': 'writes its body',
  'client/orders/api/v2/orders.ts':
    'an order of the older interface: its body, where it goes, and the order in the reply',
  'client/transport.ts': 'one request: address, headers, rate limit, bytes',
  'nodes/host/http.ts': "n8n's request, signed with the session",
  'nodes/host/request.ts': 'one request with its deadline and its largest reply',
};

/** Returns the values of an object, without asking a getter: some of n8n's refuse. */
const heldBy = (object) => Object.values(Object.getOwnPropertyDescriptors(object)).map(({ value }) => value);
const numbers = [RUPEES, PAISE];
const carries = (value, depth = 0) => {
  if (typeof value === 'number') return numbers.includes(value);
  if (typeof value === 'string' || value instanceof Uint8Array) {
    const text = value.length < 5_000 ? Buffer.from(value).toString() : '';
    return numbers.some((number) => text.includes(String(number)));
  }
  // What is no plain data, such as a service, only lends its methods.
  if (!isPlain(value) || depth > 6) return false;
  return heldBy(value).some((held) => carries(held, depth + 1));
};
const isPlain = (value) =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, Array.prototype, null].includes(Object.getPrototypeOf(value));
const isWritten = (value, depth = 0) =>
  isPlain(value) &&
  depth < 6 &&
  (WIRE_NAMES.some((name) => Object.getOwnPropertyDescriptor(value, name)?.value === PAISE) ||
    heldBy(value).some((held) => isWritten(held, depth + 1)));

/** Of the run that is followed: which file was given the price, or gave it back, and to or from which other one. */
let steps;
Error.stackTraceLimit = 60;
globalThis.followPrice = (kind, file, value) => {
  if (steps === undefined || !carries(value)) return;
  const here = path.relative(root, file).split(path.sep).join('/');
  const callers = [...new Error().stack.matchAll(/\b(?:nodes|client)\/[\w./-]+\.ts(?=:)/g)].map(([name]) => name);
  steps.push({
    kind,
    file: here,
    other: callers.find((name) => name !== here),
    isBare: value === RUPEES,
    isWritten: isWritten(value),
  });
};

/** The names that a parameter binds. */
const boundBy = (name) =>
  ts.isIdentifier(name)
    ? [name]
    : name.elements.filter((part) => !ts.isOmittedExpression(part)).flatMap((part) => boundBy(part.name));

/** Has each function tell what it is called with and what it gives back. */
const probes = (context) => (file) => {
  const { factory } = context;
  const reportCall = (kind, value) =>
    factory.createCallExpression(factory.createIdentifier('globalThis.followPrice'), undefined, [
      factory.createStringLiteral(kind),
      factory.createIdentifier('__filename'),
      value,
    ]);
  const returned = (expression) =>
    factory.createCallExpression(factory.createIdentifier('globalThis.givenBack'), undefined, [
      factory.createIdentifier('__filename'),
      expression,
    ]);
  const visit = (node) => {
    const made = ts.visitEachChild(node, visit, context);
    if (ts.isReturnStatement(made) && made.expression)
      return factory.updateReturnStatement(made, returned(made.expression));
    if (!(
      ts.isFunctionDeclaration(made) ||
      ts.isFunctionExpression(made) ||
      ts.isMethodDeclaration(made) ||
      ts.isArrowFunction(made)
    ))
      return made;
    if (!made.body) return made;
    const bound = made.parameters.flatMap(({ name }) => boundBy(name)).filter(({ text }) => text !== 'this');
    const call = factory.createExpressionStatement(reportCall('called', factory.createArrayLiteralExpression(bound)));
    const body = ts.isBlock(made.body)
      ? factory.updateBlock(made.body, [call, ...made.body.statements])
      : factory.createBlock([call, factory.createReturnStatement(returned(made.body))], true);
    const { modifiers, name, asteriskToken: star, questionToken, typeParameters, parameters, type } = made;
    if (ts.isArrowFunction(made))
      return factory.updateArrowFunction(
        made,
        modifiers,
        typeParameters,
        parameters,
        type,
        made.equalsGreaterThanToken,
        body,
      );
    if (ts.isMethodDeclaration(made))
      return factory.updateMethodDeclaration(
        made,
        modifiers,
        star,
        name,
        questionToken,
        typeParameters,
        parameters,
        type,
        body,
      );
    const update = ts.isFunctionDeclaration(made) ? 'updateFunctionDeclaration' : 'updateFunctionExpression';
    return factory[update](made, modifiers, star, name, typeParameters, parameters, type, body);
  };
  return ts.visitNode(file, visit);
};
globalThis.givenBack = (file, value) => {
  globalThis.followPrice('returned', file, value);
  return value;
};

Module._extensions['.ts'] = (module, file) => {
  const isOwn = ['nodes', 'client'].some((name) => file.startsWith(path.join(root, name) + path.sep));
  const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), {
    fileName: file,
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true },
    transformers: isOwn ? { before: [probes] } : {},
  });
  module._compile(outputText, file);
};

/** The files on the way of one order, first to last, and those beside it. */
async function followed(orderInterface) {
  const { Engine } = require('../test/support/engine.ts');
  const { orderForm } = require('../test/support/parameters.ts');
  const { startSandbox } = require('../sandbox/dist/index.js');
  const sandbox = await startSandbox({ port: 0, start: '2026-11-20T10:30:00+05:30', clock: 'manual', orderInterface });
  try {
    const engine = await Engine.start({
      ...{
        environment: 'sandbox',
        sandboxBaseUrl: sandbox.url,
        loginMethod: 'totp',
        phone: '9000000001',
        mpin: '1357',
      },
      ...{ totpSecret: 'KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU', deviceId: 'price-way', sessionToken: '' },
    });
    const place = async (price) => {
      const { error } = await engine.run(orderForm({ price }), { typeVersion: 1.1 });
      if (error) throw error;
    };
    // The login and the list of instruments are no part of the way.
    await place(RUPEES + 1);
    steps = [];
    await place(RUPEES);
    return wayOf(steps);
  } finally {
    steps = undefined;
    await sandbox.close();
  }
}

function wayOf(all) {
  /** From the step by which a file was called with the price up to the operation, each by its caller. */
  const callersOf = (at) => {
    const files = [];
    for (let index = at; index >= 0;) {
      const { file, other } = all[index];
      if (!files.includes(file)) files.push(file);
      if (other === undefined || other.startsWith('nodes/Brokerage/actions/')) return other ? [...files, other] : files;
      index = all.findLastIndex(
        (step, before) =>
          before < index &&
          step.kind === 'called' &&
          step.file === other &&
          step.other !== other &&
          step.other !== undefined,
      );
    }
    return files;
  };
  // Read: each file gives it back to the one that asked, up to the operation.
  const begins = all.findIndex(({ kind, isBare }) => kind === 'returned' && isBare);
  const read = [all[begins].file];
  while (!read.at(-1).startsWith('nodes/Brokerage/actions/')) {
    const file = read.at(-1);
    const isBack = ({ kind, file: of, other }) =>
      kind === 'returned' && of === file && other !== undefined && !read.includes(other);
    read.push(all.slice(begins).find(isBack).other);
  }
  const calledAt = (isIt) => all.findIndex((step) => step.kind === 'called' && step.other !== undefined && isIt(step));
  const writer = all.find((step) => step.isWritten).file;
  const sent = callersOf(calledAt(({ file }) => file === 'nodes/host/request.ts'));
  const written = callersOf(calledAt(({ file }) => file === writer));
  const firstAt = (name) => all.findIndex(({ file, kind }) => file === name && kind === 'called');
  const onwards = [...new Set([...sent, ...written])].filter((file) => !read.includes(file));
  const way = [...read, ...onwards.sort((a, b) => firstAt(a) - firstAt(b))];
  const isSent = calledAt(({ file }) => file === 'nodes/host/request.ts');
  const seen = all.slice(0, isSent).filter(({ kind, other }) => kind === 'called' && other !== undefined);
  return { way, beside: [...new Set(seen.map(({ file }) => file))].filter((file) => !way.includes(file)) };
}

await buildIfChanged();
const [intent, v2] = [await followed('intent'), await followed('v2')];
for (const { way } of [intent, v2]) {
  const unknown = way.filter((file) => !(file in DOES));
  if (unknown.length > 0)
    throw new Error(`On the way of a price, without a word in scripts/price-way.mjs: ${unknown.join(', ')}`);
  if (way.length > MAX_FILES) throw new Error(`The way of a price has ${way.length} files: ${way.join(', ')}`);
}
const named = (files) => files.map((file) => `\`${file}\``).join(', ');
const only = (one, other) => named(one.way.filter((file) => !other.way.includes(file)));
const beside = [...new Set([...intent.beside, ...v2.beside])].filter(
  (file) => !intent.way.includes(file) && !v2.way.includes(file),
);
const text = [
  '| # | File | Does |',
  '|---|---|---|',
  ...intent.way.map((file, at) => `| ${at + 1} | \`${file}\` | ${DOES[file]} |`),
  '',
  `On the older interface: ${only(v2, intent)} in place of ${only(intent, v2)}.`,
  '',
  `Beside the way these look at it, or are asked and give it back: ${named(beside.sort())}.`,
].join('\n');
const page = path.join(root, 'docs/development/architecture.md');
const before = readFileSync(page, 'utf8');
const [begin, end] = ['<!-- the way of a price -->', '<!-- its end -->'];
const after = `${before.slice(0, before.indexOf(begin) + begin.length)}\n\n${text}\n\n${before.slice(before.indexOf(end))}`;
if (!process.argv.includes('--check')) writeIfChanged(page, after);
else if (before !== after) {
  console.error(
    `The way of a price in docs/development/architecture.md is not current: npm run price-way. It is now\n${text}`,
  );
  process.exit(1);
}
console.log(`${intent.way.length} files, on the older interface ${v2.way.length}, and ${beside.length} beside them.`);
process.exit(0);
