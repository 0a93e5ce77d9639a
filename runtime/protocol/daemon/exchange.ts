// Trajectories of other programs: reading their files into the workspace, and writing stored trajectories as their files.
//
//   trajectories.import   reads a folder, a file or an archive on the machine of the daemon; a repeated import stores nothing twice
//   trajectories.export   writes trajectories into a folder on the machine of the daemon

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';
import { count, requestSchema, run, trajectory } from './schemas.ts';

/** The formats that can be read. Each can also be written. */
export const IMPORT_FORMATS = ['osworld', 'dart', 'agentnet'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export const EXPORT_FORMATS = [...IMPORT_FORMATS, 'trl', 'llama-factory'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const FORMAT_TITLES: Readonly<Record<ExportFormat, string>> = {
  osworld: 'OSWorld results',
  dart: 'DART messages',
  agentnet: 'AgentNet JSON lines',
  trl: 'TRL messages',
  'llama-factory': 'LLaMA-Factory messages',
};

/** A request of more than 1 MB is refused first, with the remedy. */
const MAX_RUNS = 1000;
const MAX_TRAJECTORIES = 100_000;

const path = z.string().min(1).max(4096);
/** Of the desktop, for sources without pictures. */
const screen = z.strictObject({ width: z.int().min(1).max(65_535), height: z.int().min(1).max(65_535) });

export const EXCHANGE_REQUESTS = [
  requestSchema(
    'trajectories.import',
    z.strictObject({
      /** Absolute. */
      path,
      /** Only files of this format. By default each file is read as the format that it has. */
      format: z.enum(IMPORT_FORMATS).exactOptional(),
      screen: screen.exactOptional(),
    }),
  ),
  requestSchema(
    'trajectories.export',
    z.strictObject({
      format: z.enum(EXPORT_FORMATS),
      /** An absolute path; the folder is created. It must be empty. */
      out: path,
      /** Deletes the files of an earlier export in the folder first. */
      replace: z.literal(true).exactOptional(),
      /** Trajectories of these runs and those with these ids; all without either. */
      runs: z.array(run).max(MAX_RUNS).exactOptional(),
      trajectories: z.array(trajectory).max(MAX_TRAJECTORIES).exactOptional(),
      only: z.literal('successes').exactOptional(),
      /** Only instances of this part of their suite. */
      split: z.enum(['test', 'train', 'unseen']).exactOptional(),
      /** Also the steps that a trim leaves out. Results of OSWorld always have them. */
      whole: z.literal(true).exactOptional(),
      screen: screen.exactOptional(),
    }),
  ),
] as const;

/** A report names this many trajectories and files at most; its counts cover all. */
export const MAX_REPORTED = 1000;

const skipped = z.strictObject({
  file: z.string(),
  /** The fault, the value and the remedy. */
  why: z.string(),
});

const imported = z.strictObject({
  trajectory,
  format: z.enum(IMPORT_FORMATS),
  file: z.string(),
  task: z.string(),
  instruction: z.string(),
  steps: count,
  pictures: count,
  /** Steps whose reply contains no action that Dartboard can perform; the reply is kept. */
  unreadable: count,
  outcome: z.enum(['success', 'failure', 'broken']),
  score: z.number().exactOptional(),
  /** It was stored by an earlier import. */
  isKnown: z.boolean(),
  /** Missing parts of the source. */
  notes: z.array(z.string()),
  /** Why no run of this workspace learns from it; absent if it can teach once it is in the success pool. */
  untrained: z.string().exactOptional(),
});

const importReport = z.strictObject({
  source: z.string(),
  /** `steps` and `unreadable` are those of stored and known trajectories. */
  counts: z.strictObject({ stored: count, known: count, skipped: count, steps: count, unreadable: count }),
  trajectories: z.array(imported).max(MAX_REPORTED),
  /** Runs of the workspace play stored trajectories, so these train without the success pool. */
  isOffline: z.literal(true).exactOptional(),
  skipped: z.array(skipped).max(MAX_REPORTED),
});

const exportReport = z.strictObject({
  format: z.enum(EXPORT_FORMATS),
  folder: z.string(),
  /**
   * `trimmed` trajectories are among the exported ones; the steps that their trim leaves out are missing. `examples` are those of the formats
   * for fine-tuning: conversations, or single turns.
   */
  counts: z.strictObject({ trajectories: count, trimmed: count, examples: count, skipped: count }),
  skipped: z.array(z.strictObject({ trajectory, why: z.string() })).max(MAX_REPORTED),
});

export type ImportedReport = z.infer<typeof imported>;
export type ImportReport = z.infer<typeof importReport>;
export type ExportReport = z.infer<typeof exportReport>;

export const EXCHANGE_RESULTS = {
  'trajectories.import': importReport,
  'trajectories.export': exportReport,
} as const;
