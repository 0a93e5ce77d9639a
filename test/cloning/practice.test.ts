import { describe, expect, test } from 'vitest';
import { demonstrate } from '../../runtime/cloning/demonstrations.ts';
import { groundingTask } from '../../runtime/cloning/grounding-task.ts';
import { practiceWords } from '../../runtime/cloning/practice-words.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { contains, elementAt } from '../../runtime/core/screen.ts';
import { startOf } from '../../runtime/environments/pocket/getters.ts';
import { VOCABULARIES } from '../../runtime/environments/pocket/tasks/draw.ts';
import { POCKET, practiceOf } from '../../runtime/environments/pocket/tasks/suite.ts';

const TEMPLATES = POCKET.templates.filter(({ tier, unseen }) => tier === 1 && unseen !== true);

describe('the words of practice worlds', () => {
  test('have the lengths of the training lists, and no name of the test worlds', () => {
    const { train, test: tested } = VOCABULARIES;
    for (let seed = 0; seed < 30; seed++) {
      const words = practiceWords(seeded(`words ${seed}`));
      for (const kind of ['first', 'last', 'company', 'thing', 'folder', 'host'] as const) {
        expect(words[kind]).toHaveLength(train[kind].length);
        const unknown = words[kind].filter(word => !train[kind].includes(word));
        expect(unknown.filter(word => tested[kind].includes(word))).toEqual([]);
      }
    }
  });

  test('let every script of tier 1 run', () => {
    const random = seeded('scripts');
    for (const template of TEMPLATES)
      for (let trial = 0; trial < 4; trial++) {
        const words = practiceWords(random.fork(`${template.id} ${trial}`));
        const practice = practiceOf(template, random.int(1e6), words);
        expect(demonstrate(practice, 'a11y_tree').length).toBeGreaterThan(0);
      }
  });
});

test('a grounding instruction names the element that its action points at', () => {
  const random = seeded('grounding');
  const elements = startOf(POCKET.task('mail-star', POCKET.seed('train', 1))).machine.elements();
  for (let trial = 0; trial < 200; trial++) {
    const task = groundingTask(elements, random);
    if (task === undefined) throw new RangeError('The screen has names.');
    const { action, instruction } = task;
    const points = action.kind === 'drag' ? [action.from, action.to] : 'at' in action ? [action.at] : [];
    expect(points.length).toBeGreaterThan(0);
    for (const point of points) {
      const target = elementAt(elements, point);
      expect(target && contains(target.box, point)).toBe(true);
      expect(instruction).toContain(target?.name);
    }
  }
});
