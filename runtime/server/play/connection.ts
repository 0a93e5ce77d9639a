// One page's socket: lets the page in by its hello, then hands its requests to a session of its own.

import type { RawData, WebSocket } from 'ws';
import type { Clock } from '../../core/clock.ts';
import type { Random } from '../../core/rng.ts';
import type { Screen } from '../../core/screen.ts';
import type { PocketSuite } from '../../environments/pocket/tasks/suite.ts';
import { CLOSE_CODE_REJECTED } from '../../protocol/close-code.ts';
import { encodeScreen } from '../../protocol/frame.ts';
import { PLAY_VERSION, type PlayMessage, type PlayRequest } from '../../protocol/play.ts';
import { isToken } from '../http/auth.ts';
import { awaitHello } from '../http/hello-timeout.ts';
import { readRequest } from './reading.ts';
import { Session } from './session.ts';

interface Surroundings {
  readonly name: string;
  readonly token: string;
  readonly suite: PocketSuite;
  readonly clock: Clock;
  readonly random: Random;
}

/** Resolves when the connection is over and its desktop given back. */
export function connect(socket: WebSocket, around: Surroundings): Promise<void> {
  const { name, token, suite, clock, random } = around;
  let session: Session | undefined;

  const say = (message: PlayMessage): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  };
  const refuse = (id: number | null, code: 'unauthorized' | 'version', message: string): void => {
    say({ kind: 'error', id, code, message });
    socket.close(CLOSE_CODE_REJECTED, code);
  };
  const admit = (request: PlayRequest): Session | undefined => {
    if (request.call !== 'hello') {
      refuse(request.id, 'unauthorized', `'${request.call}' came before 'hello'.`);
    } else if (request.version !== PLAY_VERSION) {
      const versions = `The page speaks version ${request.version}, this program version ${PLAY_VERSION}`;
      refuse(request.id, 'version', `${versions}: reload the page.`);
    } else if (!isToken(request.token, token)) {
      const message = "The token is not this program's: open the address that 'dartboard play' printed.";
      refuse(request.id, 'unauthorized', message);
    } else {
      const show = ({ pixels }: Screen): void => {
        if (socket.readyState === socket.OPEN) socket.send(encodeScreen(pixels));
      };
      return new Session({ name, suite, clock, random, audience: { say, show } });
    }
    return undefined;
  };

  const greeted = awaitHello(clock, message => refuse(null, 'unauthorized', message));

  socket.on('message', (data: RawData, isBinary) => {
    const read = readRequest(isBinary ? '' : data.toString());
    if (!read.ok) {
      say(read.error);
      return;
    }
    session ??= admit(read.request);
    if (session === undefined) return;
    greeted();
    session.receive(read.request);
  });
  // A socket that fails also closes.
  socket.on('error', () => undefined);
  return new Promise(resolve => {
    socket.once('close', () => {
      greeted();
      (session?.close() ?? Promise.resolve()).then(resolve);
    });
  });
}
