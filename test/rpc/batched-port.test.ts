// Messages of one turn of the event loop leave together and arrive one by one.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batched } from '../../runtime/rpc/batched-port.ts';
import type { Port } from '../../runtime/rpc/port.ts';

/** A port whose other end is itself; `turn` lets others have theirs. */
function loop() {
  const letters: unknown[] = [];
  const handlers: ((message: unknown) => void)[] = [];
  const bare: Port = {
    send: (message, refused) => {
      try {
        letters.push(structuredClone(message));
      } catch (error) {
        refused?.(error);
      }
    },
    receive: handler => void handlers.push(handler),
    closed: () => undefined,
  };
  const soon: (() => void)[] = [];
  const port = batched(bare, act => void soon.push(act));
  const heard: unknown[] = [];
  port.receive(message => void heard.push(message));
  const turn = () => {
    for (const act of soon.splice(0)) act();
  };
  const arrive = () => {
    for (const letter of letters.splice(0)) for (const handle of handlers) handle(letter);
  };
  return { port, letters, heard, turn, arrive };
}

const NOT_PLAIN = () => 1;
const message = fc.oneof({ weight: 8, arbitrary: fc.jsonValue() }, fc.constant(NOT_PLAIN));

test('plain data arrives in order, and only other messages are rejected', () => {
  fc.assert(
    fc.property(fc.array(fc.array(message)), turns => {
      const { port, heard, turn, arrive } = loop();
      const refused: number[] = [];
      const all = turns.flat();
      let sent = 0;
      for (const each of turns) {
        for (const message of each) {
          const number = sent++;
          port.send(message, () => refused.push(number));
        }
        turn();
        arrive();
      }
      expect(heard).toEqual(all.filter(each => each !== NOT_PLAIN));
      expect(refused).toEqual(all.flatMap((each, number) => (each === NOT_PLAIN ? [number] : [])));
    }),
  );
});

test('messages of one turn of the event loop leave as one', () => {
  const { port, letters, turn } = loop();
  for (const each of ['a', 'b']) port.send(each);
  expect(letters).toEqual([]);
  turn();
  port.send('c');
  turn();
  turn();
  expect(letters).toEqual([['a', 'b'], ['c']]);
});

test('a rejection without a handler is thrown', () => {
  const { port, turn } = loop();
  port.send(NOT_PLAIN);
  expect(turn).toThrow('could not be cloned');
});
