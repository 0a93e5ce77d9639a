// Tasks about answering mail and passing it on, and what cannot be done with mail.

import type { Contact, Mail } from '../../world.ts';
import type { ScriptedUser } from '../scripted-user.ts';
import {
  all,
  type EndCondition,
  infeasible,
  onlyChanged,
  type PocketTemplate,
  recordsAre,
} from '../template.ts';
import { MailDesk, somewhere } from './mail-desk.ts';

const APPS = ['mail'];
const open = [{ app: 'mail' }];

/** The one mail that was written was sent, and is this. Reading what it is about is no mistake. */
const sentAbout = (
  desk: MailDesk,
  { id }: Mail,
  mail: Pick<Mail, 'to' | 'subject' | 'body'>,
): readonly EndCondition[] => [
  recordsAre('mails', { id: desk.next }, [{ folder: 'Sent', ...mail, starred: false }]),
  onlyChanged(`mails.${desk.next}`, `mails.${id}.read`),
];

const reply: PocketTemplate = {
  id: 'mail-reply',
  tier: 3,
  apps: APPS,
  make: draw => {
    const desk = new MailDesk(draw);
    const [sender = desk.person(), another = desk.person()] = desk.people(2);
    const mail = desk.put({}, sender);
    const other = desk.put({ subject: mail.subject }, another);
    const text = desk.sentence();
    const answer = (asked: Mail, words: string) => (hand: ScriptedUser) => {
      hand.open('Mail');
      hand.click('row', desk.row(asked));
      hand.click('button', 'Reply');
      hand.type(words);
      hand.click('button', 'Send');
    };
    const quoted = mail.body.replaceAll(/^/gm, '> ');
    return {
      instruction: draw.say(
        `Reply to "${mail.subject}" from ${sender.name} with "${text}".`,
        `Answer ${sender.name}'s mail about "${mail.subject}": "${text}". Leave what was quoted below.`,
        `${sender.name} wrote to me about "${mail.subject}". Reply "${text}".`,
      ),
      world: desk.world,
      open: somewhere(draw, 'mail'),
      evaluator: all(
        ...sentAbout(desk, mail, {
          to: sender.mail,
          subject: `Re: ${mail.subject}`,
          body: `${text}\n\n${sender.name} wrote:\n${quoted}`,
        }),
      ),
      solve: answer(mail, text),
      misses: {
        'to the same subject from somebody else': answer(other, text),
        'almost the right text': answer(mail, text.slice(0, -1)),
        'kept as a draft': hand => {
          hand.open('Mail');
          hand.click('row', desk.row(mail));
          hand.click('button', 'Reply');
          hand.type(text);
          hand.click('button', 'Save draft');
        },
        'a new mail instead': hand => {
          hand.open('Mail');
          hand.click('button', 'New');
          hand.type(`${sender.mail}\nRe: ${mail.subject}\n${text}`);
          hand.click('button', 'Send');
        },
      },
    };
  },
};

const forward: PocketTemplate = {
  id: 'mail-forward',
  tier: 3,
  apps: APPS,
  make: draw => {
    const desk = new MailDesk(draw);
    const [sender = desk.person(), receiver = desk.person()] = desk.people(2);
    const namesake = desk.namesake(receiver);
    const mail = desk.put({}, sender);
    const other = desk.put({}, sender);
    const pass =
      (passed: Mail, { name }: Contact) =>
      (hand: ScriptedUser) => {
        hand.open('Mail');
        hand.click('row', desk.row(passed));
        hand.click('button', 'Forward');
        hand.click('button', 'To...');
        hand.click('menuitem', name);
        hand.click('button', 'Send');
      };
    const head = `--- Forwarded mail ---\nFrom: ${mail.from}\nSubject: ${mail.subject}`;
    return {
      instruction: draw.say(
        `Forward the mail "${mail.subject}" from ${sender.name} to ${receiver.name}.`,
        `${receiver.name} should get "${mail.subject}", which ${sender.name} sent me. Pass it on.`,
        `Pass ${sender.name}'s mail about "${mail.subject}" on to ${receiver.name}.`,
      ),
      world: desk.world,
      open: somewhere(draw, 'mail'),
      evaluator: all(
        ...sentAbout(desk, mail, {
          to: receiver.mail,
          subject: `Fwd: ${mail.subject}`,
          body: `\n\n${head}\n\n${mail.body}`,
        }),
      ),
      solve: pass(mail, receiver),
      misses: {
        'to somebody with a similar name': pass(mail, namesake),
        'another mail': pass(other, receiver),
        'back to the sender': pass(mail, sender),
      },
    };
  },
};

const missing: PocketTemplate = {
  id: 'mail-missing-infeasible',
  tier: 1,
  apps: APPS,
  make: draw => {
    const desk = new MailDesk(draw);
    const [sender = desk.person(), receiver = desk.person()] = desk.people(2);
    const there = desk.put({}, sender);
    // Nobody ever wrote about it: no mail has this subject.
    const subject = desk.subject();
    return {
      instruction: draw.say(
        `Star the mail "${subject}" from ${sender.name}.`,
        `Forward the mail "${subject}" from ${sender.name} to ${receiver.name}.`,
        `Delete ${sender.name}'s mail about "${subject}".`,
        `Reply to "${subject}" from ${sender.name} with "${desk.sentence()}".`,
      ),
      world: desk.world,
      open,
      evaluator: infeasible(),
      solve: () => undefined,
      misses: { 'another mail instead': hand => hand.click('checkbox', `Star ${there.subject}`) },
    };
  },
};

const beyond: PocketTemplate = {
  id: 'mail-beyond-infeasible',
  tier: 1,
  apps: APPS,
  make: draw => {
    const desk = new MailDesk(draw);
    const sender = desk.person();
    const mail = desk.put({}, sender);
    const [subject, folder] = [mail.subject, draw.one(draw.words.folder)];
    return {
      instruction: draw.say(
        `Block ${sender.name}, so that no more mail comes from there.`,
        `Make a new mail folder called "${folder}" and move "${subject}" into it.`,
        `Schedule a mail to ${sender.name} with the text "${desk.sentence()}" for tomorrow at ${draw.time()}.`,
        `Print the mail "${subject}" from ${sender.name}.`,
        `Translate the mail "${subject}" from ${sender.name}.`,
      ),
      world: desk.world,
      open,
      evaluator: infeasible(),
      solve: () => undefined,
      misses: { 'something else instead': hand => hand.click('checkbox', `Star ${subject}`) },
    };
  },
};

export const MAIL_ANSWERING: readonly PocketTemplate[] = [reply, forward, missing, beyond];
