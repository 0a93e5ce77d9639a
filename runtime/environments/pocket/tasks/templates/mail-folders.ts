// Tasks about where mails are: moving them, getting them back, emptying the Trash, and finding one among many.

import type { Mail } from '../../world.ts';
import { toMoveMail } from '../phrases.ts';
import type { ScriptedUser } from '../scripted-user.ts';
import { all, onlyChanged, type PocketTemplate, recordsAre } from '../template.ts';
import { MailDesk, somewhere } from './mail-desk.ts';

const APPS = ['mail'];

type Place = Mail['folder'];

const toFolder = (hand: ScriptedUser, folder: Place): void => {
  hand.open('Mail');
  if (folder !== 'Inbox') hand.click('treeitem', folder);
};

const MOVES: readonly (readonly [from: Place, to: Place])[] = [
  ['Inbox', 'Drafts'],
  ['Inbox', 'Sent'],
  ['Sent', 'Inbox'],
];

const move: PocketTemplate = {
  id: 'mail-move',
  tier: 2,
  apps: APPS,
  make: draw => {
    const [from, to] = draw.one(MOVES);
    const desk = new MailDesk(draw);
    const person = desk.person();
    const mail = desk.put({ folder: from }, person);
    const other = desk.put({ folder: from }, person);
    const drag = (what: Mail, place: Place) => (hand: ScriptedUser) => {
      toFolder(hand, from);
      hand.drag('row', desk.row(what), 'treeitem', place);
    };
    return {
      instruction: draw.say(...toMoveMail(mail.subject, from, to)),
      world: desk.world,
      open: somewhere(draw, 'mail'),
      evaluator: all(
        recordsAre('mails', { id: mail.id }, [{ folder: to }]),
        onlyChanged(`mails.${mail.id}.folder`, `mails.${mail.id}.read`),
      ),
      solve: drag(mail, to),
      misses: {
        'another mail': drag(other, to),
        'into the Trash': drag(mail, 'Trash'),
        'moved and moved back': hand => {
          drag(mail, to)(hand);
          hand.click('treeitem', to);
          hand.drag('row', desk.row({ ...mail, folder: to }), 'treeitem', from);
        },
      },
    };
  },
};

const rescue: PocketTemplate = {
  id: 'mail-rescue',
  tier: 2,
  apps: APPS,
  unseen: true,
  make: draw => {
    const desk = new MailDesk(draw);
    const [sender = desk.person(), another = desk.person()] = desk.people(2);
    const mail = desk.put({ folder: 'Trash' }, sender);
    const other = desk.put({ folder: 'Trash' }, another);
    const drag = (what: Mail, place: Place) => (hand: ScriptedUser) => {
      toFolder(hand, 'Trash');
      hand.drag('row', desk.row(what), 'treeitem', place);
    };
    return {
      instruction: draw.say(
        `I threw away "${mail.subject}" from ${sender.name} by mistake. Put it back into the Inbox.`,
        `Get the deleted mail "${mail.subject}" back into the Inbox.`,
        `Restore ${sender.name}'s mail "${mail.subject}" from the Trash to the Inbox.`,
      ),
      world: desk.world,
      open: somewhere(draw, 'mail'),
      evaluator: all(
        recordsAre('mails', { id: mail.id }, [{ folder: 'Inbox', starred: false }]),
        onlyChanged(`mails.${mail.id}.folder`, `mails.${mail.id}.read`),
      ),
      solve: drag(mail, 'Inbox'),
      misses: {
        'another mail': drag(other, 'Inbox'),
        'into another folder': drag(mail, 'Sent'),
        'both mails': hand => {
          drag(mail, 'Inbox')(hand);
          drag(other, 'Inbox')(hand);
        },
      },
    };
  },
};

const emptyTrash: PocketTemplate = {
  id: 'mail-empty-trash',
  tier: 3,
  apps: APPS,
  make: draw => {
    const desk = new MailDesk(draw);
    for (let more = draw.whole(1, 3); more > 0; more--) desk.put({ folder: 'Trash' });
    const doomed = desk.world.mails.filter(({ folder }) => folder === 'Trash');
    const [one = desk.put({ folder: 'Trash' })] = doomed;
    const kept = desk.put();
    const empty = (hand: ScriptedUser) => {
      hand.open('Mail');
      hand.choose('treeitem', 'Trash', 'Empty Trash...');
      hand.click('button', 'Empty Trash');
    };
    return {
      instruction: draw.say(
        'Empty the Trash of my mail.',
        'Delete all mails in the Trash for good.',
        'Clean up in Mail: nothing of what was thrown away should be left.',
      ),
      world: desk.world,
      open: somewhere(draw, 'mail'),
      evaluator: all(
        recordsAre('mails', { folder: 'Trash' }, []),
        onlyChanged(...doomed.map(({ id }) => `mails.${id}`)),
      ),
      solve: empty,
      misses: {
        'asked, but not done': hand => {
          hand.open('Mail');
          hand.choose('treeitem', 'Trash', 'Empty Trash...');
          hand.click('button', 'Cancel');
        },
        'only one mail': hand => {
          toFolder(hand, 'Trash');
          hand.click('row', desk.row(one));
          hand.keys('delete');
          hand.click('button', 'Delete for good');
        },
        'one mail too many': hand => {
          hand.open('Mail');
          hand.click('row', desk.row(kept));
          hand.keys('delete');
          empty(hand);
        },
      },
    };
  },
};

const search: PocketTemplate = {
  id: 'mail-search-star',
  tier: 3,
  apps: APPS,
  make: draw => {
    const desk = new MailDesk(draw);
    const what = draw.one(['order', 'booking', 'ticket', 'parcel']);
    const number = draw.whole(1000, 5499);
    const otherNumber = number + draw.whole(1, 4000);
    const about = (each: number): Mail => {
      const person = desk.person();
      return desk.put({ body: `The ${what} has number ${each}.\n\n${person.name}` }, person);
    };
    const mail = about(number);
    const other = about(otherNumber);
    for (let more = draw.whole(4, 9); more > 0; more--) desk.put();
    const found = (query: number, shown: Mail) => (hand: ScriptedUser) => {
      hand.open('Mail');
      hand.fill('textfield', 'Search', String(query));
      hand.click('checkbox', `Star ${shown.subject}`);
    };
    return {
      instruction: draw.say(
        `Find the mail that mentions ${what} ${number}, and star it.`,
        `Somebody wrote to me about ${what} number ${number}. Give that mail a star.`,
        `Put a star on the mail that has the ${what} number ${number} in its text.`,
      ),
      world: desk.world,
      open: somewhere(draw, 'mail'),
      // Whoever looks into the mails, one after the other, makes them read.
      evaluator: all(
        recordsAre('mails', { id: mail.id }, [{ starred: true, folder: 'Inbox' }]),
        onlyChanged(`mails.${mail.id}.starred`, 'mails.*.read'),
      ),
      solve: found(number, mail),
      misses: {
        'another number': found(otherNumber, other),
        both: hand => {
          found(number, mail)(hand);
          found(otherNumber, other)(hand);
        },
        'found, but deleted': hand => {
          hand.open('Mail');
          hand.click('textfield', 'Search');
          hand.type(String(number));
          hand.click('row', desk.row(mail));
          hand.click('button', 'Delete');
        },
      },
    };
  },
};

export const MAIL_FOLDERS: readonly PocketTemplate[] = [move, rescue, emptyTrash, search];
