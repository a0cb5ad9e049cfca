// The app: dist/index.html and dist/assets/*.
//
// File names are fixed: the built files are checked in, and a name that changes with each change would make every
// commit look like a new file. The server forbids caching, so that a stale one is never shown.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [svelte()],
  base: "/",
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // Images as data: addresses would be blocked nowhere, but a file is easier to look at.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rollupOptions: {
      output: {
        entryFileNames: "assets/[name].js",
        chunkFileNames: "assets/[name].js",
        assetFileNames: "assets/[name][extname]",
      },
    },
  },
});
