// Recording demonstrations: a person does a task on a live desktop of the daemon. One recording at a time, and one client owns it; when
// this client disconnects, another request about the recording makes its client the owner, until a grace time ends.
//
// An agent may act in a recording as well: a person watches it, approves its actions or acts by hand, and lets it continue.
//
//   record.tasks      the tasks of a kind of desktops, and the agents that can act on them
//   record.start      opens a desktop for an instance of a task
//   record.run        the same with an agent that acts
//   record.takeOver   takes a desktop of the run that trains, with the episode that is played on it
//   record.now        the recording in progress, if any
//   record.look       the screen and the state, once they differ from those that the client has; replies with bytes
//   record.input      pointer and key events; the reply comes once their actions are performed
//   record.pilot      pauses the agent, lets it continue, or lets it act once
//   record.approve    performs the action that the agent proposes, or drops it
//   record.decision   how the agent chose a step, or the action that it proposes
//   record.finish     ends the task and has it judged
//   record.solution   restarts the instance and shows the scripted solution
//   record.restart    starts the same instance over, without steps
//   record.save       replays the steps that are kept on a fresh instance, and adds them to the success pool
//   record.discard    returns the desktop without saving
//   record.leave      the page is closed for good: a desktop of the run that trains returns at once, any other after the grace time

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';
import { findKey } from '../../core/key.ts';
import { DESKTOP_KINDS } from '../desktop-kinds.ts';
import { count, empty, name, requestSchema, task } from './schemas.ts';
import { action } from './screen.ts';
import { ENDINGS, stepDetail } from './trajectories.ts';

const pixel = z.int().min(0).max(0xffff);
const at = z.strictObject({ x: pixel, y: pixel });
const button = z.enum(['left', 'middle', 'right']);
const turn = z.number().min(-1e6).max(1e6);

const keyName = z.string().refine(name => findKey(name) !== undefined, {
  error: "It is not the name of a key. Key names look like 'enter', 'ctrl', 'f5' or 'a'.",
});

const personEvent = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('press'), button, at }),
  z.strictObject({ kind: z.literal('release'), button, at }),
  /** The pointer has not moved for a while. */
  z.strictObject({ kind: z.literal('rest'), at }),
  /** In pixels that a page would scroll. */
  z.strictObject({ kind: z.literal('wheel'), at, x: turn, y: turn }),
  z.strictObject({ kind: z.literal('text'), text: z.string().min(1).max(2000) }),
  /** A key that is no character, or a chord. */
  z.strictObject({ kind: z.literal('keys'), keys: z.tuple([keyName], keyName) }),
  z.strictObject({ kind: z.literal('wait') }),
  /** The pointer left the page while a button was down. */
  z.strictObject({ kind: z.literal('cancel') }),
]);

const input = z.strictObject({
  event: personEvent,
  /** Milliseconds on the clock of the client. */
  time: z.number(),
  /** The screen that the person saw: the last one that the client has shown. */
  frame: count,
});

/** The split of an instance. Only instances for training can be saved. */
const split = z.enum(['train', 'test', 'unseen']);
const kind = z.enum(DESKTOP_KINDS);
const seed = z.int().min(0).max(0xffff_ffff);
const instruction = z.string().trim().min(1).max(2000);

/**
 * run: the agent acts by itself. approve: each action waits for the person. step: it acts once, then pauses. pause: it waits; input of the
 * person pauses it.
 */
export const PILOT_MODES = ['run', 'approve', 'step', 'pause'] as const;
const pilotMode = z.enum(PILOT_MODES);

const ofRecording = z.strictObject({ recording: name });

export const RECORD_REQUESTS = [
  /** The default kind is that of the workspace. */
  requestSchema('record.tasks', z.strictObject({ kind: kind.exactOptional() })),
  requestSchema(
    'record.start',
    z.strictObject({
      task,
      /** Without a seed, the daemon draws an instance of the split; its default is 'train'. */
      seed: seed.exactOptional(),
      split: split.exactOptional(),
      kind: kind.exactOptional(),
      /** An instruction of one's own on the start of this instance. The person then says whether it was done. */
      instruction: instruction.exactOptional(),
      /** The person, as the trajectory names them. */
      who: name,
    }),
  ),
  requestSchema(
    'record.run',
    z.strictObject({
      /** 'compact', or an entry of `agents` of the workspace. */
      agent: name,
      /** The weights of 'compact': a file, or the name of a run. The default is that of `findWeights`. */
      from: z.string().min(1).exactOptional(),
      mode: pilotMode,
      /** Without a task, the daemon chooses an instance for training that fits the instruction; without both, a random one. */
      task: task.exactOptional(),
      seed: seed.exactOptional(),
      split: split.exactOptional(),
      kind: kind.exactOptional(),
      instruction: instruction.exactOptional(),
      who: name,
    }),
  ),
  requestSchema(
    'record.takeOver',
    z.strictObject({
      /** Of the run that trains, as `desktops.look` names it. */
      desktop: name,
      who: name,
    }),
  ),
  requestSchema('record.now', empty),
  /** The reply comes when the screen or the state has changed, or after one second. */
  requestSchema('record.look', ofRecording.extend({ frame: count, change: count })),
  requestSchema('record.input', ofRecording.extend({ inputs: z.array(input).min(1).max(500) })),
  requestSchema('record.pilot', ofRecording.extend({ mode: pilotMode })),
  /** `step` is the number that the proposed step will have: another proposal may have replaced it. */
  requestSchema('record.approve', ofRecording.extend({ step: count, approved: z.boolean() })),
  /** The number after that of the last step is the proposal. */
  requestSchema('record.decision', ofRecording.extend({ step: count })),
  requestSchema(
    'record.finish',
    ofRecording.extend({
      /** `fail`: the person reports that the task is impossible. */
      ending: z.enum(['finished', 'fail']),
      /** Whether an instruction of one's own was done. */
      isDone: z.boolean().exactOptional(),
    }),
  ),
  requestSchema('record.solution', ofRecording),
  requestSchema('record.restart', ofRecording),
  /** `drop` has the numbers of superfluous steps, from 0. */
  requestSchema('record.save', ofRecording.extend({ drop: z.array(count).max(2000) })),
  requestSchema('record.discard', ofRecording),
  /** Without effect while another client owns the recording. */
  requestSchema('record.leave', ofRecording),
] as const;

const taskEntry = z.strictObject({
  task: z.string(),
  tier: z.int().min(1).max(4),
  splits: z.array(split),
  apps: z.array(z.string()),
  /** The instruction of one instance. */
  example: z.string(),
});

const judgement = z.strictObject({
  ending: z.enum(ENDINGS),
  success: z.boolean(),
  /** Absent where the person judged. */
  score: z.number().min(0).max(1).exactOptional(),
  /** The conditions of the task, and whether each is met. */
  checks: z.array(z.strictObject({ met: z.boolean(), says: z.string() })),
});

const pilot = z.strictObject({
  agent: z.string(),
  /** The weights that the request named. */
  from: z.string().exactOptional(),
  /** Which weights or model; absent while the agent opens. */
  about: z.string().exactOptional(),
  mode: pilotMode,
  isDeciding: z.boolean(),
  /** The next action, which waits. */
  proposal: z.strictObject({ action, says: z.string() }).exactOptional(),
  /** The end of an instruction of one's own, as the agent sees it. The person decides. */
  report: z.string().exactOptional(),
  /** Why it does not decide, and what to do next. */
  problem: z.string().exactOptional(),
});

/**
 * opening: the desktop starts. acting: the person acts. showing: a scripted solution plays, or has played. judged: it is over and can be
 * saved. checking: the steps are replayed. saved, discarded: the desktop has been returned. failed: the desktop broke; `problem` has the
 * reason, and only a restart or a discard is possible.
 */
export const RECORDING_PHASES = [
  ...(['opening', 'acting', 'showing', 'judged', 'checking', 'saved', 'discarded', 'failed'] as const),
] as const;

export const recordingState = z.strictObject({
  recording: z.string(),
  /** Increases with every change. */
  change: count,
  phase: z.enum(RECORDING_PHASES),
  kind,
  task: z.string(),
  seed: count,
  split,
  tier: z.int().min(1).max(4),
  instruction: z.string(),
  /** The instruction is the person's own. */
  isOwn: z.boolean(),
  /** The step limit of an agent. A person has none. */
  maxSteps: z.int().min(1),
  /** A desktop of the run that trains, which the person took over. */
  desktop: z.string().exactOptional(),
  /** A scripted solution can be shown. */
  hasSolution: z.boolean(),
  /** The agent that acts. */
  pilot: pilot.exactOptional(),
  /** The same steps always lead to the same screens, so a replay proves a demonstration. */
  isDeterministic: z.boolean(),
  /** Absent while the desktop starts. */
  screen: z.strictObject({ width: z.int().min(1), height: z.int().min(1) }).exactOptional(),
  /** The merged steps, in words. */
  steps: z.array(
    z.strictObject({
      action,
      says: z.string(),
      /** Absent: the person. */
      by: z.literal('agent').exactOptional(),
    }),
  ),
  /** Steps of the scripted solution so far, and of the whole one. */
  shown: z.strictObject({ at: count, of: count }).exactOptional(),
  judgement: judgement.exactOptional(),
  /** Why the last request failed, and what to do next. */
  problem: z.string().exactOptional(),
  /** Of a saved demonstration. */
  trajectory: z.string().exactOptional(),
  /** The use of a saved demonstration. */
  note: z.string().exactOptional(),
});

const looked = z.strictObject({
  state: recordingState,
  /** The number of the present screen; 0 before the first. */
  frame: count,
  /** The size of the PNG in the bytes; absent if the client has this screen. */
  picture: z.strictObject({ width: z.int().min(1), height: z.int().min(1) }).exactOptional(),
});

/** The steps of one turn, the chosen one among them. */
const decided = z.strictObject({
  /** The number of the first one. */
  from: count,
  each: z.array(stepDetail),
});

export type RecordedTask = z.infer<typeof taskEntry>;
export type RecordingState = z.infer<typeof recordingState>;
export type RecordingJudgement = z.infer<typeof judgement>;
export type RecordingLook = z.infer<typeof looked>;
export type SentInput = z.infer<typeof input>;
export type RecordSplit = z.infer<typeof split>;
export type PilotMode = z.infer<typeof pilotMode>;
export type PilotState = z.infer<typeof pilot>;
export type RecordedDecision = z.infer<typeof decided>;

export const RECORD_RESULTS = {
  'record.tasks': z.strictObject({ kind, tasks: z.array(taskEntry), agents: z.array(z.string()) }),
  'record.start': recordingState,
  'record.run': recordingState,
  'record.takeOver': recordingState,
  'record.now': z.strictObject({ recording: recordingState.exactOptional() }),
  'record.look': looked,
  'record.input': recordingState,
  'record.pilot': recordingState,
  'record.approve': recordingState,
  'record.decision': decided,
  'record.finish': recordingState,
  'record.solution': recordingState,
  'record.restart': recordingState,
  'record.save': recordingState,
  'record.discard': recordingState,
  'record.leave': empty,
} as const;
