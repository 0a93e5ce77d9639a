// Tasks about mail folders: move a mail, restore one, empty the Trash, and find one among many.

import type { Mail } from '../../world.ts';
import { all, onlyChanged, recordsAre } from '../conditions.ts';
import { moveMail } from '../outcomes/mail.ts';
import { choose, click, drag, fill, openApp, press, steps, write } from '../scripted-user.ts';
import { type PocketTemplate, template } from '../template.ts';
import { deskTemplate, MailDesk, mailChanged } from './mail-desk.ts';

type MailFolder = Mail['folder'];

const apps = ['mail'];

const openFolder = (folder: MailFolder) =>
  steps(openApp('Mail'), folder === 'Inbox' ? steps() : click('treeitem', folder));
const askToEmptyTrash = steps(openApp('Mail'), choose('treeitem', 'Trash', 'Empty Trash...'));

const MOVES: readonly (readonly [from: MailFolder, to: MailFolder])[] = [
  ['Inbox', 'Drafts'],
  ['Inbox', 'Sent'],
  ['Sent', 'Inbox'],
];

export const MAIL_FOLDERS: readonly PocketTemplate[] = [
  template('mail-move', { tier: 2, apps }, draw => {
    const [from, to] = draw.pick(MOVES);
    const desk = new MailDesk(draw);
    const person = desk.person();
    const mail = desk.put({ folder: from }, person);
    const other = desk.put({ folder: from }, person);
    const move = (which: Mail, folder: MailFolder) =>
      steps(openFolder(from), drag('row', desk.row(which), 'treeitem', folder));
    return {
      instruction: draw.phrase(...moveMail(mail.subject, from, to).ways),
      world: desk.world,
      open: draw.somewhere('mail'),
      evaluator: mailChanged(mail, 'folder', { folder: to }),
      solve: move(mail, to),
      misses: {
        'another mail': move(other, to),
        'into the Trash': move(mail, 'Trash'),
        'moved and moved back': steps(
          move(mail, to),
          click('treeitem', to),
          drag('row', desk.row({ ...mail, folder: to }), 'treeitem', from),
        ),
      },
    };
  }),

  deskTemplate('mail-rescue', { tier: 2, apps, unseen: true }, (desk, draw) => {
    const [sender, another] = desk.pair();
    const mail = desk.put({ folder: 'Trash' }, sender);
    const other = desk.put({ folder: 'Trash' }, another);
    const restore = (which: Mail, folder: MailFolder) =>
      steps(openFolder('Trash'), drag('row', desk.row(which), 'treeitem', folder));
    return {
      instruction: draw.phrase(
        `I threw away "${mail.subject}" from ${sender.name} by mistake. Put it back into the Inbox.`,
        `Get the deleted mail "${mail.subject}" back into the Inbox.`,
        `Restore ${sender.name}'s mail "${mail.subject}" from the Trash to the Inbox.`,
      ),
      open: draw.somewhere('mail'),
      evaluator: mailChanged(mail, 'folder', { folder: 'Inbox', starred: false }),
      solve: restore(mail, 'Inbox'),
      misses: {
        'another mail': restore(other, 'Inbox'),
        'into another folder': restore(mail, 'Sent'),
        'both mails': steps(restore(mail, 'Inbox'), restore(other, 'Inbox')),
      },
    };
  }),

  deskTemplate('mail-empty-trash', { tier: 3, apps }, (desk, draw) => {
    for (let more = draw.integer(1, 3); more > 0; more--) desk.put({ folder: 'Trash' });
    const trashed = desk.world.mails.filter(({ folder }) => folder === 'Trash');
    const [one = desk.put({ folder: 'Trash' })] = trashed;
    const kept = desk.put();
    const empty = steps(askToEmptyTrash, click('button', 'Empty Trash'));
    return {
      instruction: draw.phrase(
        'Empty the Trash of my mail.',
        'Delete all mails in the Trash for good.',
        'Clean up in Mail: nothing of what was thrown away should be left.',
      ),
      open: draw.somewhere('mail'),
      evaluator: all(
        recordsAre('mails', { folder: 'Trash' }, []),
        onlyChanged(...trashed.map(({ id }) => `mails.${id}`)),
      ),
      solve: empty,
      misses: {
        'asked, but not done': steps(askToEmptyTrash, click('button', 'Cancel')),
        'only one mail': steps(
          openFolder('Trash'),
          click('row', desk.row(one)),
          press('delete'),
          click('button', 'Delete for good'),
        ),
        'one mail too many': steps(openApp('Mail'), click('row', desk.row(kept)), press('delete'), empty),
      },
    };
  }),

  deskTemplate('mail-search-star', { tier: 3, apps }, (desk, draw) => {
    const thing = draw.pick(['order', 'booking', 'ticket', 'parcel']);
    const number = draw.integer(1000, 5499);
    const otherNumber = number + draw.integer(1, 4000);
    const receive = (about: number) => {
      const person = desk.person();
      return desk.put({ body: `The ${thing} has number ${about}.\n\n${person.name}` }, person);
    };
    const mail = receive(number);
    const other = receive(otherNumber);
    for (let more = draw.integer(4, 9); more > 0; more--) desk.put();
    const findAndStar = (query: number, { subject }: Mail) =>
      steps(
        openApp('Mail'),
        fill('textfield', 'Search', String(query)),
        click('checkbox', `Star ${subject}`),
      );
    return {
      instruction: draw.phrase(
        `Find the mail that mentions ${thing} ${number}, and star it.`,
        `Somebody wrote to me about ${thing} number ${number}. Give that mail a star.`,
        `Put a star on the mail that has the ${thing} number ${number} in its text.`,
      ),
      open: draw.somewhere('mail'),
      // Looking for the mail without the search makes mails read.
      evaluator: all(
        recordsAre('mails', { id: mail.id }, [{ starred: true, folder: 'Inbox' }]),
        onlyChanged(`mails.${mail.id}.starred`, 'mails.*.read'),
      ),
      solve: findAndStar(number, mail),
      misses: {
        'another number': findAndStar(otherNumber, other),
        both: steps(findAndStar(number, mail), findAndStar(otherNumber, other)),
        'found, but deleted': steps(
          openApp('Mail'),
          click('textfield', 'Search'),
          write(String(number)),
          click('row', desk.row(mail)),
          click('button', 'Delete'),
        ),
      },
    };
  }),
];
