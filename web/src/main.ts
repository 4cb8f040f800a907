import './style/tokens.css';
import './style/art.css';
import { mount } from 'svelte';
import Sprite from './components/Sprite.svelte';
import Gallery from './routes/gallery.svelte';
const target = document.getElementById('page')!;
mount(Sprite, { target });
mount(Gallery, { target });
