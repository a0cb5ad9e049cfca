// No pointing at all: lists that were found, feeds, domains.

import { api } from "../api/client";
import type { RuleText, RunResult } from "../api/types";
import type { Pointed } from "../protocol";
import * as learning from "./learning";
import { EMPTY, type Origin } from "./session";
import { studio } from "./studio.svelte";
import { rowOf } from "./where";

export async function findLists(): Promise<void> {
  const page = studio.current;
  if (page === null) return;
  studio.side = "lists";
  studio.litList = null;
  studio.forget();
  if (studio.lists?.page === page) return;
  try {
    const found = await studio.slowly("Looking for lists…", (signal) => api.discover(page, signal));
    studio.lists = { page, found };
    const { length } = found.lists;
    studio.say(length === 0 ? "No list found on this page." : `Found ${length} ${length === 1 ? "list" : "lists"}.`);
  } catch (error) {
    studio.fail(error);
  }
}

export function adopt(number: number): void {
  const list = studio.lists?.found.lists[number];
  if (!list) return;
  adoptRules("use list " + (number + 1), "discover", list.rules, list.result, []);
}

export function adoptAt(at: Pointed): boolean {
  const lists = studio.lists?.page === studio.current ? studio.lists!.found.lists : [];
  const inside = lists.findIndex((list) => list.result.tables.some((table) => rowOf(table, at.up) !== null));
  if (inside < 0) return false;
  adopt(inside);
  return true;
}

export async function useFeed(feed?: string): Promise<void> {
  const page = studio.current;
  if (page === null) return;
  const learned = await studio.slowly("Reading the feed…", (signal) => api.feed(page, feed, signal));
  adoptRules("use the feed", "feed", learned.rules, learned.result, learned.notes);
}

export async function useDomain(domain: string): Promise<void> {
  const page = studio.current;
  if (page === null) return;
  const others = studio.pages.map((other) => other.id).filter((id) => id !== page);
  const learned = await studio.slowly("Reading by the domain's words…", (signal) =>
    api.domain(page, others, domain, signal),
  );
  adoptRules(`use the domain ${domain}`, "domain", learned.rules, learned.result, learned.notes);
}

/** Takes rules that were made otherwise than by marks. */
export function take(label: string, origin: Origin, rules: RuleText): Promise<void> {
  studio.history.push(label, { ...EMPTY, rules, origin });
  return learning.run();
}

function adoptRules(label: string, origin: Origin, rules: RuleText, result: RunResult, notes: readonly string[]): void {
  learning.stop();
  studio.history.push(label, { ...EMPTY, rules, origin, result, on: studio.current, notes });
  studio.side = "rules";
  studio.litList = null;
  learning.tell(result);
  learning.settled();
}
