// Words of user interfaces and of requests about them, each one token of the micro model. Names of people, files and topics are
// missing on purpose: they are spelled in pairs of letters, so that a name which never occurred in training is no exception.

export const INTERFACE_WORDS: readonly string[] = `
  ctrl alt shift esc pageup pagedown desktop apps close minimise edit the delete new notes mail trash settings files save calendar file txt contacts
  calculator search folder from cancel text name display star inbox message sent drafts sort reply forward starred subject
  unread and line column words about next previous saved untitled night light sound network system theme dark brightness
  downloads pictures documents nothing find today note march event month events home size write items yet clear time moved
  backspace history choose back contact with phone pocket move into send all add for was draft discard body example
  characters added that date hour down put its title minute number company show copy item open what change mark called tue
  this not there thu wed have make read says off mute volume alert bell notifications should mon device turn wrote sat
  will address language format hours reset english rename out scroll sun fri asks which cannot net you copied found com
  org deleted leave empty mails set nobody please good last same bluetooth networks reach connected library guest answer
  correct has give else them then take none create created cut renamed paste done brought gone changed result look keep
  enter ask away one word somewhere list under meet call end goes below day know more writes switch throw belongs only
  everything replace say sum yours remove place work times can together own later but here need instead chime drop connect
  pasted forever entries undone emptied replaced everywhere tell somebody fwd forwarded does week how much let memory
  stands total use want stays brings takes left lost second named are whatever longer get any bill too whoever percent see
  think when like had selected first wrong tells devices anew muted above print begins exactly calculate hold two prices
  now lists alerts original smallest largest many others over throughout quoted who plus something wants must writer
  monitor well log where clean thrown mentions order prepare finish pass right other free minus people each pay holds
  things cost addresses bad news changes keyboard layout whose belong both rid still translate planned sine itself forget
  your true drag every ends tidy needed top larger font lock password aloud came august december ill once after multiply
  costs becomes cheaper saves before hexadecimal draw graph whole could complete full took according another bring already
  three screen saver csv bold seen june november numbers degrees best wishes january february april july september october
  monday tuesday wednesday thursday friday saturday sunday unstar click press type go button field checkbox icon page link
  login user submit
`
  .trim()
  .split(/\s+/);
