// What is said to who uses a channel after its end.

import { ChannelClosed } from '../channels.ts';

export const closedError = (channel: string): ChannelClosed =>
  new ChannelClosed(`The channel '${channel}' is closed: its run has ended.`);
