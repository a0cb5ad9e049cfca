// The script that the server puts into the view of a page: dist/frame.js, one file without imports.
import { defineConfig } from "vite";

export default defineConfig({
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: false,
    lib: { entry: "frame/main.ts", formats: ["iife"], name: "windrowFrame", fileName: () => "frame.js" },
  },
});
