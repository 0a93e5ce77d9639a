// What the task pages share: the values of the instance, from the address, and records that survive a reload and a change of the page.

const parameters = new URLSearchParams(location.search);

export const given = name => parameters.get(name) ?? '';

/** The values of a parameter, which `|` separates. */
export const list = name => given(name).split('|').filter(Boolean);

/** The values in the order that the parameter `order` has, such as `201`. */
export const arranged = values => {
  const order = given('order');
  return order === '' ? values : [...order].map(place => values[Number(place)]);
};

export const saved = (key, initial) => JSON.parse(localStorage.getItem(key) ?? 'null') ?? initial;

export const save = (key, value) => localStorage.setItem(key, JSON.stringify(value));

export const find = selector => document.querySelector(selector);

/** A new element; `content` holds texts and elements. */
export const make = (tag, properties = {}, ...content) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...content);
  return element;
};
