// The studio's state: what components show. What can be done with it stands in the files beside: pages, pointing,
// learning, evidence.

import { failureOf, isAborted } from "../api/client";
import type { Discovered, Failure, PageInfo, PlaceInfo, RuleText, RunResult, Spot, Start } from "../api/types";
import type { Pointed } from "../protocol";
import { History } from "./history.svelte";
import { EMPTY, type Session } from "./session";
import { cellAt, type CellAt, type Where } from "./where";

export type Side = "rules" | "why" | "lists" | "more";
export type View = "page" | "repair";
export type DialogName = "open" | "save" | "export" | "keys" | null;

/** What the little window beside a place of the page is about. */
export interface Popover {
  at: Pointed;
  where: Where;
  place: PlaceInfo;
  /** The mark that the click made, if it made one. */
  mark: number | null;
  /** Whether a letter was typed on the page: it begins the name. */
  typed: string | null;
}

/** Something slow that can be given up. */
export interface Busy {
  label: string;
  cancel: () => void;
}

class Studio {
  start: Start | null = $state.raw(null);
  startFailure: Failure | null = $state.raw(null);
  pages: readonly PageInfo[] = $state.raw([]);
  current: number | null = $state(null);
  view: View = $state("page");
  side: Side = $state("rules");
  dialog: DialogName = $state(null);
  status = $state("");
  busy: Busy | null = $state.raw(null);

  history = $state.raw(new History<Session>(EMPTY));
  place: { info: PlaceInfo; spot: Spot } | null = $state.raw(null);
  popover: Popover | null = $state.raw(null);
  chosen: CellAt | null = $state.raw(null);
  /** The rule that the Why panel is about, if no cell is chosen. */
  rule: string | null = $state(null);
  lists: { page: number; found: Discovered } | null = $state.raw(null);
  litList: number | null = $state(null);
  /** What the mouse is over in a panel: lit up on the page. */
  lit: { spots: Spot[]; label: string } | null = $state.raw(null);
  /** Where the page view should go next. */
  goal: { spot: Spot; count: number } | null = $state.raw(null);
  confirm: { text: string; go: () => void; stay: () => void } | null = $state.raw(null);
  file: string | null = $state(null);
  /** The rules in a form that can only be read. */
  preview: RuleText | null = $state.raw(null);
  /** Why the rules cannot be shown in another form; nothing is wrong with them. */
  formFailure: Failure | null = $state.raw(null);
  /** Counts the answers that changed the table: what a measurement waits for. */
  version = $state(0);

  get session(): Session {
    return this.history.now;
  }

  get page(): PageInfo | null {
    return this.pages.find((page) => page.id === this.current) ?? null;
  }

  get result(): RunResult | null {
    return this.session.on === this.current ? this.session.result : null;
  }

  choose(at: CellAt | null, scroll = true): void {
    this.chosen = at;
    this.rule = null;
    if (!at) return;
    const cell = cellAt(this.result?.tables ?? [], at);
    if (cell) {
      this.side = "why";
      if (cell.spot && scroll) this.goTo(cell.spot);
    }
  }

  goTo(spot: Spot): void {
    this.goal = { spot, count: (this.goal?.count ?? 0) + 1 };
  }

  forget(): void {
    this.popover = null;
    this.chosen = null;
    this.rule = null;
    this.lit = null;
  }

  say(text: string): void {
    this.status = text;
  }

  fail(error: unknown): void {
    if (isAborted(error)) return;
    const { message, help } = failureOf(error);
    this.say(help ? `${message} (${help})` : message);
  }

  /** Runs something that may take long, with a way to give it up. */
  async slowly<T>(label: string, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const asking = new AbortController();
    this.busy = { label, cancel: () => asking.abort() };
    try {
      return await task(asking.signal);
    } finally {
      this.busy = null;
    }
  }
}

export const studio = new Studio();
