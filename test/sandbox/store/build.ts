import { transformFileSync } from '@swc/core';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../../..');

/**
 * Compiles the present sandbox, for tests that run it in a separate process. @returns the compiled folder, and how to
 * remove it
 */
export function buildSandbox(): { main: string; remove(): void } {
  const cache = path.join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, 'sandbox-'));
  const source = path.join(root, 'sandbox', 'src');
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    const target = path.join(folder, 'dist', name);
    if (name.endsWith('.ts')) {
      const { code } = transformFileSync(path.join(source, name), {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
        module: { type: 'commonjs' },
      });
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target.replace(/\.ts$/, '.js'), code);
    } else if (path.extname(name) !== '' && !name.startsWith('page')) {
      mkdirSync(path.dirname(target), { recursive: true });
      cpSync(path.join(source, name), target);
    }
  }
  cpSync(path.join(root, 'sandbox', 'package.json'), path.join(folder, 'package.json'));
  cpSync(path.join(root, 'proto'), path.join(folder, 'dist', 'proto'), {
    recursive: true,
    filter: (name) => !name.includes('generated'),
  });
  return {
    main: path.join(folder, 'dist', 'cli', 'main.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
