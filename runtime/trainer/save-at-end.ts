// Saves what a trainer has learned when its training ends.

import { ChannelClosed } from '../fabric/channels.ts';

/** Also if a channel closes, which says nothing about the weights. After any other error they may be damaged. Rejects with an error of the training. */
export async function saveAtEnd(training: Promise<void>, save: () => Promise<void>): Promise<void> {
  try {
    await training;
  } catch (error) {
    if (error instanceof ChannelClosed) await save();
    throw error;
  }
  await save();
}
