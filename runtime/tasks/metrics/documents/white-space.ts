// White space in the texts of documents, as Python counts it.

import { SPACE, strip } from '../../formats/python/text.ts';

const RUNS = new RegExp(`[${SPACE}]+`, 'g');
const EACH = new RegExp(`[${SPACE}]`);

export const isBlank = (text: string): boolean => strip(text) === '';

/** Each run of white space becomes one space, and those at both ends vanish. */
export const collapsed = (text: string): string => strip(text.replace(RUNS, ' '));

/** The parts between single white-space characters, some of them empty. */
export const splitAtSpaces = (text: string): readonly string[] => text.split(EACH);
