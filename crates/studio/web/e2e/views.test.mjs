// Every view: why, the editor, the column menu, alternatives, files, more pages, repair; light and dark.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { save, tidy } from "./lib/compare.mjs";
import { binary, closeBrowser, demo, pages, repository, Session, windrow } from "./lib/studio.mjs";

after(closeBrowser);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function learned(work, { fields = [["Hand fork", "title"], ["€ 19.90", "price"]], file = demo("shop.html"), ...options } = {}) {
  const session = await Session.open([file], options);
  try {
    for (const [text, name] of fields) await session.mark(text, name);
    await work(session, session.page);
    assert.deepEqual(session.errors, []);
  } finally {
    await session.close();
  }
}

/** What axe finds wrong, with contrast among it; the page in its frame is not ours to judge. */
async function wrongs(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    window.axe.run({ exclude: [["iframe"]] }, { runOnly: ["wcag2a", "wcag2aa"], iframes: false }),
  );
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 120)} ${node.any[0]?.message ?? ""}`));
}

test("why: place, raw and typed value, rule, what it misses", () =>
  learned(async (session, page) => {
    await session.mark("4.4", "stars");
    await page.locator('td[data-cell="3:1"]').click();
    const panel = page.locator("#panel");
    await panel.getByText("of record 4").waitFor();
    await panel.getByText("€ 19.90").first().waitFor();
    assert.ok((await panel.textContent()).includes("/html[1]/body[1]/ul[1]/li[5]"));
    await session.picture("why");
    // Two cards have no stars: the rule says so, and leads there.
    await page.locator('td[data-cell="4:2"]').click();
    await panel.getByText("Record 5 lacks it").waitFor();
    await panel.getByText("Missing in 2").waitFor();
    await session.picture("why-missing");
    await panel.getByRole("button", { name: "All rules" }).click();
    await panel.getByText("Every rule, and what it found").waitFor();
  }));

test("alternatives stand side by side, and one is used", () =>
  learned(async (session, page) => {
    await page.getByRole("button", { name: "Column price" }).click();
    await page.getByRole("menuitem", { name: /alternatives/ }).click();
    const panel = page.locator("#panel");
    await panel.getByRole("meter").first().waitFor();
    await session.picture("alternatives");
    const use = panel.getByRole("button", { name: "Use", exact: true }).first();
    await session.settled(() => use.click());
    assert.equal((await session.records()).length, 10);
  }));

test("rules edited by hand are run; an error stands where it is; marks ask before they replace them", () =>
  learned(async (session, page) => {
    await session.rules();
    const editor = page.locator(".cm-content");
    await editor.click();
    await page.keyboard.press("Control+End");
    await session.settled(() => page.keyboard.insertText("\nname_of_shop = 1 nonsense"));
    await page.locator("#panel [role=alert]").waitFor();
    await page.locator(".cm-lintRange-error, .cm-lint-marker-error").first().waitFor();
    await session.picture("editor-error");
    await page.keyboard.press("Control+z");
    await page.locator("#panel [role=alert]").waitFor({ state: "detached" });
    await page.keyboard.press("Control+Home");
    await session.settled(() => page.keyboard.insertText("# by hand\n"));
    await session.click("In stock", { nth: 2 });
    const asked = page.getByRole("dialog", { name: "Learn anew?" });
    await asked.waitFor();
    await session.picture("confirm");
    await asked.getByRole("button", { name: "Keep my rules" }).click();
    assert.match(await session.rules(), /^# by hand/);
    await session.click("In stock", { nth: 2 });
    await session.settled(() => asked.getByRole("button", { name: "Learn anew" }).click());
    assert.doesNotMatch(await session.rules(), /^# by hand/);
    await page.getByRole("button", { name: "Undo" }).click();
    assert.match(await session.rules(), /^# by hand/);
  }));

test("the column's menu renames, types and removes through the rules", () =>
  learned(async (session, page) => {
    const choose = async (column, item) => {
      await page.getByRole("button", { name: `Column ${column}` }).click();
      await page.getByRole("menu", { name: `Column ${column}` }).getByText(item).click();
    };
    await session.settled(() => choose("price", "As money"));
    assert.match(await session.rules(), /type = "money"/);
    await page.locator('td[data-cell="3:1"]').click();
    await page.locator("#panel").getByText(/"amount"/).waitFor();
    await choose("price", "Rename…");
    await page.keyboard.type("cost");
    await session.settled(() => page.keyboard.press("Enter"));
    assert.deepEqual(tidy(await session.records())[3], { cost: "€ 19.90", title: "Hand fork" });
    // What was changed stays when more is learned.
    await session.mark("In stock", "stock", { nth: 2 });
    assert.match(await session.rules(), /cost = .*type = "money"/);
    await session.settled(() => choose("stock", "Remove"));
    assert.deepEqual(tidy(await session.records())[3], { cost: "€ 19.90", title: "Hand fork" });
  }));

test("learned rules as absolute XPaths, to read; the rules stay what they are", () =>
  learned(async (session, page) => {
    await page.click("#tab-rules");
    await page.getByRole("button", { name: "Absolute", exact: true }).click();
    await page.waitForFunction(() => !document.querySelector(".cm-content").textContent.includes("[list."));
    assert.match(await session.rules(), /\/html\[1\]\/body\[1\]\/ul\[1\]\/li\/h3\[1\]/);
    await session.picture("absolute");
    assert.equal((await session.records()).length, 10);
    await page.getByRole("button", { name: "TOML", exact: true }).click();
    await page.waitForFunction(() => document.querySelector(".cm-content").textContent.includes("[list."));
  }));

test("learned rules in every form: each finds the same records", () =>
  learned(async (session, page) => {
    const records = tidy(await session.records());
    const rules = await session.rules();
    for (const [name, expected] of [["XPaths", /contains\(concat\(/], ["TOML", /\[list\./], ["TSIMMIS", /split\(/]]) {
      await session.settled(() => page.getByRole("button", { name, exact: true }).click());
      assert.match(await session.rules(), expected, name);
      assert.deepEqual(tidy(await session.records()), records, name);
      await session.picture(`form-${name.toLowerCase()}`);
    }
    // Nothing was lost on the way.
    await session.settled(() => page.getByRole("button", { name: "TOML", exact: true }).click());
    assert.equal(await session.rules(), rules);
  }));

test("rules given on the command line, as a list of XPaths and back; what cannot be written so is told", async () => {
  const folder = mkdtempSync(join(tmpdir(), "windrow-forms-"));
  const file = join(folder, "tools.toml");
  writeFileSync(file, '[list.tools]\nrecords = "//ul/li[h3/@class]"\n\n[list.tools.field]\ntitle = "h3/a"\nprice = ".//span[@class=\'price\']"\n');
  const session = await Session.open(["-w", file, demo("shop.html"), demo("teams.html")]);
  const { page } = session;
  try {
    await page.locator("tbody tr").nth(9).waitFor();
    for (const [name, expected] of [["XPaths", /\/\/ul\/li/], ["TOML", /\[list\.tools/]]) {
      await session.settled(() => page.getByRole("button", { name, exact: true }).click());
      assert.match(await session.rules(), expected, name);
      assert.equal((await session.records()).length, 10);
    }
    // Commands are learned from the open page, and of this one the rules find nothing.
    await page.locator("nav .tab > button.clip").nth(1).click();
    await page.getByText("The rules find nothing on this page").waitFor();
    await page.getByRole("button", { name: "TSIMMIS", exact: true }).click();
    await page.locator("#panel [role=alert]").waitFor();
    await session.picture("form-refused");
    assert.match(await session.rules(), /\[list\.tools/);
  } finally {
    await session.close();
  }
});

test("save, replace, and the page as a test that `windrow test` runs", () =>
  learned(async (session, page) => {
    await save(session, "tools.toml");
    await page.keyboard.press("Control+s");
    const dialog = page.getByRole("dialog", { name: "Save" });
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.getByRole("button", { name: "Replace it" }).click();
    await dialog.getByText("Written:").waitFor();
    await session.picture("save");
    await dialog.getByRole("textbox").nth(1).fill("cases/shop");
    await dialog.getByRole("button", { name: "Save the test" }).click();
    await page.getByRole("status").filter({ hasText: "cases/shop" }).first().waitFor();
    execFileSync(binary, ["test", "-w", "tools.toml", "cases/shop"], { cwd: session.studio.cwd });
  }));

test("the records are exported as files of every format", () =>
  learned(async (session, page) => {
    await page.getByRole("button", { name: "Export…" }).click();
    await session.picture("export");
    const dialog = page.getByRole("dialog", { name: "Export the records" });
    const exported = async (label) => {
      await dialog.getByRole("radio", { name: label }).check();
      const downloading = page.waitForEvent("download");
      await dialog.getByRole("button", { name: "Export", exact: true }).click();
      const download = await downloading;
      return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
    };
    const csv = (await exported("CSV")).bytes.toString("utf8").trim().split("\n");
    assert.equal(csv.length, 11);
    assert.match(csv[0], /title/);
    const lines = (await exported("JSON lines")).bytes.toString("utf8").trim().split("\n").map((line) => JSON.parse(line));
    assert.equal(lines.length, 10);
    assert.ok(lines.some((line) => line.title === "Hand fork"), JSON.stringify(lines[0]));
    // The formats that are no text begin with their own mark, and end so if they are whole.
    const marks = { Excel: [".xlsx", "PK", ""], Parquet: [".parquet", "PAR1", "PAR1"], Arrow: [".arrow", "ARROW1", "ARROW1"] };
    for (const [label, [ending, first, last]] of Object.entries(marks)) {
      const { name, bytes } = await exported(label);
      assert.ok(name.endsWith(ending), name);
      assert.equal(bytes.subarray(0, first.length).toString("latin1"), first, label);
      assert.ok(bytes.toString("latin1").endsWith(last), label);
    }
    assert.match((await exported("Atom feed")).bytes.toString("utf8"), /<feed[^]*Hand fork[^]*<\/feed>/);
    assert.match((await exported("RSS feed")).bytes.toString("utf8"), /<rss[^]*Hand fork[^]*<\/rss>/);
  }));

test("the rules run on more pages", () =>
  learned(async (session, page) => {
    const folder = join(session.studio.cwd, "more");
    mkdirSync(folder);
    copyFileSync(demo("shop.html"), join(folder, "again.html"));
    copyFileSync(demo("teams.html"), join(folder, "other.html"));
    await page.click("#tab-more");
    await page.getByLabel(/Addresses, files or folders/).fill("more\nnot-there.html");
    await page.getByRole("button", { name: "Run on these" }).click();
    await page.locator("#panel").getByText("10 garden_tools").waitFor();
    await session.picture("more-pages");
    await page.locator("#panel").getByRole("button", { name: "Open" }).first().click();
    await page.locator("nav .tab").nth(1).waitFor();
  }));

test("repair: old page, new page, what moved, the patch; accepted", () =>
  learned(async (session, page) => {
    await page.keyboard.press("Control+o");
    await page.getByRole("dialog", { name: "Open a page" }).getByRole("textbox").fill(demo("shop-new.html"));
    await page.keyboard.press("Enter");
    await page.locator("nav .tab", { hasText: "new shop" }).waitFor();
    await page.getByText("The rules find nothing on this page").waitFor();
    await page.getByRole("button", { name: "Repair", exact: true }).first().click();
    await session.frame(".pages section:nth-child(2) iframe");
    await page.locator(".repair").getByRole("button", { name: "Repair", exact: true }).click();
    await page.getByRole("button", { name: "Accept" }).waitFor();
    await page.waitForTimeout(300);
    await session.picture("repair");
    await page.getByRole("button", { name: "Accept" }).click();
    await page.locator("tbody tr").first().waitFor();
    const records = tidy(await session.records());
    assert.equal(records.length, 10);
    assert.deepEqual(records.find((record) => record.title === "Dutch hoe"), { price: "€ 31.00", title: "Dutch hoe" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("The rules find nothing on this page").waitFor();
  }));

test("repair refuses where the list is gone", () =>
  learned(async (session, page) => {
    const gone = join(session.studio.cwd, "gone.html");
    writeFileSync(gone, "<title>Gone</title><h1>We are moving</h1><p>Back in spring.</p>");
    await page.keyboard.press("Control+o");
    await page.getByRole("dialog", { name: "Open a page" }).getByRole("textbox").fill(gone);
    await page.keyboard.press("Enter");
    await page.locator("nav .tab", { hasText: "Gone" }).waitFor();
    await page.getByRole("button", { name: "Repair", exact: true }).first().click();
    await page.locator(".repair").getByRole("button", { name: "Repair", exact: true }).click();
    await page.locator(".refused").waitFor();
    assert.equal(await page.getByRole("button", { name: "Accept" }).count(), 0);
    await session.picture("repair-refused");
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByText("The rules find nothing on this page").waitFor();
  }));

test("repair from what a store keeps", async () => {
  const session = await Session.open([]);
  const { page } = session;
  try {
    const { cwd } = session.studio;
    copyFileSync(pages("ads/page-1.html"), join(cwd, "ads.html"));
    await windrow(["extract", "-w", join(repository, "testdata/wrappers/ads/offers.toml"), "ads.html", "--into", "shop.db", "--quiet"], cwd);
    // The site is redesigned: what was read is nowhere but in the store.
    copyFileSync(join(repository, "testdata/redesigned/ads.html"), join(cwd, "ads.html"));
    const dialog = page.getByRole("dialog", { name: "Open a page" });
    await dialog.getByRole("textbox").fill("shop.db");
    await page.keyboard.press("Enter");
    await dialog.getByText("ads.html").click();
    await page.getByText("The rules find nothing on this page").waitFor();
    await page.getByRole("button", { name: "Repair", exact: true }).first().click();
    await page.getByLabel("or a store").fill("no-such.db");
    await page.keyboard.press("Tab");
    await page.locator(".repair [role=alert]").waitFor();
    await session.picture("repair-no-store");
    await page.getByLabel("or a store").fill("shop.db");
    await page.keyboard.press("Tab");
    assert.equal(await page.locator(".repair label", { hasText: "wrapper" }).locator("select").inputValue(), "offers");
    await page.locator(".repair").getByRole("button", { name: "Repair", exact: true }).click();
    await page.getByRole("button", { name: "Accept" }).waitFor();
    await session.picture("repair-store");
    await page.getByRole("button", { name: "Accept" }).click();
    await page.locator("tbody tr").first().waitFor();
    assert.deepEqual((await session.records()).map((record) => record.title), ["Two-wheel rake, hardly used", "Baler twine, 12 rolls", "Drum mower, 1.65 m", "Old hay wagon"]);
  } finally {
    await session.close();
  }
});

test("a page whose scripts make its list is rendered; one that does not come is given up", async () => {
  const page200 = (answer, html) => answer.writeHead(200, { "Content-Type": "text/html" }).end(html);
  const made = `<title>Made by a script</title><ul></ul><script>
    for (const tool of ["Rake", "Fork", "Hoe"]) document.querySelector("ul").innerHTML += "<li><b>" + tool + "</b> <i>new</i></li>";
  </script>`;
  const server = createServer((request, answer) => {
    if (request.url === "/") return page200(answer, made);
    // Nothing more: `/never` is never answered.
    if (request.url !== "/never") answer.writeHead(404).end();
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const session = await Session.open([]);
  const { page } = session;
  try {
    const dialog = page.getByRole("dialog", { name: "Open a page" });
    const address = `http://127.0.0.1:${server.address().port}`;
    await dialog.getByRole("textbox").fill(`${address}/never`);
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.getByRole("button", { name: "Open", exact: true }).waitFor();
    assert.equal(await dialog.getByRole("alert").count(), 0);
    await dialog.getByRole("textbox").fill(`${address}/`);
    await dialog.getByRole("checkbox", { name: /run its scripts/ }).check();
    await page.keyboard.press("Enter");
    await session.frame();
    await session.mark("Fork", "tool");
    assert.deepEqual(tidy(await session.records()), [{ tool: "Rake" }, { tool: "Fork" }, { tool: "Hoe" }]);
    await session.picture("rendered");
    assert.deepEqual(session.errors, []);
  } finally {
    await session.close();
    server.closeAllConnections();
    server.close();
  }
});

test("a feed labels its weblog", async () => {
  const blog = join(repository, "testdata/blog/home.html");
  const session = await Session.open([blog]);
  const { page } = session;
  try {
    await page.getByRole("button", { name: "Use the feed" }).click();
    await session.settled(() => page.getByRole("menuitem").first().click());
    assert.ok((await session.records()).length > 0);
    await session.picture("feed");
    assert.deepEqual(session.errors, []);
  } finally {
    await session.close();
  }
});

test("a domain's words read a page", async () => {
  const session = await Session.open([join(repository, "testdata/domain/hay-rake.html")]);
  const { page } = session;
  try {
    await page.getByRole("button", { name: "Use a domain" }).click();
    await session.picture("domains");
    await session.settled(() => page.getByRole("menuitem", { name: /product/i }).first().click());
    assert.equal((await session.records()).length, 1);
    await session.picture("domain");
    assert.deepEqual(session.errors, []);
  } finally {
    await session.close();
  }
});

test("a page from a server, with its styles", async () => {
  const server = createServer((request, answer) => {
    const name = request.url === "/" ? "shop.html" : request.url.slice(1);
    if (!/^[\w/.-]+$/.test(name) || !existsSync(demo(name))) return answer.writeHead(404).end();
    const type = { html: "text/html", css: "text/css", svg: "image/svg+xml" }[name.split(".").at(-1)];
    answer.writeHead(200, { "Content-Type": type }).end(readFileSync(demo(name)));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const session = await Session.open([]);
  const { page } = session;
  try {
    const dialog = page.getByRole("dialog", { name: "Open a page" });
    await dialog.getByRole("textbox").fill(`http://127.0.0.1:${server.address().port}/`);
    await page.keyboard.press("Enter");
    const frame = await session.frame();
    await frame.waitForFunction(() => getComputedStyle(document.querySelector(".grid")).display === "grid");
    await session.mark("Hand fork", "title");
    assert.equal((await session.records()).length, 10);
  } finally {
    await session.close();
    server.close();
  }
});

test("pages of an archive, a missing file, a file that the browser hands over", async () => {
  const session = await Session.open([]);
  const { page } = session;
  try {
    const dialog = page.getByRole("dialog", { name: "Open a page" });
    await dialog.getByRole("textbox").fill("not-there.html");
    await page.keyboard.press("Enter");
    await dialog.getByRole("alert").waitFor();
    await session.picture("open-failed");
    await dialog.getByRole("textbox").fill(join(repository, "testdata/archives/barn.warc.gz"));
    await page.keyboard.press("Enter");
    await dialog.locator(".entries button").first().waitFor();
    await session.picture("open-archive");
    await dialog.locator(".entries button").first().click();
    await session.frame();
    assert.equal(await page.locator("nav .tab").count(), 1);
    await page.keyboard.press("Control+o");
    await dialog.locator("input[type=file]").setInputFiles(demo("teams.html"));
    await page.locator("nav .tab", { hasText: "Harvest League" }).waitFor();
  } finally {
    await session.close();
  }
});

test("a stored run: its wrapper and its page", async () => {
  const session = await Session.open([]);
  const { page } = session;
  try {
    const { cwd } = session.studio;
    copyFileSync(pages("ads/page-1.html"), join(cwd, "ads.html"));
    await windrow(["extract", "-w", join(repository, "testdata/wrappers/ads/offers.toml"), "ads.html", "--into", "shop.db", "--quiet"], cwd);
    assert.ok(readdirSync(cwd).includes("shop.db"));
    const dialog = page.getByRole("dialog", { name: "Open a page" });
    await dialog.getByRole("textbox").fill("shop.db");
    await page.keyboard.press("Enter");
    await dialog.getByText("ads.html").waitFor();
    await session.picture("open-store");
    await dialog.getByText("ads.html").click();
    await page.locator("tbody tr").first().waitFor();
    assert.equal((await session.records()).length, 3);
  } finally {
    await session.close();
  }
});

for (const scheme of ["light", "dark"]) {
  test(`readable in ${scheme}: contrast and names, in every view`, () =>
    learned(
      async (session, page) => {
        await session.picture(`${scheme}-marked`);
        const found = {};
        const look = async (name) => {
          await page.waitForTimeout(100);
          const wrong = await wrongs(page);
          if (wrong.length > 0) found[name] = wrong;
        };
        await look("rules");
        await page.locator('td[data-cell="3:1"]').click();
        await page.locator("#panel").getByText("of record 4").waitFor();
        await look("why");
        await page.getByRole("button", { name: "Find lists" }).first().click();
        await page.getByRole("button", { name: "Use list 1" }).waitFor();
        await page.waitForTimeout(150);
        await session.picture(`${scheme}-lists`);
        await look("lists");
        await page.click("#tab-more");
        await look("more");
        await page.keyboard.press("Control+o");
        await page.getByRole("dialog", { name: "Open a page" }).waitFor();
        await session.picture(`${scheme}-open`);
        await look("open");
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Repair", exact: true }).click();
        await session.picture(`${scheme}-repair`);
        await look("repair");
        assert.deepEqual(found, {});
      },
      { scheme },
    ));
}

test("nothing jumps when the table fills", async () => {
  const session = await Session.open([demo("shop.html")]);
  try {
    const before = await session.page.locator("main iframe").boundingBox();
    const frame = await session.frame();
    const size = () => frame.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
    const first = await size();
    await session.mark("Hand fork", "title");
    await session.mark("€ 19.90", "price");
    assert.deepEqual(await session.page.locator("main iframe").boundingBox(), before);
    assert.deepEqual(await size(), first);
  } finally {
    await session.close();
  }
});
