/** Frames of what a browser shows, and a moving picture of them. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const WIDTH = 1000;

/** Takes frames of a page, each with how long it is shown. */
export class Recorder {
  #frames = [];

  /** @param {import('playwright-core').Page} page */
  constructor(page) {
    this.page = page;
    this.folder = mkdtempSync(path.join(tmpdir(), 'brokerage-walk-'));
  }

  /** Takes what the page shows now. @param {number} seconds how long a reader needs for it */
  async show(seconds = 1) {
    const file = path.join(this.folder, `${String(this.#frames.length).padStart(4, '0')}.png`);
    await this.page.screenshot({ path: file, animations: 'disabled' });
    this.#frames.push({ file, seconds });
  }

  /** Writes the frames as an animated GIF with Debian's ffmpeg. */
  write(file) {
    const list = path.join(this.folder, 'frames');
    const lines = this.#frames.map(({ file: frame, seconds }) => `file '${frame}'\nduration ${seconds}`);
    // ffmpeg takes the last duration only if a frame follows it.
    writeFileSync(list, [...lines, `file '${this.#frames.at(-1).file}'`].join('\n'));
    const filter = `scale=${WIDTH}:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=96:stats_mode=diff[p];[b][p]paletteuse=dither=none:diff_mode=rectangle`;
    execFileSync(
      'ffmpeg',
      ['-y', '-loglevel', 'error', '-f', 'concat', '-safe', '0', '-i', list, '-vf', filter, '-vsync', 'vfr', file],
      { stdio: 'inherit' },
    );
  }

  close() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
