/**
 * Loaded into the sandbox with `--import`: tells the bench, when it asks over the channel of the process, for how long the event
 * loop was busy at a stretch, in milliseconds of processor time, so that other work of the machine does not count.
 */
const EVERY_MS = 1;
const longest = { busy: 0 };
let before = processorTime();

function processorTime() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

setInterval(() => {
  const now = processorTime();
  longest.busy = Math.max(longest.busy, now - before);
  before = now;
}, EVERY_MS).unref();

process.on('message', () => {
  process.send(longest.busy);
  longest.busy = 0;
  before = processorTime();
});
process.channel?.unref();
