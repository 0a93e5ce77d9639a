// What can be set of a run: each setting with what it is for and what is allowed. Defaults are in presets.ts; how a file and options
// become one whole configuration, in config.ts.

import * as z from 'zod';
import { MODES } from '../keep/policy-file.ts';

const share = z.number().min(0).max(1);
const weight = z.number().min(0).max(1000);
const passes = (step: string) =>
  z
    .number()
    .min(0)
    .max(1_000_000)
    .describe(`${step}. By default as good as without end, but not on real desktops.`);
const counts = (least: number, most: number) => z.int().min(least).max(most);

const each = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .min(1)
    .refine(
      items => new Set(items).size === items.length,
      'One of the list stands in it twice; name each once.',
    )
    .meta({ uniqueItems: true });

/** Longer runs are resumed. */
const MOST_MINUTES = 7 * 24 * 60;

const tiers = each(z.literal([1, 2, 3, 4])).describe(
  'How hard the tasks are that are trained on: one or several of 1 to 4. Not together with `tasks`.',
);
const tasks = each(z.string().min(1)).describe(
  'The ids of the tasks that are trained on, where whole tiers are too many. Not together with `tiers`.',
);
const files = z
  .string()
  .min(1)
  .describe('A folder of task files, from the workspace on; its tasks join those that are built in.');

const run = {
  mode: z
    .enum(MODES)
    .describe('What the policy sees: the screenshot, the elements of the accessibility tree, or both.'),
  seed: z
    .string()
    .max(100)
    .regex(/^(?!\s*$)\P{Cc}+$/u)
    .meta({ patternErrorMessage: 'a text of 1 to 100 characters on one line, not blank' })
    .describe('Where all chance of the run comes from.'),
  minutes: z.number().gt(0).max(MOST_MINUTES).describe('How long it trains, in all.'),
  demonstrations: counts(0, 32).describe(
    'Scripted solutions of each task that it is shown first. Where no preset is named, any of them choose `taught`.',
  ),
};

const host = z.strictObject({
  address: z
    .string()
    .min(1)
    .describe(
      'Where the engine is: `local`, or as in DOCKER_HOST: unix:///path, ssh://user@host, tcp://host:port.',
    ),
  capacity: counts(1, 100_000).describe('Containers that it may hold at once, spares included.'),
  certificates: z
    .string()
    .min(1)
    .exactOptional()
    .describe('The folder with ca.pem, cert.pem and key.pem, for an engine that is reached by tcp.'),
});

const docker = z
  .strictObject({
    hosts: z
      .array(host)
      .min(1)
      .refine(
        hosts => new Set(hosts.map(({ address }) => address)).size === hosts.length,
        'Two of the hosts have the same address; name each engine once.',
      )
      .describe(
        'The Docker engines that desktops run on. By default the engine of this machine, with room for all of them.',
      ),
    image: z
      .string()
      .min(1)
      .describe('What a desktop runs: `small`, which Dartboard brings along, or the tag of an image.'),
    memoryMb: counts(128, 1_000_000).describe('Memory of one desktop, in megabytes, its files included.'),
    spares: counts(0, 1000).describe(
      'Containers that are kept ready on each host, so that an episode does not wait for one to start.',
    ),
  })
  .describe('Desktops in containers, where `kind` is `docker`.');

const environments = z
  .strictObject({
    kind: z
      .enum(['pocket', 'docker'])
      .describe(
        'The kind of desktop. `pocket` is built in and needs no installation; `docker` runs real applications in containers.',
      ),
    desktops: counts(1, 10_000).describe(
      'Desktops that episodes run on at once. By default 32, and 8 of the kind `docker`.',
    ),
    mostEpisodes: counts(1, 1_000_000).describe('After so many episodes a desktop is made anew.'),
    mostAgeMinutes: z
      .number()
      .gt(0)
      .max(MOST_MINUTES)
      .describe('After so many minutes a desktop is made anew.'),
    docker,
  })
  .describe('The desktops.');

const rollout = z
  .strictObject({
    workers: counts(1, 64).describe(
      'Processes that decide for the desktops. Each takes a core; leave one for the trainer.',
    ),
    batch: counts(1, 1024).describe('Decisions that a worker makes in one go, at most.'),
    patienceMs: z
      .number()
      .min(0)
      .max(1000)
      .describe(
        'How long a request waits for others to share its batch while a worker is free. 0 never waits.',
      ),
    temperature: z
      .number()
      .gt(0)
      .max(10)
      .describe('1 draws from the policy as it is; more is bolder, less keeps to what is likeliest.'),
    exploration: share.describe(
      'The share of decisions that are made at random in short tasks; in longer ones as much less, so that an episode is disturbed as often. By default less on real desktops, for whoever was shown how tasks are done.',
    ),
    daring: share.describe(
      'The same in every other rollout of an instance that was never solved. By default less on real desktops.',
    ),
    mostAttempts: counts(1, 100).describe('How often an order is tried when its desktop breaks.'),
  })
  .describe('Who decides, and how.');

const exploring = z
  .strictObject({
    firstSeconds: z
      .number()
      .min(0)
      .max(86_400)
      .describe(
        'For so long it only explores and imitates, before it plays tasks. By default no more than a quarter of the run, and 0 on desktops of the kind `docker`, on which nothing is explored.',
      ),
    searching: share.describe(
      'After that, the share of its time that it explores while nobody knows how to do what some task asks for. By default 0.5, with the preset `taught` 0.2, and 0 on desktops of the kind `docker`.',
    ),
    otherwise: share.describe(
      'The share of its time that it explores when there are no such tasks. By default 0.2, with the preset `taught` 0.15, and 0 on desktops of the kind `docker`.',
    ),
    hindsight: z
      .boolean()
      .describe(
        'Whether failed rollouts that did something nameable are kept under the instruction that names it. By default they are, but on desktops of the kind `docker`.',
      ),
    analogy: z
      .boolean()
      .describe(
        'Whether what demonstrations show on some instances of a task is carried over to the others. By default it is, but on desktops of the kind `docker`.',
      ),
  })
  .describe('What it finds out by itself, without being told.');

const data = z
  .strictObject({
    stalenessVersions: counts(0, 1000).describe(
      'So many versions may lie between the weights that chose a step and those that it trains.',
    ),
    trajectoriesPerVersion: counts(2, 10_000).describe(
      'Trajectories of an update. Rollouts are paced by it.',
    ),
    stepsPerBatch: counts(1, 100_000).describe(
      'A batch with so many steps is full, however few trajectories they belong to. By default fewer on real desktops, which are slow.',
    ),
    batchesAhead: counts(1, 1000).describe('Batches that wait for the trainer, at most.'),
    ahead: counts(1, 10_000).describe(
      'Orders that wait for a desktop, at most. By default as many as there are desktops.',
    ),
    rollouts: counts(2, 256).describe('Rollouts of a group, at most; tasks that succeed surely get fewer.'),
    retention: z
      .strictObject({
        mostMegabytes: counts(1, 10_000_000).describe(
          'Room on disk for the trajectories of all runs. What is least worth goes first; what somebody marked, and the pool, stay.',
        ),
        mostTrajectories: counts(1, 100_000_000).describe('How many of them are kept, at most.'),
      })
      .describe('Which trajectories stay on disk.'),
  })
  .describe('What is worth training on, and what is kept.');

/** All of DART, none of it, and all but one part. */
export const CURATIONS = [
  'dart',
  'grpo',
  'no-success-pool',
  'no-rollout-number',
  'no-revisits',
  'no-length',
  'no-high-entropy',
  'no-alignment',
] as const;
export type CurationPreset = (typeof CURATIONS)[number];

const part = (what: string) => z.boolean().describe(`${what} By default as the preset of curation has it.`);

const curation = z
  .strictObject({
    preset: z
      .enum(CURATIONS)
      .describe(
        'Where the defaults of the parts come from: `dart` has all of them on, `grpo` all off, and the others all but the one that they name.',
      ),
    successPool: part('Whether a stored success of the same instance stands in where a whole group failed.'),
    rolloutNumber: part('Whether tasks that succeed surely get fewer rollouts.'),
    revisits: part('Whether a task whose outcome does not change any more is played one time in four.'),
    length: part(
      'Whether episodes are capped at a little more steps than the longest recent success of their task took.',
    ),
    lengthMargin: z
      .number()
      .min(1)
      .max(10)
      .describe('So many times the longest recent success is the cap, and one step more at least.'),
    lengthFloor: counts(1, 1000).describe('No cap is below so many steps.'),
    highEntropy: part('Whether only uncertain steps train: of each group all but the surest fifth.'),
    alignment: part(
      'Whether steps weigh less the less likely they have become since they were chosen; `trainer.objective.truncation` bounds it.',
    ),
  })
  .describe('Adaptive data curation: what is played how often and for how long, and what of it trains.');

const trainer = z
  .strictObject({
    learningRate: z
      .number()
      .gt(0)
      .max(1)
      .describe('The step size of the optimiser, once it is warm. By default smaller on real desktops.'),
    warmupUpdates: counts(0, 1_000_000).describe(
      'Updates in which the learning rate rises to its full size.',
    ),
    cooling: share.describe('What is left of the learning rate at the end.'),
    clipNorm: z.number().gt(0).max(1e6).describe('A gradient that is longer is shortened to this.'),
    batch: counts(1, 4096).describe('Rows of an update while there are no groups.'),
    replay: counts(0, 4096).describe('Rows that are imitated beside those of groups.'),
    policyRows: counts(1, 4096).describe('Steps of groups that an update takes, at most.'),
    policyWeight: weight.describe('What the steps of groups weigh in an update, all together.'),
    cloneWeight: weight.describe('What those that are imitated weigh, all together.'),
    renaming: share.describe(
      'The share of imitated rows in which names are replaced by others. By default none in the mode `screenshot`, where they cannot be.',
    ),
    shares: z
      .strictObject({
        hindsight: weight.describe('What it did by chance, or in a failed rollout, and a task asks for.'),
        beside: weight.describe('What it did and no task asks for.'),
        successes: weight.describe('Its own successful rollouts.'),
        demonstrations: weight.describe('Demonstrations of scripts and persons.'),
        grounding: weight.describe('Single steps that name what they act on.'),
      })
      .describe('Of what is imitated, how much of each sort.'),
    passes: z
      .strictObject({
        hindsight: passes('A step of what it did by chance, or in a failed rollout'),
        beside: passes('A step of what no task asks for'),
        successes: passes('A step of its own successful rollouts'),
        demonstrations: passes('A step of a demonstration'),
        grounding: passes('A single step that names what it acts on'),
      })
      .describe(
        'How often a step of each sort is imitated while there are no groups to learn from, on average. After that the trainer waits for groups.',
      ),
    objective: z
      .strictObject({
        clipLow: share.describe('The policy ratio is clipped below 1 minus this.'),
        clipHigh: z.number().min(0).max(10).describe('The policy ratio is clipped above 1 plus this.'),
        dualClip: z
          .number()
          .min(1)
          .max(1000)
          .describe('For a step that is worse than average the loss grows no further than at this ratio.'),
        truncation: z.number().gt(0).max(1000).describe('The weight for staleness is cut off here.'),
        entropyFloor: share.describe('The entropy of each decision is held up to this share of the largest.'),
        entropyWeight: weight.describe('How strongly it is held up; 0 leaves it out.'),
      })
      .describe("DART's objective."),
    publishSeconds: z
      .number()
      .min(0)
      .max(86_400)
      .describe(
        'Seconds between two versions of the weights, at least. By default more on real desktops, where episodes take longer.',
      ),
    checkpointMinutes: z
      .number()
      .gt(0)
      .max(MOST_MINUTES)
      .describe('Minutes between two checkpoints: as much is lost when the trainer breaks.'),
  })
  .describe('How the trainer learns.');

const evaluation = z
  .strictObject({
    everySeconds: z
      .number()
      .min(1)
      .max(86_400)
      .describe(
        'Seconds between two measurements. By default a twentieth of the run, but 3 to 60 seconds; on desktops of the kind `docker` a tenth, but 60 to 600.',
      ),
    instances: counts(1, 10_000).describe(
      'Instances of each task that a measurement plays. By default 4, and 1 on desktops of the kind `docker`.',
    ),
    lastInstances: counts(1, 10_000).describe(
      'Instances of each task that the last one plays, when training is over. By default 20, and 4 on desktops of the kind `docker`.',
    ),
    desktops: counts(1, 10_000).describe(
      'Desktops that measurements run on, beside those of training. By default as many, and half as many of the kind `docker`.',
    ),
  })
  .describe('How often it is measured, and how exactly.');

export const PRESETS = ['scratch', 'taught'] as const;
export type Preset = (typeof PRESETS)[number];
const preset = z
  .enum(PRESETS)
  .describe(
    'The recipe that all other defaults come from: `scratch` finds out all by itself, `taught` begins with demonstrations. By default `taught` where there are demonstrations, and on desktops of the kind `docker`; else `scratch`.',
  );

const sections = { environments, rollout, exploring, data, curation, trainer, evaluation };

/** A configuration in which nothing is left open. */
export const whole = z.strictObject({
  suite: z.union([
    z.strictObject({ tiers, files: files.exactOptional() }),
    z.strictObject({ tasks, files: files.exactOptional() }),
  ]),
  ...run,
  preset,
  ...sections,
});

/** What a file may say: all or nothing of it. */
export const partial = z
  .strictObject({
    $schema: z.string().optional().describe('The schema of this file, for editors.'),
    suite: z
      .strictObject({ tiers: tiers.optional(), tasks: tasks.optional(), files: files.optional() })
      .refine(said => said.tiers === undefined || said.tasks === undefined, {
        path: ['tasks'],
        message:
          "'suite.tasks' names the tasks and 'suite.tiers' would have no effect beside it; remove one of them.",
      })
      .meta({ not: { required: ['tiers', 'tasks'] } })
      .optional()
      .describe('Which tasks are trained on.'),
    ...loose(z.strictObject({ ...run, preset, ...sections })).shape,
  })
  .describe('A training run of Dartboard.');

/** The same shape, of which everything may be missing. */
function loose(object: z.ZodObject): z.ZodObject {
  const shape = Object.entries(object.shape).map(([name, type]) => {
    const inner = type instanceof z.ZodObject ? loose(type) : type;
    return [name, z.optional(inner)] as const;
  });
  return z.strictObject(Object.fromEntries(shape)).meta(object.meta() ?? {});
}
