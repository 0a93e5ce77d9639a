// The live desktops of the run that trains, and the kinds of desktops that this machine can run.
//
//   desktops.look    the changes since the last call; replies with bytes, as soon as there is a change or after one second
//   desktops.kinds   the kinds of desktops, and what is missing for those that cannot run

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';
import { DESKTOP_KINDS } from '../desktop-kinds.ts';
import { hostState } from './hosts.ts';
import { count, empty, name, requestSchema, timestamp } from './schemas.ts';
import { action } from './screen.ts';

export const DESKTOPS_REQUESTS = [
  /**
   * Returns the changes after `after`: 0 at first, then the value of the last reply. Without `desktop`, small pictures of all
   * desktops. The daemon renders pictures only until three seconds after the last such request.
   */
  requestSchema('desktops.look', z.strictObject({ after: z.number().min(0), desktop: name.exactOptional() })),
  requestSchema('desktops.kinds', empty),
] as const;

/** held: a person has taken it over. */
const DESKTOP_USES = ['starting', 'idle', 'playing', 'held', 'broken'] as const;

const doing = z.strictObject({
  task: z.string(),
  instruction: z.string(),
  steps: count,
  mostSteps: count,
  /** The last action, and its description. */
  action: action.exactOptional(),
  says: z.string().exactOptional(),
});

const desktopView = z.strictObject({
  desktop: z.string(),
  at: timestamp,
  use: z.enum(DESKTOP_USES),
  doing: doing.exactOptional(),
  /** A PNG within the bytes at offset `from`, and the size of the screen, which is larger than a small picture. */
  picture: z
    .strictObject({ from: count, length: count, width: z.int().min(1), height: z.int().min(1) })
    .exactOptional(),
});

export type DesktopView = z.infer<typeof desktopView>;

const looked = z.strictObject({
  /** Absent if no run trains. */
  run: z.string().exactOptional(),
  after: z.number(),
  /** Absent for a run on one machine. */
  hosts: z.array(hostState).exactOptional(),
  views: z.array(desktopView),
});

export type DesktopsUpdate = z.infer<typeof looked>;

const kindOffer = z.discriminatedUnion('is', [
  z.strictObject({ kind: z.enum(DESKTOP_KINDS), is: z.literal('here') }),
  /** The Docker engine is not reachable, or there is no browser. */
  z.strictObject({ kind: z.enum(['docker', 'web', 'guest']), is: z.literal('away'), why: z.string() }),
  /** The engine is reachable, but has no image for desktops. */
  z.strictObject({ kind: z.literal('docker'), is: z.literal('unbuilt'), why: z.string() }),
]);

export type KindOffer = z.infer<typeof kindOffer>;

export const DESKTOPS_RESULTS = {
  'desktops.look': looked,
  'desktops.kinds': z.strictObject({ kinds: z.array(kindOffer) }),
} as const;
