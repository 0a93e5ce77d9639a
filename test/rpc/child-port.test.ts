import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { childPort } from '../../runtime/rpc/child-port.ts';

/** One end of a channel; what it sends is kept. */
class End extends EventEmitter {
  connected = true;
  readonly sent: unknown[] = [];

  send(message: unknown): boolean {
    this.sent.push(message);
    return true;
  }
}

test('named ports share a channel and ignore other messages', () => {
  const [here, there] = [new End(), new End()];
  const heard: string[] = [];
  childPort(there, 'a').receive(message => heard.push(`a ${message}`));
  childPort(there, 'b').receive(message => heard.push(`b ${message}`));
  there.on('message', message => heard.push(typeof message));
  childPort(here, 'b').send(1);
  childPort(here, 'a').send(null);
  for (const message of [...here.sent, 'other', null, 3, { port: 'c', message: 1 }, { port: 'a' }]) {
    there.emit('message', message);
  }
  expect(heard.filter(each => /^[ab] /.test(each))).toEqual(['b 1', 'a null']);
  expect(heard.length).toBe(9);
});

test('the end of the channel is reported, also to late handlers; later messages are dropped', () => {
  const end = new End();
  const port = childPort(end, 'a');
  let told = 0;
  const count = () => {
    told += 1;
  };
  port.closed(count);
  end.connected = false;
  end.emit('disconnect');
  port.closed(count);
  port.send(1);
  expect([told, end.sent]).toEqual([2, []]);
});
