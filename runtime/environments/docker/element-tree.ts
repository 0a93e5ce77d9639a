// The windows and nodes that the elements hub in a container reports.

import { z } from 'zod';
import type { Box } from '../../core/screen.ts';

const box = z.tuple([z.number(), z.number(), z.number(), z.number()]);

export const elementTree = z.object({
  /** From back to front. */
  windows: z.array(
    z.object({
      xid: z.number(),
      title: z.string(),
      /** With and without the frame that the window manager draws. */
      box,
      inner: box,
      /** 0 if unknown. */
      pid: z.number(),
    }),
  ),
  /** Parents come before their children. */
  nodes: z.array(
    z.object({
      /** The window. */
      w: z.number(),
      role: z.string(),
      name: z.string(),
      value: z.string(),
      states: z.array(z.string()),
      box,
      /** Levels below the window. */
      depth: z.number(),
    }),
  ),
  /** Windows of applications that missed the deadline: their nodes are old. */
  late: z.array(z.number()),
  /** Windows of applications that answered but never became idle, such as a clock. */
  busy: z.array(z.number()),
  /** The window with the keyboard focus; 0 for none. */
  active: z.number(),
});

export type ElementTree = Readonly<z.infer<typeof elementTree>>;

export type ElementNode = ElementTree['nodes'][number];

export const boxOf = ([x, y, width, height]: ElementNode['box']): Box => ({ x, y, width, height });
