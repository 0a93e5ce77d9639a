// Types that several sections share.

import * as z from 'zod';

export const share = z.number().min(0).max(1);
export const weight = z.number().min(0).max(1000);
export const counts = (least: number, most: number) => z.int().min(least).max(most);

/** No list of settings is longer: there are fewer tasks and hosts. */
export const MAX_LIST_ITEMS = 1000;
/** Of an id, path or address. */
export const text = z.string().min(1).max(1000);

export const uniqueList = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .min(1)
    .max(MAX_LIST_ITEMS)
    .refine(items => new Set(items).size === items.length, 'The list has a duplicate. Name each item once.')
    .meta({ uniqueItems: true });
