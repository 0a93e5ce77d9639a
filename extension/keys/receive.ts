// The entry of programs that need a key in a terminal: receives variables from VS Code (hand-over.ts), sets them, then runs the command line.

import { connect } from 'node:net';
import { messageOf } from '../../runtime/core/errors.ts';
import { HAND_OVER_VARIABLE, readAddress, readVariables } from './variable.ts';

const TIMEOUT_MS = 10_000;

const problem = await receiveKeys().then(
  keys => {
    Object.assign(process.env, keys);
    return undefined;
  },
  (error: unknown) => messageOf(error),
);
if (problem === undefined) await import(new URL('main.js', import.meta.url).href);
else {
  process.stderr.write(
    `VS Code did not hand over the API key: ${problem}. Run the command again from the command palette.\n`,
  );
  process.exitCode = 1;
}

async function receiveKeys(): Promise<Readonly<Record<string, string>>> {
  const { path, token } = readAddress(process.env[HAND_OVER_VARIABLE] ?? '');
  delete process.env[HAND_OVER_VARIABLE];
  const text = await new Promise<string>((resolve, reject) => {
    let received = '';
    const socket = connect(path, () => socket.write(token));
    socket.setEncoding('utf8');
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`no reply within ${TIMEOUT_MS / 1000} s`)));
    socket.on('data', data => {
      received += data.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
  const keys = readVariables(text);
  if (Object.keys(keys).length === 0) throw new Error('the address is not valid any more');
  return keys;
}
