// Tasks about writing mail: drafts, and mails to one or two people.

import type { Contact, Mail } from '../../world.ts';
import { all, onlyChanged, recordsAre } from '../conditions.ts';
import { keepDraft, type MailText } from '../outcomes/mail.ts';
import { click, doubleClick, drag, openApp, press, steps, write } from '../scripted-user.ts';
import { inFront } from '../setup.ts';
import type { PocketTemplate } from '../template.ts';
import { deskTemplate, STRANGER } from './mail-desk.ts';
import { save, saveDraft, send } from './scripts.ts';

const apps = ['mail'];

/** Enter goes from field to field. */
const fillIn = ({ to, subject, body }: MailText) =>
  steps(click('button', 'New'), write(`${to}\n`), write(`${subject}\n`), write(body));

const chooseRecipient = ({ name }: Contact) => steps(click('button', 'To...'), click('menuitem', name));

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
];
