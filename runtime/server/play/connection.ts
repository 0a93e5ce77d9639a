// One page's WebSocket: authenticates the page, parses its requests, and passes them to a session of its own.

import type { RawData, WebSocket } from 'ws';
import type { Clock } from '../../core/clock.ts';
import type { Random } from '../../core/rng.ts';
import type { Screen } from '../../core/screen.ts';
import type { PocketSuite } from '../../environments/pocket/tasks/suite.ts';
import { encodeScreen } from '../../protocol/frame.ts';
import { PLAY_VERSION, type PlayMessage, type PlayRequest, request } from '../../protocol/play.ts';
import { isToken } from '../http/auth.ts';
import { Handshake } from '../http/handshake.ts';
import { idOf, NOT_JSON, parsedJson, problemOf } from '../http/parse-message.ts';
import { PlaySession } from './session.ts';

interface PlayConnectionOptions {
  readonly name: string;
  readonly token: string;
  readonly suite: PocketSuite;
  readonly clock: Clock;
  readonly random: Random;
}

/** Resolves when the connection is closed and its desktop released. */
export function connect(
  socket: WebSocket,
  takeSlot: () => boolean,
  { name, token, suite, clock, random }: PlayConnectionOptions,
): Promise<void> {
  let session: PlaySession | undefined;
  const send = (data: string | Uint8Array): void => {
    if (socket.readyState === socket.OPEN) socket.send(data);
  };
  const say = (message: PlayMessage): void => send(JSON.stringify(message));
  const handshake = new Handshake({
    ...{ socket, clock, takeSlot },
    sendError: (id, code, message) => say({ kind: 'error', id, code, message }),
  });
  const authenticate = (request: PlayRequest): PlaySession | undefined => {
    if (request.call !== 'hello') {
      const message = `'${request.call}' arrived before 'hello'. Send 'hello' first.`;
      handshake.reject(request.id, 'unauthorized', message);
    } else if (request.version !== PLAY_VERSION) {
      const message = `The page uses protocol version ${request.version}, this program version ${PLAY_VERSION}. Reload the page.`;
      handshake.reject(request.id, 'version', message);
    } else if (!isToken(request.token, token)) {
      const message =
        "The token is not that of this program. Open the address that 'dartboard play' printed.";
      handshake.reject(request.id, 'unauthorized', message);
    } else if (handshake.accept(request.id)) {
      const show = ({ pixels }: Screen): void => send(encodeScreen(pixels));
      return new PlaySession({ name, suite, clock, random, page: { say, show } });
    }
    return undefined;
  };
  socket.on('message', (data: RawData, isBinary) => {
    if (handshake.isRejected) return;
    const value = parsedJson(isBinary ? '' : data.toString());
    const parsed = request.safeParse(value);
    if (!parsed.success) {
      const problem = value === undefined ? NOT_JSON : problemOf(parsed.error.issues);
      say({ kind: 'error', id: idOf(value), code: 'bad_request', ...problem });
      return;
    }
    session ??= authenticate(parsed.data);
    session?.receive(parsed.data);
  });
  // A socket that fails also closes.
  socket.on('error', () => undefined);
  return new Promise(resolve => {
    socket.once('close', () => (session?.close() ?? Promise.resolve()).then(resolve));
  });
}
