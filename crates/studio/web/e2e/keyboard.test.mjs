// Without a mouse: open, walk, mark, name, refine, save.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { tidy } from "./lib/compare.mjs";
import { closeBrowser, demo, Session } from "./lib/studio.mjs";

after(closeBrowser);

test("open, mark, name and save by keys alone", async () => {
  const session = await Session.open([]);
  const { page } = session;
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  try {
    await page.getByRole("dialog", { name: "Open a page" }).waitFor();
    await page.keyboard.type(demo("shop.html"));
    await press("Enter");
    const frame = await session.frame();
    await page.waitForFunction(() => document.activeElement?.tagName === "IFRAME");
    // From the first element down into the first card: header → h1 → p → ul → li → picture → heading → link.
    await press("ArrowDown");
    const cursor = () => frame.evaluate(() => window.getSelection() && document.activeElement?.tagName);
    assert.ok(await cursor());
    await walkTo(session, "h3 a", press);
    await session.settled(() => press("Enter"));
    assert.equal((await session.records()).length, 10);
    // Typing names it.
    await page.keyboard.type("title", { delay: 30 });
    await session.settled(() => press("Enter"));
    assert.equal((await session.records())[0].title, "Border spade, ash handle");
    // From the title to the price: up, along, down.
    await walkTo(session, ".price", press);
    await session.settled(() => press("Enter"));
    await press("F2");
    await page.keyboard.type("cost", { delay: 30 });
    await session.settled(() => press("Enter"));
    assert.deepEqual(tidy(await session.records())[0], { cost: "€ 38.50", title: "Border spade, ash handle" });
    // The path: Tab from the page leads to it, arrows move along it, Enter picks the record.
    const step = () => page.evaluate(() => document.activeElement.textContent.trim());
    await press("Tab");
    // The bar is drawn anew when the name has arrived, and a key pressed meanwhile is lost: each one is awaited.
    for (let presses = 0; presses < 8 && !/^li\[/.test(await step()); presses += 1) {
      const before = await step();
      await press("ArrowLeft");
      await page.waitForFunction((before) => document.activeElement.textContent.trim() !== before, before, { timeout: 1000 }).catch(() => {});
    }
    assert.match(await step(), /^li\[/);
    await session.picture("keyboard-path");
    await session.settled(() => press("Enter"));
    assert.equal((await session.records()).length, 10);
    // The table: F6 leads on; Delete crosses out.
    await press("F6", "ArrowDown", "ArrowRight", "Enter");
    assert.equal(await page.locator("td[aria-selected=true]").textContent().then((text) => text.trim()), "Two-wheel hay rake");
    await press("Control+s");
    const dialog = page.getByRole("dialog", { name: "Save" });
    await dialog.waitFor();
    await press("Control+a");
    await page.keyboard.type("tools.toml");
    await press("Enter");
    await dialog.getByText("Written:").waitFor();
    const saved = join(session.studio.cwd, "tools.toml");
    assert.ok(existsSync(saved));
    assert.match(readFileSync(saved, "utf8"), /title = /);
    assert.deepEqual(session.errors, []);
  } finally {
    await session.close();
  }
});

/** Walks the tree by arrow keys until the first element that fits a selector is reached: what eyes would do. */
async function walkTo(session, selector, press) {
  const frame = await session.frame();
  const path = await frame.evaluate((selector) => {
    const seen = (element) => element.hasAttribute("data-w") && element.getBoundingClientRect().height > 0 && !["BR", "SCRIPT", "STYLE"].includes(element.tagName);
    const path = [];
    for (let at = document.querySelector(selector); at !== document.body; at = at.parentElement) {
      path.unshift([...at.parentElement.children].filter(seen).indexOf(at));
    }
    return path;
  }, selector);
  // Up to the body, whatever the cursor is on; further up is `html`, from where one step leads back.
  for (let count = 0; count < 12; count += 1) await press("ArrowUp");
  await press("ArrowDown");
  for (const at of path) {
    await press("ArrowDown");
    for (let count = 0; count < at; count += 1) await press("ArrowRight");
  }
}

test("the sheet of keys opens with ? and closes with Escape", async () => {
  const session = await Session.open([demo("shop.html")]);
  const { page } = session;
  try {
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await session.picture("keys");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "detached" });
  } finally {
    await session.close();
  }
});
