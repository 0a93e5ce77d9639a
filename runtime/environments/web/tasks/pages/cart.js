// The cart of the shop, which its pages share: `[{ name, price, quantity }]`.

import { find, save, saved } from './page.js';

export const cart = () => saved('cart', []);

export const total = () => cart().reduce((sum, { price, quantity }) => sum + price * quantity, 0);

/** Removes the product if the quantity is 0. */
export const setQuantity = (product, quantity) => {
  const known = cart().some(({ name }) => name === product.name);
  const all = known ? cart() : [...cart(), { ...product, quantity }];
  const changed = all.map(each => (each.name === product.name ? { ...each, quantity } : each));
  save(
    'cart',
    changed.filter(each => each.quantity > 0),
  );
};

export const quantityOf = product => cart().find(({ name }) => name === product.name)?.quantity ?? 0;

export const showCount = () => {
  const count = cart().reduce((sum, { quantity }) => sum + quantity, 0);
  find('#cart').textContent = `Cart (${count})`;
};
