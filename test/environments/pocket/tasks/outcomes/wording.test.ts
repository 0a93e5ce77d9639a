// Two changes are no outcome, and words such as 'here', 'selected' and 'today' are used only where the start justifies them.

import { describe, expect, test } from 'vitest';
import type { AppOpening } from '../../../../../runtime/environments/pocket/getters.ts';
import { outcomeOf } from '../../../../../runtime/environments/pocket/tasks/outcomes.ts';
import {
  click,
  doubleClick,
  drag,
  openApp,
  type PocketScript,
  press,
  steps,
  write,
} from '../../../../../runtime/environments/pocket/tasks/scripted-user.ts';
import { app, desktop, edits, files, note, opens, outcomeAfter, saves, writeAll } from './episode.ts';

describe('a combination of changes has no outcome', () => {
  const dark: PocketScript = click('radio', 'Dark');
  const star = (subject: string): PocketScript => click('checkbox', `Star ${subject}`);
  const makeFolder = (name: string): PocketScript => steps(press('ctrl', 'n'), write(`${name}\n`));
  test.each<readonly [name: string, opening: AppOpening, first: PocketScript, second: PocketScript]>([
    ['two settings', app('settings'), dark, click('checkbox', 'Night light')],
    ['two stars', app('mail'), star('Budget'), star('Survey')],
    ['a star and another mail read', app('mail'), star('Budget'), doubleClick('row', 'Hugo Hart, Training')],
    ['a star and a theme', app('mail'), star('Budget'), opens('Settings', dark)],
    ['two folders', files(), makeFolder('Ideas'), makeFolder('Music')],
    ['a line on top and a last line', note, writeAll('eggs\n'), steps(press('ctrl', 'end'), saves('\njam'))],
    ['a line and a sum', note, saves('eggs\n'), opens('Calculator', writeAll('1+2='))],
    ['three sums', app('calculator'), writeAll('1+2='), writeAll('3+4=5+6=')],
    ['a sum, then another number', app('calculator'), writeAll('1+2='), writeAll('7')],
    [
      'an event that gets another title and another day',
      app('calendar'),
      edits('11:00 Dentist', writeAll('Doctor')),
      drag('listitem', '11:00 Doctor', 'gridcell', '2026-03-20'),
    ],
  ])('%s', (_, opening, first, second) => {
    const episode = desktop(opening);
    outcomeAfter(episode, first);
    expect(outcomeAfter(episode, second)).toBeUndefined();
    expect(episode.change.end).not.toEqual(episode.change.start);
  });
});

describe('phrases that depend on the start state', () => {
  const makeFolder: PocketScript = steps(
    openApp('Files'),
    click('treeitem', 'Documents'),
    press('ctrl', 'n'),
    write('Ideas\n'),
  );
  const here = 'Make a new folder called "Ideas" here.';
  const there = 'Create a folder named Ideas in Documents.';

  test("'here' is the folder that Files shows at the start, if Files is in front", () => {
    expect(outcomeAfter(desktop(files()), makeFolder)?.ways).toEqual(expect.arrayContaining([here, there]));
    for (const openings of [[], [files(), app('mail')], [files('/Downloads')], [app('files')]]) {
      const ways = outcomeAfter(desktop(...openings), makeFolder)?.ways;
      expect(ways).toContain(there);
      expect(ways).not.toContain(here);
    }
  });

  test("'selected' is the file that is selected at the start", () => {
    const remove: PocketScript = steps(click('row', 'lamp.txt'), press('delete'), press('enter'));
    const way = 'Delete the file that is selected.';
    expect(outcomeAfter(desktop(files('/Documents/lamp.txt')), remove)?.ways).toContain(way);
    expect(outcomeAfter(desktop(files()), remove)?.ways).not.toContain(way);
  });

  test("'this note' is the note that is open at the start", () => {
    const write: PocketScript = steps(click('listitem', 'list.txt'), saves('eggs\n'));
    const way = 'Put the line "eggs" at the top of this note and save it.';
    expect(outcomeAfter(desktop(note), write)?.ways).toContain(way);
    expect(outcomeAfter(desktop(app('notes')), write)?.ways).not.toContain(way);
    expect(outcomeAfter(desktop(app('notes')), write)?.kind).toBe('notes-line-on-top');
  });

  test("'today' is the day of the desktop's clock", () => {
    const move = (event: string, day: string, to: string): PocketScript =>
      steps(click('gridcell', day), drag('listitem', event, 'gridcell', to));
    const ways = (event: string, day: string, to = '2026-03-20') =>
      outcomeAfter(desktop(app('calendar')), move(event, day, to))?.ways;
    expect(ways('11:00 Dentist', '2026-03-12')).toContain('Move today\'s "Dentist" to 20 March.');
    expect(ways('15:00 Book club', '2026-03-17')).toContain('Move "Book club" from 17 March to 20 March.');
    expect(ways('15:00 Book club', '2026-03-17')?.join()).not.toContain('today');
    // An event that moves to an earlier day is not put off.
    expect(ways('11:00 Dentist', '2026-03-12')?.join()).toContain('Put off');
    expect(ways('11:00 Dentist', '2026-03-12', '2026-03-05')?.join()).not.toContain('Put off');
  });

  test('a subject that two mails share identifies neither', () => {
    const episode = desktop(app('mail'));
    for (const each of [episode.change.start, episode.change.end])
      for (const { id, ...rest } of [...each.mails].slice(0, 1)) each.mails.push({ ...rest, id: id + 20 });
    const [first] = episode.change.end.mails;
    if (first !== undefined) first.starred = true;
    expect(outcomeOf(episode.change)).toBeUndefined();
  });
});
