// All ways to say one thing. Templates draw one of them for their instruction; of something that was done,
// all of them are true (deeds.ts). Days are said as 'dayText' says them, folders by their last name. Nothing
// is drawn or judged here.

export type Phrases = readonly string[];

// Settings

/** A check box, by the name that stands beside it. */
export function toTurn(name: string, on: boolean): Phrases {
  const [turn, thing] = [on ? 'on' : 'off', name.toLowerCase()];
  return [`Turn ${turn} "${name}" in Settings.`, `Switch ${thing} ${turn}.`, `Please turn ${thing} ${turn}.`];
}

export const toUseTheme = (theme: string): Phrases => [
  `Use the ${theme} theme.`,
  `Change the theme to ${theme}.`,
  `Make the desktop ${theme}.`,
];

export const toUseAlertSound = (sound: string): Phrases => [
  `Set the alert sound to ${sound}.`,
  `I want ${sound} as alert sound.`,
  `Choose ${sound} as the sound for alerts.`,
];

export const toUseLanguage = (language: string): Phrases => [
  `Change the language to ${language}.`,
  `Set the system language to ${language}.`,
];

export const toNameDevice = (name: string): Phrases => [
  `Name this device "${name}".`,
  `Rename the device to ${name}.`,
  `Set the device name to ${name} and save it.`,
];

/** Where Wi-Fi is off. */
export const toConnect = (network: string): Phrases => [
  `Turn on Wi-Fi and connect to ${network}.`,
  `Connect to the network ${network}. Wi-Fi is off.`,
];

// Files

/** Where Files shows the folder that it goes into. */
export const toMakeFolderHere = (name: string): Phrases => [`Make a new folder called "${name}" here.`];

export const toMakeFolder = (name: string, place: string): Phrases => [
  `Create a folder named ${name} in ${place}.`,
  `I need a folder "${name}" in ${place}.`,
  `Add a folder with the name ${name} to ${place}.`,
];

/** Where a file is selected. */
export const toDeleteSelected = (): Phrases => [
  'Delete the file that is selected.',
  'Put the selected file in the trash.',
  'I no longer need the selected file. Throw it away.',
];

export const toDeleteFile = (name: string): Phrases => [`Delete "${name}".`];

export const toDeleteBySize = (size: 'largest' | 'smallest', place: string): Phrases => [
  `Delete the ${size} file in ${place}.`,
  `Find out which file in ${place} is the ${size}, and throw it away.`,
  `The ${size} of the files in ${place} can go. Delete it.`,
];

export const toMoveFile = (name: string, to: string): Phrases => [
  `Move "${name}" to ${to}.`,
  `"${name}" belongs in ${to}. Move it there.`,
  `Drag the file "${name}" into the folder ${to}.`,
];

export const toMoveFileFrom = (name: string, from: string, to: string): Phrases => [
  `Put "${name}" into ${to} instead of ${from}.`,
];

export const toRenameFile = (name: string, place: string, wanted: string): Phrases => [
  `Rename "${name}" in ${place} to "${wanted}".`,
  `In ${place}, give the file "${name}" the name "${wanted}".`,
  `"${name}" in ${place} should be called "${wanted}".`,
];

export const toCopyFile = (name: string, from: string, to: string): Phrases => [
  `Copy "${name}" from ${from} to ${to}.`,
  `Put a copy of "${name}" into ${to}. The original stays in ${from}.`,
  `I want "${name}" in ${to} as well as in ${from}.`,
];

export const toEmptyTrash = (): Phrases => [
  'Empty the trash.',
  'Delete everything in the trash for good.',
  'Clear out the trash, nothing in it is needed any more.',
];

/** Where there are two files in it, or more. */
export const toEmptyTrashOf = (count: number): Phrases => [
  `There are ${count} files in the trash. Get rid of them forever.`,
];

// Notes

/** Where a note is open. */
export const toPutLineOnTopHere = (line: string): Phrases => [
  `Put the line "${line}" at the top of this note and save it.`,
  `Write "${line}" as a new first line of the open note, and save.`,
];

export const toPutLineOnTop = (line: string, note: string): Phrases => [
  `Add "${line}" on a line of its own above everything else in "${note}". Save the note.`,
];

export const toWriteNote = (text: string, note: string): Phrases => [
  `Write a new note that says "${text}" and save it as "${note}".`,
  `Save "${text}" in a new note called "${note}".`,
  `Make a note named "${note}" with the text "${text}".`,
  `Note down: "${text}". The note should be called "${note}".`,
];

export const toAddLine = (line: string, note: string): Phrases => [
  `Add the line "${line}" at the end of the note "${note}" and save it.`,
  `In the note "${note}", write "${line}" as a new last line. Save the note.`,
  `Put "${line}" under the last line of "${note}", and save.`,
];

export const toRewriteNote = (text: string, note: string): Phrases => [
  `Replace all that the note "${note}" says by "${text}", and save it.`,
  `The note "${note}" is out of date. It should say only "${text}". Save it.`,
  `Clear the note "${note}", write "${text}" in it instead, and save.`,
];

// Mail

export const toStar = (subject: string, sender: string): Phrases => [
  `Star the mail "${subject}" from ${sender}.`,
  `Give the mail about "${subject}" a star.`,
  `${sender} sent me "${subject}". Mark that mail with a star.`,
];

export const toMakeUnread = (subject: string, sender: string): Phrases => [
  `Mark the mail "${subject}" from ${sender} as unread.`,
  `I still have to read "${subject}" by ${sender}: make it unread again.`,
  `Set ${sender}'s mail about "${subject}" back to unread.`,
];

export const toDeleteMail = (subject: string, sender: string): Phrases => [
  `Delete the mail "${subject}" from ${sender}.`,
  `Put ${sender}'s mail about "${subject}" into the Trash.`,
  `I do not need "${subject}" by ${sender} any more. Throw it away.`,
];

export const toReadAll = (): Phrases => [
  'Mark all mails in the Inbox as read.',
  'I have seen everything in the Inbox. Make all of it read.',
  'There should be no unread mail left in the Inbox. Keep the mails there.',
];

export const toMoveMail = (subject: string, from: string, to: string): Phrases => [
  `Move the mail "${subject}" from the ${from} folder to ${to}.`,
  `"${subject}" is in the wrong mail folder: it is in ${from}, and belongs in ${to}.`,
  `In Mail, put "${subject}", which is in ${from}, into ${to}.`,
];

export const toKeepDraft = (to: string, subject: string, body: string): Phrases => [
  `Write a mail to ${to} about "${subject}" with the text "${body}", but do not send it yet: keep it as a draft.`,
  `Save a draft to ${to}. Its subject is "${subject}", its text "${body}".`,
  `Prepare a mail with the subject "${subject}" and the text "${body}" for ${to}. Leave it in the drafts, I will send it later.`,
];

// Contacts

export const toAddContact = (name: string, way: 'phone number' | 'mail address', known: string): Phrases => [
  `Add ${name} to my contacts, with the ${way} ${known}.`,
  `Make a new contact: ${name}, ${way} ${known}.`,
  `I met ${name}, whose ${way} is ${known}. Keep that in Contacts.`,
];

export const toAddSender = (subject: string, name: string): Phrases => [
  `Add whoever sent me "${subject}" to my contacts, as ${name}.`,
  `The mail "${subject}" is from ${name}, who is not in my contacts yet. Add name and address.`,
  `Keep the address from which "${subject}" came as a contact called ${name}.`,
];

export const toChangePhone = (name: string, phone: string): Phrases => [
  `Change ${name}'s phone number to ${phone}.`,
  `${name} has a new phone number: ${phone}. Correct it in Contacts.`,
  `The number of ${name} in my contacts is wrong. It should be ${phone}.`,
];

export const toDeleteContact = (name: string): Phrases => [
  `Delete ${name} from my contacts.`,
  `Remove the contact ${name}.`,
  `I do not need ${name} in Contacts any more.`,
];

// Calendar

/** Where it is on the day that is today; only a `later` day is one to put it off to. */
export const toMoveToday = (title: string, to: string, later: boolean): Phrases => [
  `Move today's "${title}" to ${to}.`,
  `"${title}" is not today but on ${to}, at the same time. Correct the calendar.`,
  ...(later ? [`Put off "${title}" from today to ${to}.`] : []),
];

export const toMoveEvent = (title: string, from: string, to: string): Phrases => [
  `Move "${title}" from ${from} to ${to}.`,
  `"${title}" is on ${to} instead of ${from}, at the same time. Change it in the calendar.`,
  `Put "${title}", which is on ${from}, on ${to}.`,
];

export const toDeleteEvent = (title: string, day: string): Phrases => [
  `Delete "${title}" on ${day}.`,
  `"${title}" on ${day} does not take place. Remove it from the calendar.`,
  `Take "${title}" out of the calendar; it is on ${day}.`,
];

export const toRenameEvent = (title: string, day: string, wanted: string): Phrases => [
  `Rename "${title}" on ${day} to "${wanted}".`,
  `On ${day} there is "${title}" in the calendar. It should be called "${wanted}".`,
  `Change the title of "${title}" (${day}) to "${wanted}".`,
];

// Calculator

/** A sum in words, as '12 plus 30'. */
export const toWorkOut = (sum: string): Phrases => [
  `Work out ${sum} with the calculator.`,
  `How much is ${sum}? Let the calculator show the result.`,
  `Calculate ${sum}, and leave the result in the display.`,
];

export const toAddAndMultiply = (a: string, b: string, by: string): Phrases => [
  `Add ${a} and ${b} and multiply what you get by ${by}, with the calculator.`,
  `${by} people each pay ${a} and then ${b} more. Let the calculator show what all of them pay together.`,
  `Take the sum of ${a} and ${b} times ${by}, and leave the result in the calculator's display.`,
];

export const toTakePercent = (share: string, whole: string): Phrases => [
  `How much is ${share} percent of ${whole}? Let the calculator show it.`,
  `Work out ${share} % of ${whole} with the calculator, and leave the result in its display.`,
  `Something that costs ${whole} becomes ${share} percent cheaper. Work out with the calculator how much one saves.`,
];

export const toRemember = (a: string, b: string): Phrases => [
  `Put the sum of ${a} and ${b} into the calculator's memory, in place of whatever is there.`,
  `Add ${a} and ${b} with the calculator, and make its memory hold exactly the result.`,
  `The memory of the calculator should hold ${a} plus ${b}, and nothing that was in it before.`,
];
