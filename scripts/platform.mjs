/** Differences between Linux, macOS and Windows. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const WINDOWS = process.platform === 'win32';

/**
 * Returns the program and arguments that start npm or npx without a shell. Windows has them as command files, which Node.js starts only
 * through a shell, and a shell takes paths apart at blanks. So there, and wherever npm says which file it is, that file runs on this
 * Node.js.
 */
function npmProgram(name, args, { platform, env }) {
  const npmPath = env.npm_execpath ?? '';
  if (path.basename(npmPath) === 'npm-cli.js')
    return [process.execPath, [path.join(path.dirname(npmPath), `${name}-cli.js`), ...args]];
  if (platform !== 'win32') return [name, args];
  const found = (env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, 'node_modules', 'npm', 'bin', `${name}-cli.js`))
    .find((file) => existsSync(file));
  if (found === undefined) throw new Error(`${name} was not found on the PATH. It comes with Node.js: install that.`);
  return [process.execPath, [found, ...args]];
}

/** @param {string[]} args @returns {[string, string[]]} the program and the arguments to start it with */
export const npm = (args, system = process) => npmProgram('npm', args, system);

/** @param {string[]} args @returns {[string, string[]]} the program and the arguments to start it with */
export const npx = (args, system = process) => npmProgram('npx', args, system);

/** The Node.js that the package `node` brings to a `node_modules` folder. */
export function nodeIn(modules) {
  return path.join(modules, 'node', 'bin', WINDOWS ? 'node.exe' : 'node');
}

/** The folder with the headers of that Node.js; undefined on Windows, where it brings none and node-gyp gets them itself. */
export function headersIn(modules) {
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const name = `${prefix}-${process.platform}-${process.arch}`;
  return [path.join(modules, 'node', 'node_modules', name), path.join(modules, name)].find((folder) =>
    existsSync(path.join(folder, 'include', 'node', 'node.h')),
  );
}

/** Unpacks a tarball, without its outermost folder. Windows has a separate tar, beside that of other tools, which take `C:` for a host. */
export function unpack(tarball, folder) {
  const tar = WINDOWS ? path.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'tar.exe') : 'tar';
  execFileSync(tar, ['-xzf', tarball, '-C', folder, '--strip-components=1']);
}

/** True if a process is started with `detached`, so that a signal reaches all that it started; Windows would open a window for it. */
export const DETACHED = !WINDOWS;

/** Sends a signal to a process that was started with `detached` and to all that it started; Windows has no signals and ends them. */
export function signalTree(pid, signal) {
  if (WINDOWS) execFileSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
  else process.kill(-pid, signal);
}
