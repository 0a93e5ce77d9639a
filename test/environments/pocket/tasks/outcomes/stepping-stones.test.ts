// Deeds that no template asks for: the steps on the way to what templates ask for have names of their own.

import { describe, expect, test } from 'vitest';
import type { AppOpening } from '../../../../../runtime/environments/pocket/getters.ts';
import { app, deedIn, desktop, edits, files, note, type Script, saves, types } from './episode.ts';

describe('stepping stones have names of their own', () => {
  test.each<readonly [kind: string, way: string, opening: AppOpening, script: Script]>([
    ['calculator-number', 'Type 6279 into the calculator.', app('calculator'), types('6279')],
    ['calculator-operator', 'Enter 6279 plus into the calculator.', app('calculator'), types('6279+')],
    [
      'calculator-operand',
      'Enter 6279 plus 3676 into the calculator, without the result.',
      app('calculator'),
      types('6279+3676'),
    ],
    ['calculator-operator', 'Enter 2 plus 3 times into the calculator.', app('calculator'), types('2+3*')],
    ['calculator-sum', 'Work out 12 divided by 5 with the calculator.', app('calculator'), types('12/5=')],
    [
      'calculator-keep',
      "Make the calculator's memory hold 42.",
      app('calculator'),
      hand => {
        hand.type('42');
        hand.click('button', 'M+');
      },
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
      hand => {
        hand.keys('ctrl', 'end');
        saves('shake')(hand);
      },
    ],
    [
      'notes-clear',
      'Delete all that the note "list.txt" says, and save it.',
      note,
      hand => {
        hand.keys('ctrl', 'a');
        hand.keys('delete');
        hand.keys('ctrl', 's');
      },
    ],
    [
      'notes-empty',
      'Save an empty note under the name that is suggested.',
      app('notes'),
      hand => {
        hand.keys('ctrl', 's');
        hand.keys('enter');
      },
    ],
    [
      'notes-write-as-suggested',
      'Save "eggs" in a new note, whatever it is called.',
      app('notes'),
      hand => {
        saves('eggs')(hand);
        hand.keys('enter');
      },
    ],
    [
      'files-new-folder-as-suggested',
      'Make a new folder here, under the name that is suggested.',
      files(),
      hand => {
        hand.keys('ctrl', 'n');
        hand.keys('enter');
      },
    ],
    [
      'files-move-folder',
      'Move the folder "Projects" into Downloads.',
      files(),
      hand => hand.drag('row', 'Projects', 'treeitem', 'Downloads'),
    ],
    [
      'files-delete-folder',
      'Delete the folder "Projects".',
      files(),
      hand => {
        hand.click('row', 'Projects');
        hand.keys('delete');
        hand.keys('enter');
      },
    ],
    [
      'files-rename-folder',
      'Rename the folder "Projects" in Documents to "Ideas".',
      files(),
      hand => {
        hand.choose('row', 'Projects', 'Rename...');
        hand.type('Ideas\n');
      },
    ],
    [
      'files-copy-beside',
      'Make a copy of "lamp.txt" in Documents, beside it.',
      files(),
      hand => {
        hand.click('row', 'lamp.txt');
        hand.keys('ctrl', 'c');
        hand.keys('ctrl', 'v');
      },
    ],
    [
      'files-erase',
      'Delete "gone.txt" in the trash for good.',
      files('/Trash/gone.txt'),
      hand => {
        hand.keys('delete');
        hand.keys('enter');
      },
    ],
    [
      'mail-read',
      'Read the mail "Budget" from Ada Abel.',
      app('mail'),
      hand => hand.double('row', 'Ada Abel, Budget'),
    ],
    [
      'mail-erase',
      'Delete the mail "Old news" in the Trash for good.',
      app('mail'),
      hand => {
        hand.click('treeitem', 'Trash');
        hand.click('row', 'x@y.org, Old news');
        hand.keys('delete');
        hand.click('button', 'Delete for good');
      },
    ],
    [
      'mail-draft-address',
      'Keep a draft to hugo@mail.org, without subject and text.',
      app('mail'),
      hand => {
        hand.click('button', 'New');
        saves('hugo@mail.org')(hand);
      },
    ],
    [
      'mail-draft-subject',
      'Keep a draft to hugo@mail.org with the subject "Tea", without any text.',
      app('mail'),
      hand => {
        hand.click('button', 'New');
        saves('hugo@mail.org\nTea')(hand);
      },
    ],
    [
      'mail-sent',
      'Write a mail about "Tea" that says "Come at noon", and send it off to hugo@mail.org.',
      app('mail'),
      hand => {
        hand.click('button', 'New');
        hand.type('hugo@mail.org\nTea\nCome at noon');
        hand.click('button', 'Send');
      },
    ],
    [
      'settings-wifi',
      'Turn Wi-Fi off.',
      { app: 'settings', what: 'Network' },
      hand => hand.click('checkbox', 'Wi-Fi'),
    ],
    [
      'settings-other-network',
      'Connect to the network Library.',
      { app: 'settings', what: 'Network' },
      hand => hand.click('listitem', 'Library'),
    ],
    [
      'settings-time-format',
      'Show the time in 12 hours.',
      { app: 'settings', what: 'System' },
      hand => hand.click('radio', '12 hours'),
    ],
    [
      'settings-volume',
      'Set the volume to 50.',
      { app: 'settings', what: 'Sound' },
      hand => hand.click('slider', 'Volume'),
    ],
    [
      'contacts-name',
      'Make a contact Clara Castle, with the name alone.',
      app('contacts'),
      hand => {
        hand.click('button', 'New');
        hand.type('Clara Castle\n');
      },
    ],
    [
      'contacts-company',
      "Change Hugo Hart's company to Redwood.",
      app('contacts'),
      hand => {
        hand.double('listitem', 'Hugo Hart');
        hand.fill('textfield', 'Company', 'Redwood\n');
      },
    ],
    [
      'contacts-rename',
      'Change the name of the contact Hugo Hart to Hugo Hill.',
      app('contacts'),
      hand => {
        hand.double('listitem', 'Hugo Hart');
        hand.fill('textfield', 'Name', 'Hugo Hill\n');
      },
    ],
    [
      'calendar-other-time',
      'Give "Dentist" on 12 March the time 16:00.',
      app('calendar'),
      edits('11:00 Dentist', hand => {
        hand.keys('tab');
        hand.keys('tab');
        hand.type('16');
      }),
    ],
    [
      'calendar-new',
      'Make an event "Yoga class" on 12 March at 09:00.',
      app('calendar'),
      hand => {
        hand.keys('ctrl', 'n');
        hand.type('Yoga class\n');
      },
    ],
  ])('%s: %s', (kind, way, opening, script) => {
    const deed = deedIn(desktop(opening), script);
    expect(deed?.kind).toBe(kind);
    expect(deed?.ways).toContain(way);
  });
});
