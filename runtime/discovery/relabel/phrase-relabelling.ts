// Hindsight from what an agent sees, for desktops whose state cannot be read. In the successes of a task, the words of the instruction that
// differ between instances stand at certain places of the episode, such as the name of the last clicked element. A failed episode with
// another text at these places is a success for the instruction that names this text. The rewards decide which places count: a place that
// fits in failures too is not used.

import { decode, encode, type Observation } from '../../agents/compact/observation.ts';
import type { TaskId } from '../../core/ids.ts';
import type { Lesson, LessonStep } from '../../core/lesson.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { isSuccess } from '../../core/verdict.ts';
import { choiceFor } from '../lesson-steps.ts';
import { type ActedStep, type Readings, readingsOf } from './episode-readings.ts';
import { filled, type Phrase, Phrases } from './phrases.ts';

/** Episodes of each phrasing that are remembered, of each sort. */
const REMEMBERED = 32;
const REMEMBERED_FITTING = 128;
/** Of a task; the oldest is forgotten first. */
const MAX_PHRASINGS = 64;
/** Different instructions: a place may fit one of them by chance. */
const ENOUGH_SUCCESSES = 3;
const ENOUGH_FAILURES = 4;
/** Of the remembered episodes whose places all fit, so many must have succeeded, and at least five. */
const RELIABLE = 0.9;
const RELIABLE_SUCCESSES = 5;

/** A remembered episode. */
interface Remembered {
  readonly number: number;
  /** The texts of the blanks. */
  readonly blanks: readonly string[];
  /** The readings that are equal to a blank. */
  readonly readings: Readings;
  readonly steps: number;
}

interface Experience {
  successes: readonly Remembered[];
  failures: readonly Remembered[];
  /** Failures that have each blank in some reading. */
  fitting: readonly Remembered[];
}

interface Task {
  readonly phrases: Phrases;
  /** By phrasing and last action. */
  readonly experiences: Map<string, Experience>;
}

interface Acted extends ActedStep {
  readonly observation: Observation;
}

export class PhraseRelabelling {
  readonly #tasks = new Map<TaskId, Task>();
  #episodes = 0;

  /** Learns from an episode, and returns a lesson if it is a success for another instruction. */
  relabel({ instance, instruction, outcome, steps }: Trajectory): Lesson | undefined {
    if (outcome.kind === 'broken' || outcome.ending !== 'finished') return undefined;
    const task = this.#taskOf(instance.task);
    task.phrases.add(instruction);
    const phrase = task.phrases.phraseOf(instruction);
    const acted = steps.flatMap(({ action, observation }): readonly Acted[] =>
      observation === undefined ? [] : [{ action, observation: decode(observation) }],
    );
    if (phrase === undefined || phrase.blanks.length === 0 || acted.length < steps.length) return undefined;
    const key = `${phrase.pattern}\n${endOf(acted)}`;
    const experience = experienceIn(task.experiences, key);
    const readings = readingsOf(acted);
    const remembered = { ...matching(phrase, readings), number: this.#episodes++, steps: acted.length };
    if (isSuccess(outcome)) {
      experience.successes = [...experience.successes, remembered].slice(-REMEMBERED);
      return undefined;
    }
    experience.failures = [...experience.failures, remembered].slice(-REMEMBERED);
    const texts = [...remembered.readings.values()];
    if (remembered.blanks.every(blank => texts.some(same(blank))))
      experience.fitting = [...experience.fitting, remembered].slice(-REMEMBERED_FITTING);
    if (acted.length > Math.max(...experience.successes.map(success => success.steps))) return undefined;
    const done = textsAt(placesOf(phrase, experience), readings);
    const other = done && filled(instruction, phrase.blanks, done.map(bare));
    if (other === undefined || normal(other) === normal(instruction)) return undefined;
    const lesson = acted.flatMap(({ action, observation }): readonly LessonStep[] => {
      const seen = { ...observation, instruction: other };
      const choice = choiceFor(action, seen);
      return choice === undefined ? [] : [{ observation: encode(seen), choice }];
    });
    if (lesson.length < acted.length) return undefined;
    return { sort: 'hindsight', kind: instance.task, steps: lesson };
  }

  #taskOf(id: TaskId): Task {
    const known = this.#tasks.get(id);
    if (known !== undefined) return known;
    const task = { phrases: new Phrases(), experiences: new Map() };
    this.#tasks.set(id, task);
    return task;
  }
}

function experienceIn(experiences: Map<string, Experience>, key: string): Experience {
  const known = experiences.get(key);
  if (known !== undefined) return known;
  const experience = { successes: [], failures: [], fitting: [] };
  const [oldest] = experiences.keys();
  if (oldest !== undefined && experiences.size >= MAX_PHRASINGS) experiences.delete(oldest);
  experiences.set(key, experience);
  return experience;
}

function matching({ blanks }: Phrase, readings: Readings): Pick<Remembered, 'blanks' | 'readings'> {
  const texts = blanks.map(({ text }) => text);
  return { blanks: texts, readings: new Map([...readings].filter(([, text]) => texts.some(same(text)))) };
}

/** Per blank, the places where its text stands in every success; undefined where a blank has none, or they do not tell success from failure. */
export function placesOf(
  { blanks }: Pick<Phrase, 'blanks'>,
  { successes, failures, fitting }: Experience,
): readonly (readonly string[])[] | undefined {
  const [first, ...others] = successes;
  const solved = new Set(successes.map(success => normal(success.blanks.join('\n'))));
  if (first === undefined || solved.size < ENOUGH_SUCCESSES || failures.length < ENOUGH_FAILURES)
    return undefined;
  const places = blanks.map((_, blank) =>
    [...first.readings.keys()]
      .filter(place => [first, ...others].every(success => fits(success, blank, place)))
      // Such a place does not depend on what was done.
      .filter(place => !failures.every(failure => fits(failure, blank, place))),
  );
  if (places.some(each => each.length === 0)) return undefined;
  // Both over one span of episodes: more failures may have fitted before those that are remembered.
  const since = Math.max(
    first.number,
    (fitting.length < REMEMBERED_FITTING ? undefined : fitting[0]?.number) ?? 0,
  );
  const isFit = (each: Remembered) =>
    each.number >= since && places.every((some, blank) => some.every(place => fits(each, blank, place)));
  const [succeeded, failed] = [successes.filter(isFit).length, fitting.filter(isFit).length];
  if (succeeded < RELIABLE_SUCCESSES || succeeded / (succeeded + failed) < RELIABLE) return undefined;
  return places;
}

const fits = ({ blanks, readings }: Remembered, blank: number, place: string): boolean =>
  same(blanks[blank] ?? '')(readings.get(place) ?? '');

/** The text of each blank; undefined where its places disagree or have none. */
function textsAt(
  places: readonly (readonly string[])[] | undefined,
  readings: Readings,
): readonly string[] | undefined {
  const texts = places?.map(each => {
    const [first, ...others] = each.map(place => readings.get(place));
    return first !== undefined && others.every(other => other !== undefined && same(first)(other))
      ? first
      : undefined;
  });
  return texts?.every(text => text !== undefined) ? texts : undefined;
}

/** The last action, and the role that it acted on. */
function endOf(steps: readonly Acted[]): string {
  const { action, observation } = steps.at(-1) ?? {};
  const role = readingsOf(action && observation ? [{ action, observation }] : []).get('role of click 0');
  return `${action?.kind} ${role}`;
}

const same = (a: string) => (b: string) => normal(a) === normal(b);
const normal = (text: string): string => bare(text).toLowerCase().replace(/\s+/g, ' ');
/** Without marks at the end, which the words of an instruction do not have. */
const bare = (text: string): string => text.trim().replace(/[.,:;!?]+$/, '');
