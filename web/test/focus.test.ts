import { createRawSnippet, flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, test } from 'vitest';
import Dialog from '../src/components/Dialog.svelte';
import { keepFocus } from '../src/lib/focus';

const HAND = '<div class="hand"><button tabindex="-1">2s</button><button tabindex="0">3s</button></div>';
const focused = () => document.activeElement?.textContent;
const find = (text: string) => [...document.querySelectorAll('button')].find((one) => one.textContent === text)!;

let shown: Record<string, unknown>[] = [];
function open(text: string): Record<string, unknown> {
  const children = createRawSnippet(() => ({ render: () => `<button>${text}</button>` }));
  const dialog = mount(Dialog, { target: document.body, props: { title: text, children } });
  shown.push(dialog);
  flushSync();
  find(text).focus();
  return dialog;
}
async function close(dialog: Record<string, unknown>): Promise<void> {
  shown = shown.filter((other) => other !== dialog);
  await unmount(dialog);
  await new Promise((done) => setTimeout(done));
}

beforeEach(() => {
  HTMLDialogElement.prototype.showModal ??= () => undefined;
  document.body.innerHTML = `<button>Tichu</button>${HAND}<button disabled>gone</button>`;
});
afterEach(() => {
  for (const dialog of shown) void unmount(dialog);
  shown = [];
  document.body.innerHTML = '';
});

test('after a dialog the focus is where it was', async () => {
  find('Tichu').focus();
  await close(open('Cancel'));
  expect(focused()).toBe('Tichu');
});

test('or in the hand, if that has gone', async () => {
  find('Tichu').focus();
  const dialog = open('Call');
  find('Tichu').remove();
  await close(dialog);
  expect(focused()).toBe('3s');
});

test('or was nowhere', async () => {
  await close(open('ace'));
  expect(focused()).toBe('3s');
});

test('a dialog that leads to another one gives the focus back to what has opened the first', async () => {
  find('Tichu').focus();
  const menu = open('Settings');
  const settings = open('Close');
  await close(menu);
  expect(focused()).toBe('Close');
  await close(settings);
  expect(focused()).toBe('Tichu');
});

test('what has the focus by then keeps it', async () => {
  const dialog = open('Cancel');
  find('2s').focus();
  await close(dialog);
  expect(focused()).toBe('2s');
});

test('a button that goes with its key leads to the hand, with a click elsewhere nowhere', async () => {
  const stop = keepFocus(document.body);
  const go = async (text: string, click: boolean) => {
    find(text).focus();
    if (click) dispatchEvent(new Event('pointerdown'));
    find(text).remove();
    await new Promise((done) => setTimeout(done));
    return focused();
  };
  document.body.insertAdjacentHTML('afterbegin', '<button>Thanks</button><button>chip</button>');
  expect(await go('chip', true)).not.toBe('3s');
  expect(await go('Thanks', false)).toBe('3s');
  find('Tichu').focus();
  // What a dialog takes with it is not its business.
  const dialog = open('Cancel');
  await close(dialog);
  expect(focused()).toBe('Tichu');
  stop();
});
