// The table of the studio against what the command line prints.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { windrow } from "./studio.mjs";

/** Records without what is missing: the table shows nothing there, the command prints null or an empty list. */
export function tidy(value) {
  if (Array.isArray(value)) return value.map(tidy);
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value)
    .filter(([name, inner]) => name !== "_missing" && inner !== null && !(Array.isArray(inner) && inner.length === 0))
    .map(([name, inner]) => [name, tidy(inner)]);
  return Object.fromEntries(kept.sort(([one], [other]) => one.localeCompare(other)));
}

/** What `windrow extract` prints for a wrapper: the records of its only list. */
export async function extracted(wrapper, page, cwd) {
  const [line] = (await windrow(["extract", "-w", wrapper, "--format", "jsonl", "--raw", "--quiet", page], cwd)).trim().split("\n");
  const { data } = JSON.parse(line);
  const lists = Object.values(data).filter(Array.isArray);
  assert.equal(lists.length, 1, `one list is expected in ${line.slice(0, 200)}`);
  return tidy(lists[0]);
}

/** Saves what was learned, by the dialog. */
export async function save(session, name) {
  await session.page.getByRole("button", { name: "Save…" }).click();
  const dialog = session.page.getByRole("dialog", { name: "Save" });
  await dialog.getByRole("textbox").first().fill(name);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await dialog.getByText("Written:").waitFor();
  await session.page.keyboard.press("Escape");
  // A key that comes while the dialog is still closing is lost.
  await dialog.waitFor({ state: "detached" });
  return join(session.studio.cwd, name);
}

/** The same fields, shown to `windrow learn` on the command line by their XPaths. */
export async function learnedByCommand(session, page, shown) {
  const examples = shown.flatMap(({ name, path }) => ["--example", `${name}=@${path}`]);
  await windrow(["learn", page, ...examples, "-o", "by-command.toml"], session.studio.cwd);
  return extracted("by-command.toml", page, session.studio.cwd);
}

export function readTruth(folder) {
  return JSON.parse(readFileSync(join(folder, "truth.json"), "utf8"));
}
