// Types that several sections share.

import * as z from 'zod';

export const share = z.number().min(0).max(1);
export const weight = z.number().min(0).max(1000);
export const counts = (least: number, most: number) => z.int().min(least).max(most);

/** No list of settings is longer: there are fewer tasks and hosts. */
export const MAX_LIST_ITEMS = 1000;
/** Of an id, path or address. */
export const text = z.string().min(1).max(1000);

/** A URL that may contain a password, so errors do not print it. `invalid` and `problemOf` must not repeat it either. */
export const secretUrl = (
  protocols: readonly string[],
  invalid: string,
  problemOf: (url: URL) => string | undefined,
) =>
  text
    .superRefine((address, context) => {
      const url = URL.canParse(address) ? new URL(address) : undefined;
      const message = url !== undefined && protocols.includes(url.protocol) ? problemOf(url) : invalid;
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    })
    .meta({ writeOnly: true });

export const uniqueList = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .min(1)
    .max(MAX_LIST_ITEMS)
    .refine(items => new Set(items).size === items.length, 'The list has a duplicate. Name each item once.')
    .meta({ uniqueItems: true });
