// What several sections say alike.

import * as z from 'zod';

export const share = z.number().min(0).max(1);
export const weight = z.number().min(0).max(1000);
export const counts = (least: number, most: number) => z.int().min(least).max(most);

export const each = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .min(1)
    .refine(
      items => new Set(items).size === items.length,
      'One of the list stands in it twice; name each once.',
    )
    .meta({ uniqueItems: true });
