// A page that tries to get out: nothing of it runs, nothing reaches another server, nobody but the frame is listened to.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync, mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { closeBrowser, demo, Session } from "./lib/studio.mjs";

after(closeBrowser);

test("a hostile page reaches nothing", async () => {
  const asked = [];
  const server = createServer((request, answer) => {
    asked.push(request.url);
    answer.end("/* counted */");
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address();
  const file = join(mkdtempSync(join(tmpdir(), "windrow-hostile-")), "hostile.html");
  writeFileSync(file, readFileSync(demo("hostile.html"), "utf8").replaceAll("127.0.0.1:1/", `127.0.0.1:${port}/`));
  const session = await Session.open([file]);
  const { page } = session;
  try {
    const navigations = [];
    page.on("framenavigated", (frame) => navigations.push(frame.url()));
    const frame = await session.frame();
    await page.waitForTimeout(500);
    // What a person might do on it.
    for (const text of ["Second thing", "First thing", "Third thing", "Send", "svg", "Hostile page"]) {
      await session.click(text).catch((error) => assert.match(String(error), /not on the page/));
      await page.keyboard.press("Escape");
    }
    await page.keyboard.press("Enter");
    await page.waitForTimeout(300);
    const inside = await frame.evaluate(() => ({
      pwned: window.pwned, title: document.title, scripts: document.querySelectorAll("script[src]").length,
      frames: document.querySelectorAll("iframe, object, embed, base, meta[http-equiv=refresh i]").length,
      handlers: [...document.querySelectorAll("*")].filter((one) => [...one.attributes].some((attr) => /^on/i.test(attr.name))).length,
    }));
    assert.deepEqual(inside, { pwned: undefined, title: "Hostile page", scripts: 0, frames: 0, handlers: 0 });
    assert.equal(await page.evaluate(() => window.pwned), undefined);
    assert.equal(new URL(page.url()).pathname, "/", "the window stayed where it was");
    assert.deepEqual(navigations.filter((url) => !/\/view\//.test(url)), []);
    assert.deepEqual(asked, [], "nobody asked the other server for anything");
    assert.equal(await page.locator("windrow-overlay").count(), 0);
    await session.picture("hostile");
    // The same page in a browser as it is: its first script leads away at once, but not before others asked. So the test can fail.
    const plain = await session.context.newPage();
    await plain.goto(`file://${file}`, { waitUntil: "commit" }).catch(() => undefined);
    await plain.waitForTimeout(1_000);
    assert.ok(asked.length > 1, `only ${asked.length} requests without the studio`);
  } finally {
    await session.close();
    server.close();
  }
});

test("messages that are not the frame's are ignored", async () => {
  const session = await Session.open([demo("shop.html")]);
  const { page } = session;
  try {
    const frame = await session.frame();
    const node = await someNode(frame);
    const forged = { windrow: "click", at: { spot: { node }, up: [node], value: "forged", rect: { x: 0, y: 0, width: 9, height: 9 } }, time: 1 };
    // From the window itself, from another frame, and from the right frame but malformed.
    await page.evaluate((forged) => {
      window.postMessage(forged, "*");
      document.body.append(Object.assign(document.createElement("iframe"), { name: "other" }));
    }, forged);
    await page.frame("other").evaluate((forged) => parent.postMessage(forged, "*"), forged);
    await frame.evaluate(() => {
      parent.postMessage({ windrow: "click", at: { spot: { node: "30" }, up: [30] }, time: 1 }, "*");
      parent.postMessage({ windrow: "click", at: { spot: { node: -1 }, up: [], value: "", rect: {} }, time: 1 }, "*");
      parent.postMessage("click", "*");
      parent.postMessage(null, "*");
    });
    await page.waitForTimeout(200);
    assert.equal(await page.getByRole("dialog", { name: "What this is" }).count(), 0);
    assert.equal(await page.getByText("Point at one record").count(), 1);
    // The same message from the frame is heard, so the test can fail.
    await frame.evaluate((forged) => parent.postMessage(forged, "*"), forged);
    await page.getByRole("dialog", { name: "What this is" }).waitFor();
  } finally {
    await session.close();
  }
});

function someNode(frame) {
  return frame.evaluate(() => Number(document.querySelector("h3 a").getAttribute("data-w")));
}
