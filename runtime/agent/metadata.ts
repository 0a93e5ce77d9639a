// What the metadata of saved weights says: texts, of which some are JSON. Checked where it comes from a file.

import * as z from 'zod';

/** A text that is JSON of this. */
export const json = <T>(schema: z.ZodType<T>) =>
  z.string().transform((text, context): T => {
    try {
      return schema.parse(JSON.parse(text));
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
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
