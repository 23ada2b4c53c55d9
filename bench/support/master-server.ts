/** Serves an instrument master with a given number of rows; a separate process, so that neither its time nor its memory counts. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { masterJson, masterRows } from '../../test/support/master';

const PIECE = 65_536;
const json = masterJson(masterRows(Number(process.argv[2])));

function* pieces() {
  for (let at = 0; at < json.length; at += PIECE) yield json.subarray(at, at + PIECE);
}

const server = createServer((request, response) => {
  // A login, when a node asks for one.
  if (request.method === 'POST')
    response.setHeader('content-type', 'application/json').end('{"auth_token":"auth","session_token":"session"}');
  else Readable.from(pieces(), { objectMode: false }).pipe(response.setHeader('content-type', 'application/json'));
});
server.listen(0, '127.0.0.1', () => console.log(`${(server.address() as AddressInfo).port} ${json.length}`));
