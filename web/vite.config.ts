import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// The server writes <base href> into index.html, so the page works under any path prefix.
const server = process.env.TICHU_SERVER ?? 'http://127.0.0.1:8080';

export default defineConfig({
  base: './',
  plugins: [svelte()],
  // Component tests mount in the browser flavour of Svelte.
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  build: {
    outDir: '../src/tichu/server/static',
    emptyOutDir: true,
    target: 'es2022',
    // A strict policy allows no inline script, and a polyfill would be one.
    modulePreload: { polyfill: false },
    // Sounds and art are our own; nothing is worth a data: address that img-src alone would carry.
    assetsInlineLimit: 0,
    // Which file needs which: tests weigh the first load by it.
    manifest: 'files.json',
  },
  server: {
    proxy: { '/api': server, '/ws': { target: server, ws: true } },
  },
  test: {
    environment: 'happy-dom',
    include: ['test/**/*.test.ts'],
  },
});
