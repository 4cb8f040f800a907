import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// The server writes <base href> into index.html, so the page works under any path prefix.
const server = process.env.TICHU_SERVER ?? 'http://127.0.0.1:8080';

const BASE = /src\/lib\/(api|avatar|catalog|i18n|later|notices|numbers)(\.svelte)?\.ts|avatars\.svg|disclose-version/;

export default defineConfig({
  base: './',
  plugins: [svelte()],
  // Component tests need Svelte's build for browsers.
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  build: {
    outDir: '../src/tichu/server/static',
    emptyOutDir: true,
    target: 'es2022',
    // A strict policy allows no inline script, and a polyfill would be one.
    modulePreload: { polyfill: false },
    // The content policy allows data: addresses for images only.
    assetsInlineLimit: 0,
    // Which file needs which: tests measure the first load with it.
    manifest: 'files.json',
    // What nearly every page needs is one file: small ones compress badly.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'base', test: BASE }] } } },
  },
  server: {
    proxy: { '/api': server, '/ws': { target: server, ws: true } },
  },
  test: {
    environment: 'happy-dom',
    include: ['test/**/*.test.ts'],
  },
});
