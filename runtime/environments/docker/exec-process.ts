// A process in a container, as bytes over one connection. How the connection came about is the host's.

import type { Duplex } from 'node:stream';
import { bufferedListener, demultiplexer, type ExecProcess, tail } from './streams.ts';

const KEPT_ERRORS = 4096;

/** `exitCode` is asked once, when the process has closed its side. */
export function execProcess(connection: Duplex, exitCode: () => Promise<number | undefined>): ExecProcess {
  const errors = tail(KEPT_ERRORS);
  const { tell, onData } = bufferedListener();
  const take = demultiplexer((channel, data) => (channel === 'errors' ? errors.add(data) : tell(data)));

  let isClosedHere = false;
  const closed = new Promise<number | undefined>(resolve => {
    connection.once('close', () => {
      if (isClosedHere) return resolve(undefined);
      exitCode().then(resolve, () => resolve(undefined));
    });
  });
  // Why a connection broke is of no use to who talks to the process: that it did is told by `closed`.
  connection.on('error', () => {});
  connection.on('data', (piece: Buffer) => {
    try {
      take(piece);
    } catch (error) {
      errors.add(Buffer.from(String(error)));
      connection.destroy();
    }
  });

  return {
    write: data => {
      if (connection.writable) connection.write(data);
    },
    onData,
    closed,
    errors: errors.text,
    end: () => connection.end(),
    close: () => {
      isClosedHere = true;
      connection.destroy();
    },
  };
}
