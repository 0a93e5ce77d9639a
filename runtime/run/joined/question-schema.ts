// The schema of a question that a joined host sends to the daemon, with bounds.

import * as z from 'zod';
import { chatMessages } from '../../agents/model/chat-observation.ts';
import { blobHash } from '../../blobs/blobs.ts';
import type { ModelQuestion } from '../../core/model-question.ts';
import { picture } from './host-schemas.ts';

const MAX_MESSAGES = 4096;
const MAX_IMAGES = 256;
const MAX_NAME = 200;

const name = z.string().min(1).max(MAX_NAME);

const sampling = z.strictObject({
  temperature: z.number().min(0).max(100),
  topP: z.number().gt(0).max(1),
  topK: z.int().min(-1).max(1_000_000),
  maxTokens: z.int().min(1).max(100_000),
  seed: z.int().min(0),
});

const images = z
  .record(z.string(), picture)
  .refine(all => Object.keys(all).length <= MAX_IMAGES, `more than ${MAX_IMAGES} images`)
  .refine(
    all => Object.entries(all).every(([sha256, png]) => blobHash(png) === sha256),
    'an image under the hash of another',
  );

const complete = z
  .strictObject({
    ...{ kind: z.literal('complete'), images, sampling, session: name },
    messages: chatMessages.max(MAX_MESSAGES),
  })
  .refine(
    ({ messages, images: sent }) =>
      messages.every(({ parts }) => parts.every(part => part.type === 'text' || part.sha256 in sent)),
    'a message refers to an image that was not sent',
  );

export const modelQuestion: z.ZodType<ModelQuestion> = z.strictObject({
  id: name,
  ask: z.discriminatedUnion('kind', [complete, z.strictObject({ kind: z.literal('end'), session: name })]),
});
