// Schemas for the metadata of saved weights: strings, some of them JSON. Files are validated when they are read.

import * as z from 'zod';
import { messageOf } from '../../core/errors.ts';

/** A string that contains JSON of this schema. */
export const json = <T>(schema: z.ZodType<T>) =>
  z.string().transform((text, context): T => {
    try {
      return schema.parse(JSON.parse(text));
    } catch (error) {
      context.addIssue({ code: 'custom', message: messageOf(error) });
      return z.NEVER;
    }
  });

const COUNT = z.int().positive();

/** See network.ts. */
export const networkShape = z.object({
  width: COUNT,
  blocks: COUNT,
  heads: COUNT,
  hidden: COUNT,
  letterWidth: COUNT,
  pixels: z.boolean(),
});
