/**
 * Hands each connection on to a port of this machine: `node door.js 8788 8787`. The sandbox shows its page to its own machine only,
 * and a browser outside of the container comes from elsewhere; the compose file publishes this door to the host alone.
 */
const net = require('node:net');

const [listen, target] = process.argv.slice(2).map(Number);

const server = net.createServer((outside) => {
  const inside = net.connect(target, '127.0.0.1');
  outside.pipe(inside).pipe(outside);
  outside.on('error', () => inside.destroy());
  inside.on('error', () => outside.destroy());
});
server.listen(listen, () => process.stdout.write(`Port ${server.address().port} leads to 127.0.0.1:${target}.\n`));
process.on('SIGTERM', () => process.exit(0));
