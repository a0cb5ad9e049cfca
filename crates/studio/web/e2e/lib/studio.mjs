// The real binary and a real browser: started here, driven by mouse and keys as a person would.

import { execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));

export const repository = resolve(here, "../../../../..");
export const binary = process.env.WINDROW_BIN ?? join(repository, "target/release/windrow");
export const demo = (name) => join(repository, "testdata/studio", name);
export const pages = (name) => join(repository, "testdata/pages", name);
export const corpus = join(process.env.WINDROW_SHARED ?? resolve(repository, "../shared"), "corpus");
/** Where pictures go; they are looked at, not compared. */
export const pictures = process.env.WINDROW_PICTURES ?? join(tmpdir(), "windrow-studio-pictures");
mkdirSync(pictures, { recursive: true });

/** Runs the command line, as a person would beside the studio. */
export async function windrow(args, cwd = repository) {
  const { stdout } = await run(binary, args, { cwd, maxBuffer: 64 << 20 });
  return stdout;
}

/** Starts `windrow studio` in a folder of its own; gives its address. */
export async function startStudio(args = [], cwd = mkdtempSync(join(tmpdir(), "windrow-studio-"))) {
  const child = spawn(binary, ["studio", ...args, "--no-open", "--port", "0"], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  child.stderr.on("data", (data) => (errors += data));
  const address = await new Promise((found, failed) => {
    let out = "";
    child.stdout.on("data", (data) => {
      out += data;
      const match = /http:\/\/\S+/.exec(out);
      if (match) found(match[0]);
    });
    child.on("exit", (code) => failed(new Error(`windrow studio ended with ${code}: ${errors}`)));
  });
  return { address, cwd, stop: () => child.kill() };
}

let browser;

/** One browser for all tests of a file. */
export async function theBrowser() {
  browser ??= await chromium.launch({
    executablePath: process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path)),
    args: [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
      "--disable-sync", "--no-first-run",
    ],
  });
  return browser;
}

export async function closeBrowser() {
  await browser?.close();
  browser = undefined;
}

/** A studio in a browser, with what a test does to it. */
export class Session {
  static async open(args = [], { scheme = "light", width = 1280, height = 800, cwd = undefined } = {}) {
    const studio = await startStudio(args, cwd);
    const context = await (await theBrowser()).newContext({
      viewport: { width, height }, colorScheme: scheme, acceptDownloads: true, reducedMotion: "reduce",
    });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const session = new Session(studio, context, page);
    page.on("pageerror", (error) => session.errors.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error" && !/404|422/.test(message.text())) session.errors.push(message.text());
    });
    await page.goto(studio.address);
    if (args.some((arg) => !arg.startsWith("-"))) await session.frame();
    return session;
  }

  constructor(studio, context, page) {
    this.studio = studio;
    this.context = context;
    this.page = page;
    this.errors = [];
  }

  async close() {
    await this.context.close();
    this.studio.stop();
  }

  /** The frame of the page that is shown, ready to be pointed at. */
  async frame(selector = "main iframe") {
    const element = await this.page.waitForSelector(selector);
    for (let tries = 0; tries < 300; tries += 1) {
      const frame = await element.contentFrame();
      if (frame && (await frame.evaluate(() => document.querySelector("windrow-overlay") !== null).catch(() => false))) return frame;
      await this.page.waitForTimeout(20);
    }
    throw new Error("the page's frame does not come");
  }

  /** Where to click for a text: the middle of its first line, in the window's coordinates. */
  async whereIs(text, { within = null, nth = 0, whole = true } = {}) {
    const frame = await this.frame();
    const point = await frame.evaluate(
      ({ text, within, nth, whole }) => {
        const clean = (value) => value.replace(/\s+/g, " ").trim();
        const roots = within ? within.map((path) => document.evaluate(path, document, null, 9, null).singleNodeValue) : [document.body];
        const found = [];
        for (const root of roots.filter(Boolean)) {
          const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const own = clean(walker.currentNode.data);
            if (own === "" || !(whole ? own === text : own.includes(text))) continue;
            const range = document.createRange();
            range.selectNodeContents(walker.currentNode);
            if ([...range.getClientRects()].some((box) => box.width > 1 && box.height > 1)) found.push(walker.currentNode);
          }
        }
        const node = found[nth];
        if (!node) return null;
        node.parentElement.scrollIntoView({ block: "center" });
        const range = document.createRange();
        range.selectNodeContents(node);
        const box = [...range.getClientRects()].find((box) => box.width > 1 && box.height > 1);
        return { x: box.left + Math.min(box.width / 2, 40), y: box.top + box.height / 2 };
      },
      { text, within, nth, whole },
    );
    if (!point) throw new Error(`not on the page: ${text}`);
    return this.inWindow(point);
  }

  async inWindow(point) {
    const box = await this.page.locator("main iframe").boundingBox();
    return { x: box.x + point.x, y: box.y + point.y };
  }

  async version() {
    return Number(await this.page.getAttribute("section.table", "data-version"));
  }

  /** Does something and waits until the table has followed. */
  async settled(action) {
    const before = await this.version();
    await action();
    await this.page.waitForFunction((before) => Number(document.querySelector("section.table")?.dataset.version) > before, before);
  }

  /** A real click on a text of the page. */
  async click(text, options) {
    const { x, y } = await this.whereIs(text, options);
    await this.page.mouse.move(x, y);
    await this.page.mouse.click(x, y);
  }

  /** A click that marks a field, and its name. */
  async mark(text, name, options) {
    await this.settled(() => this.click(text, options));
    if (name !== undefined) await this.name(name);
  }

  /** Names what was just marked. */
  async name(name) {
    const input = this.page.getByRole("dialog", { name: "What this is" }).getByLabel("Name");
    if ((await input.inputValue()) === name) return input.press("Enter");
    // The name counts from when the input loses the focus, which may be before the key.
    await this.settled(async () => {
      await input.fill(name);
      await input.press("Enter");
    });
  }

  /** Everything that the table says: an object a record, as the command line prints it. */
  async records() {
    await this.page.evaluate(async () => {
      const box = document.querySelector("section.table > .scroll");
      for (let before = -1; box && box.scrollHeight !== before; ) {
        before = box.scrollHeight;
        box.scrollTop = before;
        await new Promise((done) => setTimeout(done, 60));
      }
      for (const more of document.querySelectorAll("section.table td ol + button:not(.cut)")) more.click();
      await new Promise((done) => setTimeout(done, 60));
    });
    return this.page.evaluate(() => {
      const names = [...document.querySelectorAll("section.table thead th strong")].map((one) => one.textContent.trim());
      const line = (li) => {
        const parts = [...li.querySelectorAll(":scope > .part")];
        if (parts.every((part) => !part.querySelector(".name"))) return parts.map((part) => part.textContent.trim()).join("");
        return Object.fromEntries(parts.map((part) => {
          const name = part.querySelector(".name").textContent.trim();
          return [name, part.textContent.trim().slice(name.length).trim()];
        }));
      };
      return [...document.querySelectorAll("section.table tbody tr")].map((row) =>
        Object.fromEntries([...row.querySelectorAll(":scope > td")].map((cell, at) => {
          const several = cell.querySelector("ol");
          const value = several ? [...several.querySelectorAll(":scope > li")].map(line) : (cell.querySelector(".value")?.textContent.trim() ?? null);
          return [names[at], value];
        })),
      );
    });
  }

  /** The rules as they stand in the editor. */
  async rules() {
    await this.page.click("#tab-rules");
    await this.page.waitForSelector(".cm-content");
    return this.page.evaluate(() => document.querySelector(".cm-content").cmTile?.view?.state.doc.toString() ?? [...document.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n"));
  }

  /** The absolute XPath in the bar. */
  xpath() {
    return this.page.evaluate(() => {
      const items = [...document.querySelectorAll("section.bar li")];
      return items.map((item) => item.textContent.replace(/\s+/g, "")).join("");
    });
  }

  /** The page as it is seen, boxes and all: those are in a closed shadow root, and only eyes see them. */
  async seen() {
    await this.page.waitForTimeout(120);
    return (await this.page.locator("main iframe").screenshot()).toString("base64");
  }

  /** Waits until the page is seen otherwise than before. */
  async changed(before) {
    for (let tries = 0; tries < 20; tries += 1) if ((await this.seen()) !== before) return;
    throw new Error("nothing changed on the page");
  }

  async unchanged(before) {
    for (let tries = 0; tries < 20; tries += 1) if ((await this.seen()) === before) return;
    throw new Error("the page is not seen as before");
  }

  async picture(name) {
    await this.page.screenshot({ path: join(pictures, `${name}.png`) });
  }
}
