import { flushSync, mount, unmount, type Component } from 'svelte';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { keepPlace } from '../src/lib/places';
import { setLanguage } from '../src/lib/i18n.svelte';
import { catalog as people } from '../src/messages/people';
import People from '../src/routes/people.svelte';

/** Where the keyboard is when a control has gone with what it did. */
let stop: () => void = () => undefined;
const page = document.createElement('main');
const find = (text: string) =>
  [...document.querySelectorAll<HTMLElement>('button, a')].find((one) => one.textContent.trim() === text)!;
const focused = () => document.activeElement?.textContent?.trim();

/** Press what has this text: the page is another one then. */
async function press(text: string, then: (button: HTMLElement) => void): Promise<void> {
  const button = find(text);
  button.focus();
  then(button);
  await new Promise((done) => setTimeout(done));
}

beforeEach(() => {
  document.body.replaceChildren(page);
  page.innerHTML = `<h1>People</h1>
    <section><h2>Followed</h2><ul>
      <li>Ada <button>drop Ada</button></li><li>Ben <button>drop Ben</button></li><li>Cho <button>drop Cho</button></li>
    </ul><button>more</button></section>
    <section><h2>Blocked</h2><p><button>forget</button></p></section>
    <div class="step"><h2>Codes</h2><button>written</button></div>`;
  stop = keepPlace(page);
});
afterEach(() => stop());

test('the row after the one that has gone, or the one before, has the keyboard, but none of its buttons', async () => {
  const drop = (button: HTMLElement) => button.closest('li')!.remove();
  await press('drop Ben', drop);
  expect(focused()).toBe('Cho drop Cho');
  await press('drop Cho', drop);
  expect(focused()).toBe('Ada drop Ada');
  // Nothing is left but what the list was about.
  await press('drop Ada', (button) => button.closest('ul')!.replaceWith(document.createElement('p')));
  expect(focused()).toBe('Followed');
});

test('a row whose button has gone is still the place', async () => {
  await press('drop Ben', (button) => button.remove());
  expect(focused()).toBe('Ben');
});

test('whoever asks for more goes on with the first that came', async () => {
  await press('more', (button) => {
    page.querySelector('ul')!.insertAdjacentHTML('beforeend', '<li>Dov</li><li>Eve</li>');
    button.remove();
  });
  expect(focused()).toBe('Dov');
});

test('a step gives way to the heading of the next one, a button to that of its part', async () => {
  await press('written', (button) => {
    const step = document.createElement('div');
    step.innerHTML = '<h2>Log in</h2><input />';
    button.closest('div')!.replaceWith(step);
  });
  expect(focused()).toBe('Log in');
  await press('forget', (button) => button.remove());
  expect(focused()).toBe('Blocked');
});

test('what has the focus by then keeps it, and what goes otherwise is nobody’s place', async () => {
  await press('forget', (button) => {
    button.remove();
    find('more').focus();
  });
  expect(focused()).toBe('more');
  page.querySelector('li')!.remove();
  await new Promise((done) => setTimeout(done));
  expect(focused()).toBe('more');
});

test('a dialog that goes together with what has opened it leaves the keyboard where that was', async () => {
  await press('forget', () => {
    page.insertAdjacentHTML('beforeend', '<dialog><button>Delete</button></dialog>');
    find('Delete').focus();
  });
  await press('Delete', (button) => {
    find('forget').parentElement!.remove();
    button.closest('dialog')!.remove();
  });
  expect(focused()).toBe('Blocked');
});

test('a heading takes the keyboard only until it goes on', async () => {
  await press('forget', (button) => button.remove());
  expect(document.activeElement?.getAttribute('tabindex')).toBe('-1');
  find('more').focus();
  expect(page.querySelector('[tabindex]')).toBeNull();
});

test('what has the keyboard already is known', async () => {
  stop();
  find('forget').focus();
  stop = keepPlace(page);
  find('forget').remove();
  await new Promise((done) => setTimeout(done));
  expect(focused()).toBe('Blocked');
});

beforeAll(async () => {
  await setLanguage('en');
  $effect.root(() => people.load());
  await vi.waitFor(() => expect(people.ready).toBe(true));
});

test('whoever is no longer followed leaves the keyboard on the next one of the page', async () => {
  localStorage.setItem('tichu.token', 'mine');
  const person = (name: string) => ({ player: name, name, kind: 'person', account: true });
  let follows = ['ada', 'ben'].map(person);
  vi.stubGlobal('fetch', (_: string, { method }: RequestInit = {}) => {
    if (method === 'DELETE') follows = follows.slice(1);
    return Promise.resolve(new Response(JSON.stringify({ follows, recent: [], blocks: [] })));
  });
  const shown = mount(People as Component<object>, { target: document.body, props: {} });
  try {
    await vi.waitFor(() => expect(find('Unfollow')).toBeDefined());
    // What watches the focus comes beside the page.
    await vi.dynamicImportSettled();
    find('Unfollow').focus();
    find('Unfollow').click();
    await vi.waitFor(() => expect(focused()).toContain('ben'));
    expect(document.activeElement?.tagName).toBe('LI');
    find('Unfollow').focus();
    find('Unfollow').click();
    flushSync();
    await vi.waitFor(() => expect(focused()).toBe('You follow'));
  } finally {
    void unmount(shown);
    vi.unstubAllGlobals();
    localStorage.clear();
  }
});
