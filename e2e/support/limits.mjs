/** Milliseconds that a file's tests may take, on a machine that is busy with much else: the end of one that hangs, no measure of speed. */
export const TIMEOUT_MS = 1_500_000;
