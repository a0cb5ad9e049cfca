// The pictures of docs/studio.md: `npm run pictures`, then look at them. Demo pages only.

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { closeBrowser, repository, Session } from "./lib/studio.mjs";

const folder = join(repository, "docs/img");
mkdirSync(folder, { recursive: true });

async function picture(session, name) {
  const path = join(folder, `studio-${name}.png`);
  await session.page.waitForTimeout(250);
  await session.page.screenshot({ path });
  // A quarter of the size, and nobody sees a difference.
  execFileSync("pngquant", ["--force", "--quality", "60-90", "--strip", "--output", path, path]);
}

/** Beside the pages, so that no path of this machine is in the picture. */
const open = (page, options) => Session.open([page], { cwd: join(repository, "testdata/studio"), ...options });

const shop = await open("shop.html");
await shop.mark("Hand fork", "title");
await shop.mark("€ 19.90", "price");
await shop.page.mouse.move(400, 600);
await picture(shop, "marked");
await shop.settled(() => shop.page.getByRole("button", { name: "TSIMMIS", exact: true }).click());
await picture(shop, "forms");
await shop.settled(() => shop.page.getByRole("button", { name: "TOML", exact: true }).click());
await shop.click("Cuts on the pull.");
await shop.page.getByRole("dialog", { name: "What this is" }).waitFor();
await picture(shop, "popover");
await shop.page.keyboard.press("Escape");
await shop.mark("4.4", "stars");
await shop.page.locator('td[data-cell="3:1"]').click();
await shop.page.getByRole("meter").first().waitFor();
await picture(shop, "why");
await shop.page.getByRole("button", { name: "Undo" }).click();
await shop.page.keyboard.press("Control+o");
await shop.page.getByRole("dialog", { name: "Open a page" }).getByRole("textbox").fill("shop-new.html");
await shop.page.keyboard.press("Enter");
await shop.page.getByText("The rules find nothing on this page").waitFor();
await shop.page.getByRole("button", { name: "Repair", exact: true }).first().click();
await shop.frame(".pages section:nth-child(2) iframe");
await shop.page.locator(".repair").getByRole("button", { name: "Repair", exact: true }).click();
await shop.page.getByRole("button", { name: "Accept" }).waitFor();
await picture(shop, "repair");
await shop.close();

const teams = await open("teams.html", { scheme: "dark" });
await teams.page.getByRole("button", { name: "Find lists" }).first().click();
await teams.page.getByRole("button", { name: "Use list 1" }).waitFor();
await picture(teams, "lists");
await teams.close();
await closeBrowser();
