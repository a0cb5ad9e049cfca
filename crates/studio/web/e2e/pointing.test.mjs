// Pointing: marks, names, refinement, the path's steps, undo; on pages of our own.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { tidy } from "./lib/compare.mjs";
import { closeBrowser, demo, Session } from "./lib/studio.mjs";

after(closeBrowser);

async function shop(work, options) {
  const session = await Session.open([demo("shop.html")], options);
  try {
    await work(session, session.page);
    assert.deepEqual(session.errors, []);
  } finally {
    await session.close();
  }
}

test("the page is shown with its styles and images", () =>
  shop(async (session) => {
    const frame = await session.frame();
    await frame.waitForFunction(() => [...document.images].every((image) => image.complete));
    const seen = await frame.evaluate(() => ({
      columns: getComputedStyle(document.querySelector(".grid")).gridTemplateColumns.split(" ").length,
      images: [...document.images].filter((image) => image.naturalWidth > 0).length,
    }));
    assert.deepEqual(seen, { columns: 3, images: 10 });
    await session.picture("open");
  }));

test("one click fills the table, the next adds a column, and the advertisements stay out", () =>
  shop(async (session, page) => {
    await session.mark("Hand fork", "title");
    assert.equal((await session.records()).length, 10);
    assert.match(await session.xpath(), /^\/html\[1\]\/body\[1\]\/ul\[1\]\/li\[\d+\]\/h3\[1\]\/a\[1\]$/);
    await session.mark("€ 19.90", "price");
    await session.mark("In stock", "stock", { nth: 2 });
    const records = tidy(await session.records());
    assert.equal(records.length, 10);
    assert.deepEqual(records[3], { price: "€ 19.90", stock: "In stock", title: "Hand fork" });
    assert.match(await session.rules(), /\[list\.garden_tools\.field\]/);
    assert.equal(await page.locator("thead th", { hasText: "price" }).getByText("10 of 10").count(), 1);
    await session.picture("marked");
  }));

test("hovering shows what would be marked, and the status line tells what was", () =>
  shop(async (session, page) => {
    const { x, y } = await session.whereIs("Dibber");
    await page.mouse.move(600, 600);
    const before = await session.seen();
    await page.mouse.move(x, y);
    await session.changed(before);
    await page.mouse.move(600, 600);
    await session.unchanged(before);
    await session.mark("Dibber", "title");
    await page.getByRole("status").filter({ hasText: /Found 10/ }).waitFor();
  }));

test("a step of the path lights up its element, and a click on it makes it the record", () =>
  shop(async (session, page) => {
    await session.mark("€ 38.50", "price");
    const step = page.locator("section.bar button.step", { hasText: /^li\[/ });
    await page.mouse.move(600, 600);
    const before = await session.seen();
    await step.hover();
    await session.changed(before);
    await session.picture("step");
    await session.settled(() => step.click());
    assert.equal(await step.getAttribute("aria-pressed"), "true");
    assert.equal((await session.records()).length, 10);
    assert.match(await session.rules(), /li|card/);
  }));

test("a selection marks a part of a text", () =>
  shop(async (session, page) => {
    const { x, y } = await session.whereIs("(121 reviews)");
    const frame = await session.frame();
    const [from, to] = await frame.evaluate(() => {
      const text = [...document.querySelectorAll(".rating span")].find((one) => one.textContent === "(121 reviews)").firstChild;
      const range = document.createRange();
      range.setStart(text, 1);
      range.setEnd(text, 4);
      const box = range.getBoundingClientRect();
      return [box.left, box.right];
    });
    const { x: offset } = await session.inWindow({ x: 0, y: 0 });
    assert.ok(x > 0);
    await session.settled(async () => {
      await page.mouse.move(offset + from, y);
      await page.mouse.down();
      await page.mouse.move(offset + (from + to) / 2, y, { steps: 3 });
      await page.mouse.move(offset + to, y, { steps: 3 });
      await page.mouse.up();
    });
    await session.name("reviews");
    const values = (await session.records()).map((record) => record.reviews).filter(Boolean);
    assert.deepEqual(values, ["121", "17", "88", "203", "9", "311", "54", "40"]);
  }));

test("a wrong match is crossed out, and undo brings it back", () =>
  shop(async (session, page) => {
    // The description of a card and the text of an advertisement look alike.
    await session.mark("Folds for the road.", "text");
    const before = (await session.records()).length;
    assert.equal(before, 12, "the two advertisements are taken for records");
    const cross = async () => {
      const row = page.locator("tbody tr", { hasText: "Advertisement." }).first();
      await row.hover();
      await session.settled(() => row.getByRole("button", { name: /Cross out record/ }).click());
      return (await session.records()).length;
    };
    // One cross may be enough for both, which are built alike; two must be.
    if ((await cross()) > 10) await cross();
    const after = await session.records();
    assert.equal(after.length, 10);
    assert.ok(after.every((record) => !record.text?.startsWith("Advertisement.")));
    await session.picture("crossed-out");
    await page.getByRole("button", { name: "Undo" }).click();
    assert.ok((await session.records()).length > 10);
    await page.keyboard.press("Control+Shift+z");
    assert.equal((await session.records()).length, 10);
  }));

test("a click in another record asks what is meant", () =>
  shop(async (session, page) => {
    await session.mark("Hand fork", "title");
    await session.mark("€ 19.90", "price");
    await session.click("Cuts on the pull.");
    const popover = page.getByRole("dialog", { name: "What this is" });
    await popover.getByText("In record 7").waitFor();
    for (const name of ["New field", "More of `title`", "Not a `title`", "Not a record"]) {
      assert.equal(await popover.getByRole("button", { name, exact: true }).count(), 1, name);
    }
    await session.picture("popover");
    await session.settled(() => popover.getByRole("button", { name: "New field" }).click());
    await session.name("text");
    const records = await session.records();
    assert.equal(records[6].text, "Cuts on the pull.");
    assert.equal(records[0].text, "Forged in one piece; cuts turf and roots.");
  }));

test("an attribute is taken instead of the text", () =>
  shop(async (session, page) => {
    await session.mark("Hand fork", "link");
    await session.click("Hand fork");
    await page.keyboard.press("Escape");
    // Both undone steps must have reached the table before the next click, or the click is taken for a second record.
    await session.settled(() => page.keyboard.press("Control+z"));
    await session.settled(() => page.keyboard.press("Control+z"));
    await session.mark("Hand fork");
    await session.settled(() => page.getByRole("button", { name: "@href" }).click());
    assert.match((await session.records())[3][await firstColumn(session)], /\/tool\/fork$/);
  }));

async function firstColumn(session) {
  return Object.keys((await session.records())[0])[0];
}

test("a list in a list is learned by clicks", async () => {
  const session = await Session.open([demo("teams.html")]);
  try {
    await session.mark("Haystack United", "team");
    await session.mark("Sam Reed", "players.name");
    await session.mark("Lower Barn", "town");
    const records = tidy(await session.records());
    assert.equal(records.length, 5);
    assert.deepEqual(records[1].players.map((player) => player.name ?? player), ["Sam Reed", "Ola Vik", "Kim Stone"]);
    await session.picture("nested");
    assert.deepEqual(session.errors, []);
  } finally {
    await session.close();
  }
});
