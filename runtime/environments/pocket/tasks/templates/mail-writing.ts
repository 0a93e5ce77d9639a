// Tasks about writing mail: drafts, new mails, replies, forwarding; and what Mail cannot do.

import type { Contact, Mail } from '../../world.ts';
import { all, type EndCondition, onlyChanged, recordsAre } from '../conditions.ts';
import { keepDraft, type MailText } from '../outcomes/mail.ts';
import { click, doubleClick, drag, openApp, press, steps, write } from '../scripted-user.ts';
import { inFront } from '../starting-world.ts';
import type { PocketTemplate } from '../template.ts';
import { deskTemplate, type MailDesk, STRANGER } from './mail-desk.ts';
import { reply, save, saveDraft, send } from './scripts.ts';

const apps = ['mail'];

/** Enter goes from field to field. */
const fillIn = ({ to, subject, body }: MailText) =>
  steps(click('button', 'New'), write(`${to}\n`), write(`${subject}\n`), write(body));

const chooseRecipient = ({ name }: Contact) => steps(click('button', 'To...'), click('menuitem', name));

/** The one new mail was sent and is this. The mail that it is about may be read. */
const sentAbout = (desk: MailDesk, { id }: Mail, text: MailText): readonly EndCondition[] => [
  desk.newMailIs({ folder: 'Sent', ...text, starred: false }),
  onlyChanged(desk.newMail, `mails.${id}.read`),
];

export const MAIL_WRITING: readonly PocketTemplate[] = [
  deskTemplate('mail-draft', { tier: 2, apps }, (desk, draw) => {
    const { mail: to } = draw.chance(0.5) ? desk.person() : desk.stranger();
    const mail = { to, subject: desk.subject(), body: draw.sentence() };
    return {
      instruction: draw.phrase(...keepDraft(mail).ways),
      open: inFront('mail'),
      evaluator: all(
        desk.newMailIs({ folder: 'Drafts', ...mail, starred: false }),
        onlyChanged(desk.newMail),
      ),
      solve: steps(fillIn(mail), save),
      misses: {
        sent: steps(fillIn(mail), send),
        'without its text': steps(fillIn({ ...mail, body: '' }), saveDraft),
        'written but not saved': fillIn(mail),
      },
    };
  }),

  deskTemplate('mail-send', { tier: 3, apps }, (desk, draw) => {
    const person = desk.person();
    const namesake = desk.namesake(person);
    const byName = draw.chance(0.5);
    const mail = { to: person.mail, subject: desk.subject(), body: draw.sentence() };
    const { subject, body } = mail;
    const to = byName ? person.name : person.mail;
    const sendMail = (text: MailText) => steps(openApp('Mail'), fillIn(text), send);
    const sendByName = steps(
      openApp('Mail'),
      click('button', 'New'),
      chooseRecipient(person),
      press('enter'),
      write(`${subject}\n`),
      write(body),
      send,
    );
    return {
      instruction: draw.phrase(
        `Send a mail to ${to} with the subject "${subject}" and the text "${body}".`,
        `Write to ${to}: "${body}". The subject is "${subject}". Send it.`,
        `Mail "${body}" to ${to}, with "${subject}" as subject.`,
      ),
      open: draw.somewhere('mail'),
      evaluator: all(desk.newMailIs({ folder: 'Sent', ...mail, starred: false }), onlyChanged(desk.newMail)),
      solve: byName ? sendByName : sendMail(mail),
      misses: {
        'to somebody with a similar name': sendMail({ ...mail, to: namesake.mail }),
        'almost the right text': sendMail({ ...mail, body: `${body}!!` }),
        'kept as a draft': steps(openApp('Mail'), fillIn(mail), saveDraft),
        'without a subject': steps(sendMail({ ...mail, subject: '' }), click('button', 'Send anyway')),
      },
    };
  }),

  deskTemplate('mail-send-two', { tier: 3, apps, unseen: true }, (desk, draw) => {
    const [one, two, three] = desk.trio();
    const [subject, body] = [desk.subject(), draw.sentence()];
    const sendTo = (people: readonly Contact[], address?: string) =>
      steps(
        click('button', 'New'),
        ...people.map(chooseRecipient),
        address === undefined ? steps() : write(`, ${address}`),
        press('enter'),
        write(`${subject}\n`),
        write(body),
        send,
      );
    return {
      instruction: draw.phrase(
        `Send one mail to both ${one.name} and ${two.name}: subject "${subject}", text "${body}".`,
        `Tell ${one.name} and ${two.name} in the same mail: "${body}". Its subject is "${subject}".`,
        `Write "${body}" to ${one.name} and ${two.name}, in one mail about "${subject}", and send it.`,
      ),
      open: inFront('mail'),
      evaluator: all(
        desk.newMailIs({ folder: 'Sent', subject, body, starred: false }),
        desk.newMailGoesTo(one, two),
        onlyChanged(desk.newMail),
      ),
      solve: sendTo([one, two]),
      misses: {
        'to one of them': sendTo([one]),
        'to somebody else as well': sendTo([one, two, three]),
        'to one of them and somebody else': sendTo([three, two]),
        'to one of them twice': sendTo([one, two, two]),
        'to a stranger as well': sendTo([one, two], STRANGER),
      },
    };
  }),

  deskTemplate('mail-finish-draft', { tier: 3, apps }, (desk, draw) => {
    const person = desk.person();
    const byName = draw.chance(0.5);
    const mail = desk.put({ folder: 'Drafts', to: '' });
    const other = desk.put({ folder: 'Drafts', to: '' });
    const openDrafts = steps(openApp('Mail'), click('treeitem', 'Drafts'));
    const addressDraft = (which: Mail) =>
      steps(
        openDrafts,
        doubleClick('row', desk.row(which)),
        byName ? chooseRecipient(person) : write(person.mail),
      );
    const to = byName ? person.name : person.mail;
    const { subject, body } = mail;
    return {
      instruction: draw.phrase(
        `My draft "${subject}" has no address yet. Send it to ${to}.`,
        `Finish the draft "${subject}": it goes to ${to}. Then send it.`,
        `There is a draft called "${subject}". Send it, as it is, to ${to}.`,
      ),
      open: draw.somewhere('mail'),
      evaluator: all(
        recordsAre('mails', { id: mail.id }, [
          { folder: 'Sent', to: person.mail, subject, body, starred: false },
        ]),
        onlyChanged(`mails.${mail.id}.folder`, `mails.${mail.id}.to`),
      ),
      solve: steps(addressDraft(mail), send),
      misses: {
        'addressed, but not sent': steps(addressDraft(mail), saveDraft),
        'another draft': steps(addressDraft(other), send),
        'moved to Sent without an address': steps(
          openDrafts,
          drag('row', desk.row(mail), 'treeitem', 'Sent'),
        ),
      },
    };
  }),

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
      misses: { 'something else instead': click('checkbox', `Star ${subject}`) },
    };
  }),
];
