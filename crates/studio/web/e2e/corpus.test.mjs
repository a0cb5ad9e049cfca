// Six real pages, by clicks alone: the table says what the command line prints, for the saved rules and for rules that
// the command line learns from the same places.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { extracted, learnedByCommand, readTruth, save, tidy } from "./lib/compare.mjs";
import { closeBrowser, corpus, Session } from "./lib/studio.mjs";

after(closeBrowser);

/** What is clicked in which record: `[name, text]`; the text is the truth's unless it is given. */
const PAGES = [
  { kind: "flat", folder: "lists/ap022_icontact", record: 1, fields: ["title", "date"] },
  { kind: "nested", folder: "lists/ap095_streetstorm", record: 1, fields: ["title", ["tags[]", "Новости"]] },
  { kind: "table", folder: "lists/ap190_pcbforum", record: 1, fields: ["title", "author", ["views", "495", false]] },
  // A promoted link above that is built like the records, and something between any two of them.
  { kind: "with an advertisement of the same build", folder: "lists/ai_reddit", record: 1, fields: ["title", "author", "comments"] },
  // Cards of another kind between the results; titles are in pieces, so the element around is taken.
  { kind: "with other cards between", folder: "lists/ge_zhihu", record: 1, fields: [["title", "智能", false, "wider"], "time"] },
  { kind: "records over siblings", folder: "lists/ju_iowa", record: 1, fields: [["title", "Francisco Villa Magana v. State of Iowa", false], ["filed", "Feb 23, 2018", false], ["opinion", "View Opinion No. 16-1938"]] },
];

for (const { kind, folder, record, fields } of PAGES) {
  test(`by clicks alone: ${kind}`, { timeout: 60_000 }, async (t) => {
    const path = join(corpus, folder);
    if (!existsSync(path)) return t.skip(`no ${folder} in the corpus`);
    const truth = readTruth(path);
    const page = join(path, "page.html");
    const session = await Session.open([page]);
    try {
      const shown = [];
      for (const field of fields) {
        const [name, text, whole, wider] = Array.isArray(field) ? field : [field, truth.records[record].fields[field]];
        await session.mark(text, undefined, { within: truth.records[record].nodes, whole: whole ?? true });
        if (wider) await session.settled(() => session.page.getByRole("button", { name: "Wider" }).click());
        await session.name(name);
        shown.push({ name, path: await session.xpath() });
      }
      const table = tidy(await session.records());
      await session.picture(`corpus-${folder.split("/")[1]}`);
      assert.equal(table.length, truth.records.length, "as many records as the truth has");
      const saved = await save(session, "saved.toml");
      assert.deepEqual(table, await extracted(saved, page, session.studio.cwd), "the saved rules find the same");
      assert.deepEqual(table, await learnedByCommand(session, page, shown), "the command line learns the same");
      assert.deepEqual(session.errors, []);
    } finally {
      await session.close();
    }
  });
}
