/** A socket at whose other end is the test. */
import type { StreamSocket } from '../../../client/base/ports';

export class ScriptedSocket implements StreamSocket {
  readyState = 0;
  binaryType = 'blob';
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  readonly sent: string[] = [];

  constructor(readonly url: string) {}

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.readyState = 3;
  }

  opens(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  says(data: unknown): void {
    this.onmessage?.({ data });
  }

  breaks(): void {
    this.readyState = 3;
    this.onclose?.({ code: 1006, reason: '' });
  }
}
