// Tasks about writing notes: new ones, and more in those that are there.

import type { Draw } from '../draw.ts';
import { file, fileName, listOf, onlyFiles, put } from '../filing.ts';
import { toAddLine, toPutLineOnTop, toPutLineOnTopHere, toRewriteNote, toWriteNote } from '../phrases.ts';
import type { ScriptedUser } from '../scripted-user.ts';
import { all, fileIs, infeasible, type PocketTemplate } from '../template.ts';

const APPS = ['notes'];
const save = (hand: ScriptedUser) => hand.keys('ctrl', 's');

/** What people note down, in a line. */
const jotting = (draw: Draw): string => {
  const [first, last] = [draw.one(draw.words.first), draw.one(draw.words.last)];
  return draw.one([
    draw.one(draw.words.sentence),
    `Call ${first} ${last} on ${draw.phone()}`,
    `${draw.one(draw.words.event)} at ${draw.time()}`,
    `Ask ${first} about the ${draw.one(draw.words.topic)}`,
    `${draw.whole(2, 12)} x ${draw.one(draw.words.thing)} for ${first}`,
  ]);
};

/** A note of a few lines in a lived-in world, and another one beside it. */
function noted(draw: Draw): { name: string; other: string; text: string; world: ReturnType<Draw['world']> } {
  const [name, other] = [`${draw.fresh(draw.words.thing)}.txt`, `${draw.fresh(draw.words.thing)}.txt`];
  const world = draw.world();
  const text = listOf(draw);
  put(world.root, `/Notes/${name}`, file(text));
  put(world.root, `/Notes/${other}`, file(listOf(draw)));
  return { name, other, text, world };
}

const lineOnTop: PocketTemplate = {
  id: 'notes-line-on-top',
  tier: 1,
  apps: APPS,
  make: draw => {
    const { name, text, world } = noted(draw);
    const line = jotting(draw);
    return {
      instruction: draw.say(...toPutLineOnTopHere(line), ...toPutLineOnTop(line, name)),
      world,
      open: [{ app: 'notes', what: `/Notes/${name}` }],
      evaluator: all(fileIs(`/Notes/${name}`, `${line}\n${text}`), onlyFiles(`/Notes/${name}`)),
      solve: hand => {
        hand.type(`${line}\n`);
        save(hand);
      },
      misses: {
        'not saved': hand => hand.type(`${line}\n`),
        'before the first line instead of above it': hand => {
          hand.type(line);
          save(hand);
        },
        'at the end': hand => {
          hand.keys('ctrl', 'end');
          hand.type(`\n${line}`);
          save(hand);
        },
      },
    };
  },
};

const write: PocketTemplate = {
  id: 'notes-write',
  tier: 2,
  apps: APPS,
  make: draw => {
    const wanted = fileName(draw);
    const { name: there, world } = noted(draw);
    const text = jotting(draw);
    const start = draw.one(['closed', 'new note', 'other note'] as const);
    const fresh = (hand: ScriptedUser) => {
      hand.open('Notes');
      if (start === 'other note') hand.keys('ctrl', 'n');
    };
    const written = (what: string, name: string) => (hand: ScriptedUser) => {
      fresh(hand);
      hand.type(what);
      save(hand);
      hand.type(`${name}\n`);
    };
    return {
      instruction: draw.say(...toWriteNote(text, wanted)),
      world,
      open:
        start === 'closed'
          ? []
          : [{ app: 'notes', ...(start === 'other note' && { what: `/Notes/${there}` }) }],
      evaluator: all(fileIs(`/Notes/${wanted}`, text), onlyFiles(`/Notes/${wanted}`)),
      solve: written(text, wanted),
      misses: {
        'not saved': hand => {
          fresh(hand);
          hand.type(text);
        },
        'under another name': written(text, wanted.replace('.txt', '')),
        'a part of the text': written(text.slice(0, -1), wanted),
        'over another note': hand => {
          written(text, there)(hand);
          hand.keys('enter');
        },
      },
    };
  },
};

const append: PocketTemplate = {
  id: 'notes-add-line',
  tier: 2,
  apps: APPS,
  make: draw => {
    const { name, other, text, world } = noted(draw);
    const line = jotting(draw);
    const start = draw.one(['empty', 'other']);
    const add = (which: string, what: string) => (hand: ScriptedUser) => {
      hand.click('listitem', which);
      hand.keys('ctrl', 'end');
      hand.type(what);
      save(hand);
    };
    return {
      instruction: draw.say(...toAddLine(line, name)),
      world,
      open: [{ app: 'notes', ...(start === 'other' && { what: `/Notes/${other}` }) }],
      evaluator: all(fileIs(`/Notes/${name}`, `${text}\n${line}`), onlyFiles(`/Notes/${name}`)),
      solve: add(name, `\n${line}`),
      misses: {
        'another note': add(other, `\n${line}`),
        'behind the last line instead of under it': add(name, line),
        'not saved': hand => {
          hand.click('listitem', name);
          hand.keys('ctrl', 'end');
          hand.type(`\n${line}`);
        },
        'saved and then taken back': hand => {
          add(name, `\n${line}`)(hand);
          hand.keys('ctrl', 'z');
          save(hand);
        },
      },
    };
  },
};

const rewrite: PocketTemplate = {
  id: 'notes-rewrite',
  tier: 2,
  apps: APPS,
  make: draw => {
    const { name, other, text: old, world } = noted(draw);
    const text = jotting(draw);
    const say = (which: string, how: (hand: ScriptedUser) => void) => (hand: ScriptedUser) => {
      hand.click('listitem', which);
      how(hand);
      hand.type(text);
      save(hand);
    };
    const whole = (hand: ScriptedUser) => hand.keys('ctrl', 'a');
    return {
      instruction: draw.say(...toRewriteNote(text, name)),
      world,
      open: [{ app: 'notes' }],
      evaluator: all(fileIs(`/Notes/${name}`, text), onlyFiles(`/Notes/${name}`)),
      solve: say(name, whole),
      misses: {
        'another note': say(other, whole),
        'the old text left': say(name, () => undefined),
        'its last line left': hand => {
          hand.click('listitem', name);
          hand.keys('ctrl', 'end');
          hand.keys('ctrl', 'a');
          hand.type(`${text}\n${old.split('\n').at(-1)}`);
          save(hand);
        },
      },
    };
  },
};

const impossible: PocketTemplate = {
  id: 'notes-infeasible',
  tier: 1,
  apps: APPS,
  make: draw => {
    const { name, text, world } = noted(draw);
    const line = text.split('\n')[0] ?? '';
    const isOpen = draw.chance(0.5);
    return {
      instruction: draw.say(
        `Make the line "${line}" in the note "${name}" bold and save it.`,
        `Print the note "${name}".`,
        `Lock the note "${name}" with a password.`,
        `Show the text of "${name}" in a larger font.`,
        `Put a picture under the last line of "${name}", and save.`,
        `Write the line "${line}" of the note "${name}" in red.`,
        `Have the note "${name}" read out aloud.`,
      ),
      world,
      open: isOpen ? [{ app: 'notes', what: `/Notes/${name}` }] : [{ app: 'notes' }],
      evaluator: infeasible(),
      solve: () => undefined,
      misses: {
        'something else instead': hand => {
          hand.click('listitem', name);
          hand.type('bold\n');
          save(hand);
        },
      },
    };
  },
};

export const NOTES: readonly PocketTemplate[] = [lineOnTop, write, append, rewrite, impossible];
