/**
 * Returns the reason why a workflow cannot follow recorded days, and the remedy.
 * @param start what it starts from: the name of a node that keeps the time of the machine
 */
export const keepsMachineTime = (start: string): string =>
  `starts from "${start}", which keeps the time of this machine and not that of the recorded days. ` +
  'Replace it with a Brokerage Trigger whose Trigger On is "At Market Time": it starts at times of the exchange, on trading days, on Live too.';
