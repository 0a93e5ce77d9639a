// Tasks about writing mail: new ones, drafts, answers, and mails that are passed on.

import type { Contact, Mail } from '../../world.ts';
import { toKeepDraft } from '../phrases.ts';
import type { ScriptedUser } from '../scripted-user.ts';
import { all, type EndCondition, onlyChanged, type PocketTemplate, recordsAre } from '../template.ts';
import { MailDesk, STRANGER, somewhere } from './mail-desk.ts';

const APPS = ['mail'];
const open = [{ app: 'mail' }];

type Written = Pick<Mail, 'to' | 'subject' | 'body'>;

/** The one mail that was written is this, and lies in this folder. */
const written = (desk: MailDesk, folder: 'Sent' | 'Drafts', mail: Written): EndCondition =>
  recordsAre('mails', { id: desk.next }, [{ folder, ...mail, starred: false }]);

/** Fills in a new mail: Enter goes from field to field. */
function write(hand: ScriptedUser, { to, subject, body }: Written): void {
  hand.click('button', 'New');
  hand.type(`${to}\n`);
  hand.type(`${subject}\n`);
  hand.type(body);
}

/** Chooses a recipient from the contacts. */
function address(hand: ScriptedUser, { name }: Contact): void {
  hand.click('button', 'To...');
  hand.click('menuitem', name);
}

const draft: PocketTemplate = {
  id: 'mail-draft',
  tier: 2,
  apps: APPS,
  make: draw => {
    const desk = new MailDesk(draw);
    const { mail: to } = draw.chance(0.5) ? desk.person() : desk.stranger();
    const mail = { to, subject: desk.subject(), body: desk.sentence() };
    const { subject, body } = mail;
    return {
      instruction: draw.say(...toKeepDraft(to, subject, body)),
      world: desk.world,
      open,
      evaluator: all(written(desk, 'Drafts', mail), onlyChanged(`mails.${desk.next}`)),
      solve: hand => {
        write(hand, mail);
        hand.keys('ctrl', 's');
      },
      misses: {
        sent: hand => {
          write(hand, mail);
          hand.click('button', 'Send');
        },
        'without its text': hand => {
          write(hand, { ...mail, body: '' });
          hand.click('button', 'Save draft');
        },
        'written but not saved': hand => write(hand, mail),
      },
    };
  },
};

const send: PocketTemplate = {
  id: 'mail-send',
  tier: 3,
  apps: APPS,
  make: draw => {
    const desk = new MailDesk(draw);
    const person = desk.person();
    const namesake = desk.namesake(person);
    const byName = draw.chance(0.5);
    const mail = { to: person.mail, subject: desk.subject(), body: desk.sentence() };
    const { subject, body } = mail;
    const to = byName ? person.name : person.mail;
    const finish = (hand: ScriptedUser, end: Written = mail) => {
      hand.open('Mail');
      write(hand, end);
      hand.click('button', 'Send');
    };
    return {
      instruction: draw.say(
        `Send a mail to ${to} with the subject "${subject}" and the text "${body}".`,
        `Write to ${to}: "${body}". The subject is "${subject}". Send it.`,
        `Mail "${body}" to ${to}, with "${subject}" as subject.`,
      ),
      world: desk.world,
      open: somewhere(draw, 'mail'),
      evaluator: all(written(desk, 'Sent', mail), onlyChanged(`mails.${desk.next}`)),
      solve: hand => {
        if (!byName) return finish(hand);
        hand.open('Mail');
        hand.click('button', 'New');
        address(hand, person);
        hand.keys('enter');
        hand.type(`${subject}\n`);
        hand.type(body);
        hand.click('button', 'Send');
      },
      misses: {
        'to somebody with a similar name': hand => finish(hand, { ...mail, to: namesake.mail }),
        'almost the right text': hand => finish(hand, { ...mail, body: `${body}!!` }),
        'kept as a draft': hand => {
          hand.open('Mail');
          write(hand, mail);
          hand.click('button', 'Save draft');
        },
        'without a subject': hand => {
          finish(hand, { ...mail, subject: '' });
          hand.click('button', 'Send anyway');
        },
      },
    };
  },
};

const sendTwo: PocketTemplate = {
  id: 'mail-send-two',
  tier: 3,
  apps: APPS,
  unseen: true,
  make: draw => {
    const desk = new MailDesk(draw);
    const [one = desk.person(), two = desk.person(), three = desk.person()] = desk.people(3);
    const mail = { to: '', subject: desk.subject(), body: desk.sentence() };
    const toAll = (people: readonly Contact[], also: string) => (hand: ScriptedUser) => {
      hand.click('button', 'New');
      for (const person of people) address(hand, person);
      if (also !== '') hand.type(`, ${also}`);
      hand.keys('enter');
      hand.type(`${mail.subject}\n`);
      hand.type(mail.body);
      hand.click('button', 'Send');
    };
    const to = (...people: readonly Contact[]) => toAll(people, '');
    const { subject, body } = mail;
    return {
      instruction: draw.say(
        `Send one mail to both ${one.name} and ${two.name}: subject "${subject}", text "${body}".`,
        `Tell ${one.name} and ${two.name} in the same mail: "${body}". Its subject is "${subject}".`,
        `Write "${body}" to ${one.name} and ${two.name}, in one mail about "${subject}", and send it.`,
      ),
      world: desk.world,
      open,
      evaluator: all(
        recordsAre('mails', { id: desk.next }, [{ folder: 'Sent', subject, body, starred: false }]),
        desk.goesTo(one, two),
        onlyChanged(`mails.${desk.next}`),
      ),
      solve: to(one, two),
      misses: {
        'to one of them': to(one),
        'to somebody else as well': to(one, two, three),
        'to one of them and somebody else': to(three, two),
        'to one of them twice': to(one, two, two),
        'to a stranger as well': toAll([one, two], STRANGER),
      },
    };
  },
};

const finishDraft: PocketTemplate = {
  id: 'mail-finish-draft',
  tier: 3,
  apps: APPS,
  make: draw => {
    const desk = new MailDesk(draw);
    const person = desk.person();
    const byName = draw.chance(0.5);
    const mail = desk.put({ folder: 'Drafts', to: '' });
    const other = desk.put({ folder: 'Drafts', to: '' });
    const begin = (hand: ScriptedUser, each: Mail) => {
      hand.open('Mail');
      hand.click('treeitem', 'Drafts');
      hand.double('row', desk.row(each));
      if (byName) address(hand, person);
      else hand.type(person.mail);
    };
    const to = byName ? person.name : person.mail;
    return {
      instruction: draw.say(
        `My draft "${mail.subject}" has no address yet. Send it to ${to}.`,
        `Finish the draft "${mail.subject}": it goes to ${to}. Then send it.`,
        `There is a draft called "${mail.subject}". Send it, as it is, to ${to}.`,
      ),
      world: desk.world,
      open: somewhere(draw, 'mail'),
      evaluator: all(
        recordsAre('mails', { id: mail.id }, [
          { folder: 'Sent', to: person.mail, subject: mail.subject, body: mail.body, starred: false },
        ]),
        onlyChanged(`mails.${mail.id}.folder`, `mails.${mail.id}.to`),
      ),
      solve: hand => {
        begin(hand, mail);
        hand.click('button', 'Send');
      },
      misses: {
        'addressed, but not sent': hand => {
          begin(hand, mail);
          hand.click('button', 'Save draft');
        },
        'another draft': hand => {
          begin(hand, other);
          hand.click('button', 'Send');
        },
        'moved to Sent without an address': hand => {
          hand.open('Mail');
          hand.click('treeitem', 'Drafts');
          hand.drag('row', desk.row(mail), 'treeitem', 'Sent');
        },
      },
    };
  },
};

export const MAIL_WRITING: readonly PocketTemplate[] = [draft, send, sendTwo, finishDraft];
