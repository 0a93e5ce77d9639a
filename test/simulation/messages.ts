// Connections between simulated processes: messages arrive in order and late, and those on the way get lost when their sender dies.

import type { Clock } from '../../runtime/core/clock.ts';
import type { Port } from '../../runtime/rpc/port.ts';
import type { Life } from './life.ts';

export interface MessageTrouble {
  readonly clock: Clock;
  /** Called before each delivery. A process may die in it. */
  readonly delivering: () => void;
  /** Milliseconds of a message. */
  readonly latency: () => number;
}

/** The two ends of a connection. */
export function connect(one: Life, other: Life, trouble: MessageTrouble): readonly [Port, Port] {
  const [there, back] = [direction(one, other, trouble), direction(other, one, trouble)];
  return [
    { send: there.send, receive: back.receive, closed: back.closed },
    { send: back.send, receive: there.receive, closed: there.closed },
  ];
}

function direction(from: Life, to: Life, { clock, delivering, latency }: MessageTrouble) {
  let arrival = 0;
  let handle: (message: unknown) => void = () => undefined;
  const arrive = (act: () => void): void => {
    arrival = Math.max(arrival, clock.now() + latency());
    void clock.sleep(arrival - clock.now()).then(act);
  };
  return {
    send: (message: unknown) => {
      if (from.isDead) return;
      arrive(() => {
        if (!from.isDead && !to.isDead) delivering();
        if (!from.isDead && !to.isDead) handle(message);
      });
    },
    receive: (handler: (message: unknown) => void) => {
      handle = handler;
    },
    closed: (handler: () => void) =>
      from.onDeath(() =>
        arrive(() => {
          if (!to.isDead) handler();
        }),
      ),
  };
}
