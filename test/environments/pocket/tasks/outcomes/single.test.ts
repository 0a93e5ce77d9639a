// Only what is one thing has a name, and words that lean on how the desktop was at the start are said only
// where it was so.

import { describe, expect, test } from 'vitest';
import type { AppOpening } from '../../../../../runtime/environments/pocket/getters.ts';
import { outcomeOf } from '../../../../../runtime/environments/pocket/tasks/outcomes.ts';
import { app, deedIn, desktop, edits, files, note, opens, type Script, saves, types } from './episode.ts';

describe('two deeds are none', () => {
  const dark: Script = hand => hand.click('radio', 'Dark');
  const star =
    (subject: string): Script =>
    hand =>
      hand.click('checkbox', `Star ${subject}`);
  const makeFolder =
    (name: string): Script =>
    hand => {
      hand.keys('ctrl', 'n');
      hand.type(`${name}\n`);
    };
  test.each<readonly [name: string, opening: AppOpening, first: Script, second: Script]>([
    ['two settings', app('settings'), dark, hand => hand.click('checkbox', 'Night light')],
    ['two stars', app('mail'), star('Budget'), star('Survey')],
    [
      'a star and another mail read',
      app('mail'),
      star('Budget'),
      hand => hand.double('row', 'Hugo Hart, Training'),
    ],
    ['a star and a theme', app('mail'), star('Budget'), opens('Settings', dark)],
    ['two folders', files(), makeFolder('Ideas'), makeFolder('Music')],
    [
      'a line on top and a last line',
      note,
      types('eggs\n'),
      hand => {
        hand.keys('ctrl', 'end');
        saves('\njam')(hand);
      },
    ],
    ['a line and a sum', note, saves('eggs\n'), opens('Calculator', types('1+2='))],
    ['three sums', app('calculator'), types('1+2='), types('3+4=5+6=')],
    ['a sum, then another number', app('calculator'), types('1+2='), types('7')],
    [
      'an event that gets another title and another day',
      app('calendar'),
      edits('11:00 Dentist', types('Doctor')),
      hand => hand.drag('listitem', '11:00 Doctor', 'gridcell', '2026-03-20'),
    ],
  ])('%s', (_, opening, first, second) => {
    const episode = desktop(opening);
    deedIn(episode, first);
    expect(deedIn(episode, second)).toBeUndefined();
    expect(episode.told.end).not.toEqual(episode.told.start);
  });
});

describe('words that lean on the start', () => {
  const makeFolder: Script = hand => {
    hand.open('Files');
    hand.click('treeitem', 'Documents');
    hand.keys('ctrl', 'n');
    hand.type('Ideas\n');
  };
  const here = 'Make a new folder called "Ideas" here.';
  const there = 'Create a folder named Ideas in Documents.';

  test("'here' is the folder that Files showed, if it was in front", () => {
    expect(deedIn(desktop(files()), makeFolder)?.ways).toEqual(expect.arrayContaining([here, there]));
    for (const openings of [[], [files(), app('mail')], [files('/Downloads')], [app('files')]]) {
      const ways = deedIn(desktop(...openings), makeFolder)?.ways;
      expect(ways).toContain(there);
      expect(ways).not.toContain(here);
    }
  });

  test("'selected' is the file that was selected at the start", () => {
    const remove: Script = hand => {
      hand.click('row', 'lamp.txt');
      hand.keys('delete');
      hand.keys('enter');
    };
    const way = 'Delete the file that is selected.';
    expect(deedIn(desktop(files('/Documents/lamp.txt')), remove)?.ways).toContain(way);
    expect(deedIn(desktop(files()), remove)?.ways).not.toContain(way);
  });

  test("'this note' is the one that was open", () => {
    const write: Script = hand => {
      hand.click('listitem', 'list.txt');
      saves('eggs\n')(hand);
    };
    const way = 'Put the line "eggs" at the top of this note and save it.';
    expect(deedIn(desktop(note), write)?.ways).toContain(way);
    expect(deedIn(desktop(app('notes')), write)?.ways).not.toContain(way);
    expect(deedIn(desktop(app('notes')), write)?.kind).toBe('notes-line-on-top');
  });

  test("'today' is what the desktop's clock says", () => {
    const move =
      (event: string, day: string, to: string): Script =>
      hand => {
        hand.click('gridcell', day);
        hand.drag('listitem', event, 'gridcell', to);
      };
    const ways = (event: string, day: string, to = '2026-03-20') =>
      deedIn(desktop(app('calendar')), move(event, day, to))?.ways;
    expect(ways('11:00 Dentist', '2026-03-12')).toContain('Move today\'s "Dentist" to 20 March.');
    expect(ways('15:00 Book club', '2026-03-17')).toContain('Move "Book club" from 17 March to 20 March.');
    expect(ways('15:00 Book club', '2026-03-17')?.join()).not.toContain('today');
    // What comes earlier is not put off.
    expect(ways('11:00 Dentist', '2026-03-12')?.join()).toContain('Put off');
    expect(ways('11:00 Dentist', '2026-03-12', '2026-03-05')?.join()).not.toContain('Put off');
  });

  test('what two things are called names neither', () => {
    const episode = desktop(app('mail'));
    for (const each of [episode.told.start, episode.told.end])
      for (const { id, ...rest } of [...each.mails].slice(0, 1)) each.mails.push({ ...rest, id: id + 20 });
    const [first] = episode.told.end.mails;
    if (first !== undefined) first.starred = true;
    expect(outcomeOf(episode.told)).toBeUndefined();
  });
});
