// A process that holds channels: new ones for each name that it is told, served under that name, until told to close them.

import { serveChannels } from '../../runtime/fabric/remote/server.ts';
import { batched } from '../../runtime/rpc/batched-port.ts';
import { childPort } from '../../runtime/rpc/child-port.ts';
import { closeAll, embeddedChannels, type TestChannels } from './channels.ts';

export interface Told {
  readonly act: 'open' | 'close';
  readonly name: string;
}

process.setMaxListeners(0);
process.on('disconnect', () => process.exit());
const served = new Map<string, TestChannels>();
const orders = childPort(process, 'orders');
orders.receive(message => {
  const { act, name } = message as Told;
  if (act === 'open') {
    const channels = embeddedChannels();
    served.set(name, channels);
    serveChannels(channels, batched(childPort(process, name)));
  } else closeAll(served.get(name) ?? embeddedChannels());
  orders.send(name);
});
