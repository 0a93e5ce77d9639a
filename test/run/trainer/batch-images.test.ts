import { expect, test } from 'vitest';
import { runId, trajectoryId } from '../../../runtime/core/ids.ts';
import { BatchImages } from '../../../runtime/run/trainer/batch-images.ts';
import { TokenBatchError } from '../../../runtime/trainer/tokens/prepare-tokens.ts';
import { temporaryFolder } from '../../temporary.ts';

test('a trajectory that was deleted before it trained costs its batch, not the trainer', async () => {
  const images = new BatchImages(temporaryFolder('runs'), runId('r'));
  images.use(new Map([['hash', trajectoryId('gone')]]));
  await expect(images.source('hash')).rejects.toThrow(TokenBatchError);
  await expect(images.source('hash')).rejects.toThrow(/trajectory gone are gone.*data\.retention/);
});
