import './style/tokens.css';
import './style/base.css';
import './style/art.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { preferredLanguage, setLanguage } from './lib/i18n.svelte';
import { startWorker } from './lib/offline';
import { warmPage } from './lib/pages';
import { followLinks, route } from './lib/router.svelte';

const target = document.getElementById('page');
if (!target) throw new Error('index.html has no #page');
followLinks();
startWorker();
// The page's code comes beside the language.
warmPage(route().name);
// Nothing is shown before it can be read; English is the fallback if a language cannot be loaded.
void setLanguage(preferredLanguage())
  .catch(() => setLanguage('en'))
  .then(() => mount(App, { target }));
