// What a script of a solution can say. Each step is one action of an agent (`until` none or several waits), and names what it acts
// on as the list of elements does. Which action a step means on a certain screen is told by oracle.ts.

import { z } from 'zod';

const text = z.string().min(1);
/** May be the empty text: many a field has no name. */
const name = z.string();
const pixel = z.int().min(0);

const step = z.union([
  /** Where several are called the same, in the window whose title has a fourth text in it. */
  z.tuple([z.enum(['click', 'double', 'right']), text, name, text.optional()]),
  z.tuple([z.literal('drag'), text, name, text, name]),
  z.tuple([z.literal('scroll'), text, name, z.enum(['up', 'down'])]),
  /** A place on the screen, in the policy's pixels: for what has no elements, as the panel. */
  z.tuple([z.literal('point'), pixel, pixel]),
  z.tuple([z.literal('type'), z.union([text, z.number().transform(String)])]),
  z.tuple([z.literal('keys'), text], text),
  /** Waits until an element whose name begins so is to be seen, and does nothing where it is there already. */
  z.tuple([z.literal('until'), text, name]),
  z.tuple([z.literal('fail')]),
]);

/** Ends with the word `fail` where it says so, else with `finished`. */
export const script = z.array(step);

export type ScriptStep = Readonly<z.infer<typeof step>>;
export type SolutionScript = readonly ScriptStep[];
