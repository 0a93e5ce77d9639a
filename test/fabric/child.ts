// A process that serves channels: it opens new ones under each name that it receives, and closes them on request.

import { serveChannels } from '../../runtime/fabric/remote/server.ts';
import { batched } from '../../runtime/rpc/batched-port.ts';
import { childPort } from '../../runtime/rpc/child-port.ts';
import { closeAll, embeddedChannels, type TestChannels } from './channels.ts';

export interface ChannelOrder {
  readonly act: 'open' | 'close';
  readonly name: string;
}

process.setMaxListeners(0);
process.on('disconnect', () => process.exit());
const served = new Map<string, TestChannels>();
const orders = childPort(process, 'orders');
orders.receive(message => {
  const { act, name } = message as ChannelOrder;
  if (act === 'open') {
    const channels = embeddedChannels();
    served.set(name, channels);
    serveChannels(channels, batched(childPort(process, name)));
  } else closeAll(served.get(name) ?? embeddedChannels());
  orders.send(name);
});
