// The desktops: those of the run that trains, to look at while they are played on; and the kinds of desktops that can be had here.
//
//   desktops.look    what has changed on them; answered with bytes, and as soon as there is something or a second has passed
//   desktops.kinds   which kinds there are, and what is missing for those that are not

// As a namespace: a page's bundle then leaves out what it does not use.
import * as z from 'zod';
import { count, moment, name, nothing, requestSchema } from './schemas.ts';
import { action } from './screen.ts';

export const DESKTOPS_REQUESTS = [
  /**
   * Who asks looks, and somebody looks until three seconds after the last such request: only then are pictures made. What is asked
   * for is what came after `after`: 0 at first, and then what the last reply said. Without `desktop`, small pictures of all.
   */
  requestSchema('desktops.look', z.strictObject({ after: z.number().min(0), desktop: name.exactOptional() })),
  requestSchema('desktops.kinds', nothing),
] as const;

const DESKTOP_USES = ['starting', 'idle', 'playing', 'broken'] as const;

const doing = z.strictObject({
  task: z.string(),
  instruction: z.string(),
  steps: count,
  mostSteps: count,
  /** The last one, and the same in words. */
  action: action.exactOptional(),
  says: z.string().exactOptional(),
});

const desktopView = z.strictObject({
  desktop: z.string(),
  at: moment,
  use: z.enum(DESKTOP_USES),
  doing: doing.exactOptional(),
  /** A PNG among the bytes, from there on and so long; and the size of the screen, of which a small picture is smaller. */
  picture: z
    .strictObject({ from: count, length: count, width: z.int().min(1), height: z.int().min(1) })
    .exactOptional(),
});

export type DesktopView = z.infer<typeof desktopView>;

const looked = z.strictObject({
  /** Absent where nothing trains. */
  run: z.string().exactOptional(),
  after: z.number(),
  views: z.array(desktopView),
});

export type DesktopsUpdate = z.infer<typeof looked>;

const kindOffer = z.discriminatedUnion('is', [
  z.strictObject({ kind: z.enum(['pocket', 'docker']), is: z.literal('here') }),
  /** Nobody answers who could run such desktops. */
  z.strictObject({ kind: z.literal('docker'), is: z.literal('away'), why: z.string() }),
  /** The engine answers, and has no image to start desktops from. */
  z.strictObject({ kind: z.literal('docker'), is: z.literal('unbuilt'), why: z.string() }),
]);

export type KindOffer = z.infer<typeof kindOffer>;

export const DESKTOPS_RESULTS = {
  'desktops.look': looked,
  'desktops.kinds': z.strictObject({ kinds: z.array(kindOffer) }),
} as const;
