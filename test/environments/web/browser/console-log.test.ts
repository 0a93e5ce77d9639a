import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../runtime/core/virtual-clock.ts';
import { Connection } from '../../../../runtime/environments/web/browser/connection.ts';
import { ConsoleLog } from '../../../../runtime/environments/web/browser/console-log.ts';

const open = () => {
  const connection = new Connection({
    input: new PassThrough(),
    output: new PassThrough(),
    clock: new VirtualClock(),
  });
  const [session, log] = [connection.session('tab'), new ConsoleLog()];
  log.read(session);
  const write = (type: string, ...args: object[]) => session.emit('Runtime.consoleAPICalled', { type, args });
  return { log, write, session };
};

test('values are logged as a console shows them', () => {
  const { log, write, session } = open();
  write('log', { type: 'string', value: 'total' }, { type: 'number', value: 3, description: '3' });
  write('warning', { type: 'object', description: 'Array(2)' }, { type: 'undefined' });
  write('error', { type: 'boolean', value: false }, { type: 'object', subtype: 'null', value: null });
  write('info', { type: 'number', unserializableValue: '-0', description: '-0' });
  const exceptionDetails = { text: 'Uncaught', exception: { type: 'object', description: 'Error: no' } };
  session.emit('Runtime.exceptionThrown', { exceptionDetails });
  const thrownText = { text: 'Uncaught', exception: { type: 'string', value: 'no row' } };
  session.emit('Runtime.exceptionThrown', { exceptionDetails: thrownText });
  expect(log.messages).toEqual([
    { level: 'log', text: 'total 3' },
    { level: 'warning', text: 'Array(2) undefined' },
    { level: 'error', text: 'false null' },
    { level: 'info', text: '-0' },
    { level: 'error', text: 'Error: no' },
    { level: 'error', text: 'no row' },
  ]);
});

test('keeps the last 200 messages of at most 1,000 characters', () => {
  const { log, write } = open();
  for (let i = 0; i < 300; i++) write('log', { type: 'string', value: `${i} ${'x'.repeat(2000)}` });
  expect(log.messages).toHaveLength(200);
  expect(log.messages.at(-1)?.text).toBe(`299 ${'x'.repeat(996)}`);
});
