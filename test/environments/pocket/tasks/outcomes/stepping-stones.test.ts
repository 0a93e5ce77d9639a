// Stepping stones: outcomes that no template asks for, because they are only the beginning of one that a template asks for.

import { describe, expect, test } from 'vitest';
import type { AppOpening } from '../../../../../runtime/environments/pocket/getters.ts';
import {
  choose,
  click,
  doubleClick,
  drag,
  fill,
  type PocketScript,
  press,
  steps,
  write,
} from '../../../../../runtime/environments/pocket/tasks/scripted-user.ts';
import { app, desktop, edits, files, note, outcomeAfter, saves, writeAll } from './episode.ts';

describe('an intermediate result of a task has its own outcome', () => {
  test.each<readonly [kind: string, way: string, opening: AppOpening, script: PocketScript]>([
    ['calculator-number', 'Type 6279 into the calculator.', app('calculator'), writeAll('6279')],
    ['calculator-operator', 'Enter 6279 plus into the calculator.', app('calculator'), writeAll('6279+')],
    [
      'calculator-operand',
      'Enter 6279 plus 3676 into the calculator, without the result.',
      app('calculator'),
      writeAll('6279+3676'),
    ],
    ['calculator-operator', 'Enter 2 plus 3 times into the calculator.', app('calculator'), writeAll('2+3*')],
    ['calculator-sum', 'Work out 12 divided by 5 with the calculator.', app('calculator'), writeAll('12/5=')],
    [
      'calculator-keep',
      "Make the calculator's memory hold 42.",
      app('calculator'),
      steps(write('42'), click('button', 'M+')),
    ],
    [
      'notes-text-in-front',
      'Write "eggs" at the very beginning of the open note and save it.',
      note,
      saves('eggs'),
    ],
    ['notes-blank-line', 'Put an empty line at the top of the open note and save it.', note, saves('\n')],
    [
      'notes-text-behind',
      'Write "shake" right behind the last word of the note "list.txt", and save it.',
      note,
      steps(press('ctrl', 'end'), saves('shake')),
    ],
    [
      'notes-clear',
      'Delete all that the note "list.txt" says, and save it.',
      note,
      steps(press('ctrl', 'a'), press('delete'), press('ctrl', 's')),
    ],
    [
      'notes-empty',
      'Save an empty note under the name that is suggested.',
      app('notes'),
      steps(press('ctrl', 's'), press('enter')),
    ],
    [
      'notes-write-as-suggested',
      'Save "eggs" in a new note, whatever it is called.',
      app('notes'),
      steps(saves('eggs'), press('enter')),
    ],
    [
      'files-new-folder-as-suggested',
      'Make a new folder here, under the name that is suggested.',
      files(),
      steps(press('ctrl', 'n'), press('enter')),
    ],
    [
      'files-move-folder',
      'Move the folder "Projects" into Downloads.',
      files(),
      drag('row', 'Projects', 'treeitem', 'Downloads'),
    ],
    [
      'files-delete-folder',
      'Delete the folder "Projects".',
      files(),
      steps(click('row', 'Projects'), press('delete'), press('enter')),
    ],
    [
      'files-rename-folder',
      'Rename the folder "Projects" in Documents to "Ideas".',
      files(),
      steps(choose('row', 'Projects', 'Rename...'), write('Ideas\n')),
    ],
    [
      'files-copy-beside',
      'Make a copy of "lamp.txt" in Documents, beside it.',
      files(),
      steps(click('row', 'lamp.txt'), press('ctrl', 'c'), press('ctrl', 'v')),
    ],
    [
      'files-erase',
      'Delete "gone.txt" in the trash for good.',
      files('/Trash/gone.txt'),
      steps(press('delete'), press('enter')),
    ],
    [
      'mail-read',
      'Read the mail "Budget" from Ada Abel.',
      app('mail'),
      doubleClick('row', 'Ada Abel, Budget'),
    ],
    [
      'mail-erase',
      'Delete the mail "Old news" in the Trash for good.',
      app('mail'),
      steps(
        click('treeitem', 'Trash'),
        click('row', 'x@y.org, Old news'),
        press('delete'),
        click('button', 'Delete for good'),
      ),
    ],
    [
      'mail-draft-address',
      'Keep a draft to hugo@mail.org, without subject and text.',
      app('mail'),
      steps(click('button', 'New'), saves('hugo@mail.org')),
    ],
    [
      'mail-draft-subject',
      'Keep a draft to hugo@mail.org with the subject "Tea", without any text.',
      app('mail'),
      steps(click('button', 'New'), saves('hugo@mail.org\nTea')),
    ],
    [
      'mail-sent',
      'Write a mail about "Tea" that says "Come at noon", and send it off to hugo@mail.org.',
      app('mail'),
      steps(click('button', 'New'), write('hugo@mail.org\nTea\nCome at noon'), click('button', 'Send')),
    ],
    ['settings-wifi', 'Turn Wi-Fi off.', { app: 'settings', what: 'Network' }, click('checkbox', 'Wi-Fi')],
    [
      'settings-other-network',
      'Connect to the network Library.',
      { app: 'settings', what: 'Network' },
      click('listitem', 'Library'),
    ],
    [
      'settings-time-format',
      'Show the time in 12 hours.',
      { app: 'settings', what: 'System' },
      click('radio', '12 hours'),
    ],
    [
      'settings-volume',
      'Set the volume to 50.',
      { app: 'settings', what: 'Sound' },
      click('slider', 'Volume'),
    ],
    [
      'contacts-name',
      'Make a contact Clara Castle, with the name alone.',
      app('contacts'),
      steps(click('button', 'New'), write('Clara Castle\n')),
    ],
    [
      'contacts-company',
      "Change Hugo Hart's company to Redwood.",
      app('contacts'),
      steps(doubleClick('listitem', 'Hugo Hart'), fill('textfield', 'Company', 'Redwood\n')),
    ],
    [
      'contacts-rename',
      'Change the name of the contact Hugo Hart to Hugo Hill.',
      app('contacts'),
      steps(doubleClick('listitem', 'Hugo Hart'), fill('textfield', 'Name', 'Hugo Hill\n')),
    ],
    [
      'calendar-other-time',
      'Give "Dentist" on 12 March the time 16:00.',
      app('calendar'),
      edits('11:00 Dentist', steps(press('tab'), press('tab'), write('16'))),
    ],
    [
      'calendar-new',
      'Make an event "Yoga class" on 12 March at 09:00.',
      app('calendar'),
      steps(press('ctrl', 'n'), write('Yoga class\n')),
    ],
  ])('%s: %s', (kind, way, opening, script) => {
    const outcome = outcomeAfter(desktop(opening), script);
    expect(outcome?.kind).toBe(kind);
    expect(outcome?.ways).toContain(way);
  });
});
