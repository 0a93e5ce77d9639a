// The actions that desktops performed, compared with those of the stored trajectories. Pure.

import type { Action } from '../../core/action.ts';
import { type Instance, instanceKey } from '../../core/task.ts';
import type { HostNote } from './host-notes.ts';

/** One episode, on a desktop or in a trajectory. */
export interface ActedEpisode {
  readonly instance: string;
  /** Without those that no desktop performs. */
  readonly actions: readonly string[];
}

export interface ActionAccount {
  /** Actions that a desktop performed, and that its stored trajectory does not have. */
  readonly twice: number;
  /** Stored trajectories whose actions no desktop performed in this order. */
  readonly unperformed: number;
}

export const actedEpisode = (instance: Instance, actions: readonly Action[]): ActedEpisode => ({
  instance: instanceKey(instance),
  actions: actions.filter(isPerformed).map(action => JSON.stringify(action)),
});

/** An agent ends its episode without the desktop. */
const isPerformed = ({ kind }: Action): boolean => kind !== 'finished' && kind !== 'fail' && kind !== 'none';

/** The episodes in the notes of one process. */
export function performedEpisodes(notes: readonly HostNote[]): readonly ActedEpisode[] {
  const episodes: { readonly instance: Instance; readonly actions: Action[] }[] = [];
  const current = new Map<string, (typeof episodes)[number]>();
  for (const note of notes)
    if (note.kind === 'reset') {
      const episode = { instance: note.instance, actions: [] };
      episodes.push(episode);
      current.set(note.desktop, episode);
    } else if (note.kind === 'act') current.get(note.desktop)?.actions.push(note.action);
  return episodes.map(({ instance, actions }) => actedEpisode(instance, actions));
}

/** Each performed episode belongs to at most one trajectory. An episode without a trajectory was not finished. */
export function accountOfActions(
  stored: readonly ActedEpisode[],
  performed: readonly ActedEpisode[],
): ActionAccount {
  const free = new Map<string, (readonly string[])[]>();
  for (const { instance, actions } of performed) {
    const all = free.get(instance) ?? [];
    free.set(instance, all);
    all.push(actions);
  }
  const taken = (
    { instance }: ActedEpisode,
    fits: (actions: readonly string[]) => boolean,
  ): readonly string[] | undefined => {
    const all = free.get(instance) ?? [];
    const place = all.findIndex(fits);
    return place < 0 ? undefined : all.splice(place, 1)[0];
  };
  // Equal ones first: another rollout of the instance may contain the same actions among others.
  const others = stored.filter(
    episode => taken(episode, each => isEqual(each, episode.actions)) === undefined,
  );
  let [twice, unperformed] = [0, 0];
  for (const episode of others) {
    const more = taken(episode, each => contains(each, episode.actions));
    if (more === undefined) unperformed += 1;
    else twice += more.length - episode.actions.length;
  }
  return { twice, unperformed };
}

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((each, index) => each === other[index]);

/** In this order, with others between them. */
function contains(all: readonly string[], some: readonly string[]): boolean {
  let found = 0;
  for (const each of all) if (each === some[found]) found += 1;
  return found === some.length;
}
