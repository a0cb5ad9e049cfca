// Pages: opened, turned to, closed.

import { api, failureOf } from "../api/client";
import type { Opened, OpenRequest, PageInfo } from "../api/types";
import { History } from "./history.svelte";
import * as learning from "./learning";
import { EMPTY, type Session } from "./session";
import { studio } from "./studio.svelte";

export async function begin(): Promise<void> {
  try {
    const start = await api.start();
    studio.start = start;
    studio.pages = start.pages;
    studio.file = start.file ?? null;
    studio.current = start.pages[0]?.id ?? null;
    if (start.rules) {
      studio.history = new History<Session>({ ...EMPTY, rules: start.rules, origin: "file" });
      await learning.run();
    }
    if (start.pages.length === 0) studio.dialog = "open";
    studio.say(start.pages.length > 0 ? "Click a value of one record on the page." : "Open a page to begin.");
  } catch (error) {
    studio.startFailure = failureOf(error);
  }
}

export async function open(request: OpenRequest): Promise<Opened> {
  const opened = await studio.slowly("Opening…", (signal) => api.open(request, signal));
  if (opened.kind === "page") show(opened.page);
  return opened;
}

/** Adds a page to the tabs and turns to it. */
export function show(page: PageInfo): void {
  if (!studio.pages.some((other) => other.id === page.id)) studio.pages = [...studio.pages, page];
  studio.dialog = null;
  turnTo(page.id);
  studio.say(`Opened ${page.title || page.name}.`);
}

export function turnTo(id: number): void {
  if (studio.current === id) return;
  studio.current = id;
  studio.view = "page";
  studio.forget();
  studio.place = null;
  if (studio.side === "lists") studio.side = "rules";
  if (studio.session.rules) void learning.run();
}

export async function close(id: number): Promise<void> {
  const at = studio.pages.findIndex((page) => page.id === id);
  studio.pages = studio.pages.filter((page) => page.id !== id);
  if (studio.current === id) {
    const next = studio.pages[at] ?? studio.pages[at - 1];
    studio.current = null;
    if (next) turnTo(next.id);
  }
  await api.close(id).catch(() => undefined);
}
