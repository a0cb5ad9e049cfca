// No pointing at all: the lists of a page, coloured and ranked; one click adopts one; clicks go on from there.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { tidy } from "./lib/compare.mjs";
import { closeBrowser, demo, Session } from "./lib/studio.mjs";

after(closeBrowser);

test("find lists, adopt the first with the list inside it, undo", async () => {
  const session = await Session.open([demo("teams.html")]);
  const { page } = session;
  try {
    await page.getByRole("button", { name: "Find lists" }).first().click();
    await page.getByRole("button", { name: "Use list 1" }).waitFor();
    await session.picture("lists");
    await session.settled(() => page.getByRole("button", { name: "Use list 1" }).click());
    const found = tidy(await session.records());
    assert.equal(found.length, 5);
    await session.picture("list-adopted");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Point at one record").waitFor();
    assert.deepEqual(session.errors, []);
  } finally {
    await session.close();
  }
});

test("a click on a coloured region adopts its list, and a cross refines it", async () => {
  const session = await Session.open([demo("shop.html")]);
  const { page } = session;
  try {
    await page.keyboard.press("Alt+l");
    await page.getByRole("button", { name: "Use list 1" }).waitFor();
    await session.settled(() => session.click("Hand fork"));
    assert.equal((await session.records()).length, 12, "the advertisements are built like the tools");
    // From a list that was found, one goes on by pointing: a cross turns its fullest record into the example.
    const row = page.locator("tbody tr", { hasText: "Advertisement." }).first();
    await row.hover();
    await session.settled(() => row.getByRole("button", { name: /Cross out record/ }).click());
    const left = await session.records();
    assert.ok(left.length < 12 && left.length >= 10, `${left.length} records`);
    assert.equal(left[3].name, "Hand fork");
    assert.deepEqual(session.errors, []);
  } finally {
    await session.close();
  }
});
