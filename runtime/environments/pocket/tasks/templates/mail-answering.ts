// Tasks about replying to mail and forwarding it, and about what Mail cannot do.

import type { Contact, Mail } from '../../world.ts';
import { all, type EndCondition, infeasible, onlyChanged } from '../conditions.ts';
import type { MailText } from '../outcomes/mail.ts';
import { click, openApp, steps, write } from '../scripted-user.ts';
import { inFront } from '../setup.ts';
import type { PocketTemplate } from '../template.ts';
import { deskTemplate, type MailDesk } from './mail-desk.ts';
import { reply, saveDraft, send } from './scripts.ts';

const apps = ['mail'];

/** The one new mail was sent and is this. The mail that it is about may be read. */
const sentAbout = (desk: MailDesk, { id }: Mail, text: MailText): readonly EndCondition[] => [
  desk.newMailIs({ folder: 'Sent', ...text, starred: false }),
  onlyChanged(desk.newMail, `mails.${id}.read`),
];

export const MAIL_ANSWERING: readonly PocketTemplate[] = [
  deskTemplate('mail-reply', { tier: 3, apps }, (desk, draw) => {
    const [sender, another] = desk.pair();
    const mail = desk.put({}, sender);
    const { subject } = mail;
    const other = desk.put({ subject }, another);
    const text = draw.sentence();
    const writeReply = (to: Mail, words: string) =>
      steps(openApp('Mail'), click('row', desk.row(to)), reply(words));
    const quoted = mail.body.replaceAll(/^/gm, '> ');
    return {
      instruction: draw.phrase(
        `Reply to "${subject}" from ${sender.name} with "${text}".`,
        `Answer ${sender.name}'s mail about "${subject}": "${text}". Leave what was quoted below.`,
        `${sender.name} wrote to me about "${subject}". Reply "${text}".`,
      ),
      open: draw.somewhere('mail'),
      evaluator: all(
        ...sentAbout(desk, mail, {
          to: sender.mail,
          subject: `Re: ${subject}`,
          body: `${text}\n\n${sender.name} wrote:\n${quoted}`,
        }),
      ),
      solve: steps(writeReply(mail, text), send),
      misses: {
        'to the same subject from somebody else': steps(writeReply(other, text), send),
        'almost the right text': steps(writeReply(mail, text.slice(0, -1)), send),
        'kept as a draft': steps(writeReply(mail, text), saveDraft),
        'a new mail instead': steps(
          openApp('Mail'),
          click('button', 'New'),
          write(`${sender.mail}\nRe: ${subject}\n${text}`),
          send,
        ),
      },
    };
  }),

  deskTemplate('mail-forward', { tier: 3, apps }, (desk, draw) => {
    const [sender, receiver] = desk.pair();
    const namesake = desk.namesake(receiver);
    const mail = desk.put({}, sender);
    const other = desk.put({}, sender);
    const forward = (which: Mail, { name }: Contact) =>
      steps(
        openApp('Mail'),
        click('row', desk.row(which)),
        click('button', 'Forward'),
        click('button', 'To...'),
        click('menuitem', name),
        send,
      );
    const { from, subject, body } = mail;
    return {
      instruction: draw.phrase(
        `Forward the mail "${subject}" from ${sender.name} to ${receiver.name}.`,
        `${receiver.name} should get "${subject}", which ${sender.name} sent me. Pass it on.`,
        `Pass ${sender.name}'s mail about "${subject}" on to ${receiver.name}.`,
      ),
      open: draw.somewhere('mail'),
      evaluator: all(
        ...sentAbout(desk, mail, {
          to: receiver.mail,
          subject: `Fwd: ${subject}`,
          body: `\n\n--- Forwarded mail ---\nFrom: ${from}\nSubject: ${subject}\n\n${body}`,
        }),
      ),
      solve: forward(mail, receiver),
      misses: {
        'to somebody with a similar name': forward(mail, namesake),
        'another mail': forward(other, receiver),
        'back to the sender': forward(mail, sender),
      },
    };
  }),

  deskTemplate('mail-missing-infeasible', { tier: 1, apps }, (desk, draw) => {
    const [sender, receiver] = desk.pair();
    const existing = desk.put({}, sender);
    // Drawn last: no mail has this subject.
    const subject = desk.subject();
    return {
      instruction: draw.phrase(
        `Star the mail "${subject}" from ${sender.name}.`,
        `Forward the mail "${subject}" from ${sender.name} to ${receiver.name}.`,
        `Delete ${sender.name}'s mail about "${subject}".`,
        `Reply to "${subject}" from ${sender.name} with "${draw.sentence()}".`,
      ),
      open: inFront('mail'),
      evaluator: infeasible(),
      solve: steps(),
      misses: { 'another mail instead': click('checkbox', `Star ${existing.subject}`) },
    };
  }),

  deskTemplate('mail-beyond-infeasible', { tier: 1, apps }, (desk, draw) => {
    const sender = desk.person();
    const { subject } = desk.put({}, sender);
    const folder = draw.pick(draw.words.folder);
    return {
      instruction: draw.phrase(
        `Block ${sender.name}, so that no more mail comes from there.`,
        `Make a new mail folder called "${folder}" and move "${subject}" into it.`,
        `Schedule a mail to ${sender.name} with the text "${draw.sentence()}" for tomorrow at ${draw.time()}.`,
        `Print the mail "${subject}" from ${sender.name}.`,
        `Translate the mail "${subject}" from ${sender.name}.`,
      ),
      open: inFront('mail'),
      evaluator: infeasible(),
      solve: steps(),
      misses: { 'something else instead': click('checkbox', `Star ${subject}`) },
    };
  }),
];
